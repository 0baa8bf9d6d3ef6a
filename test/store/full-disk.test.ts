/** An index whose disk fills up: a clear error, nothing acknowledged is lost, and it goes on when there is room. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { withCommas } from '../../src/report/with-commas.ts';
import { temporaryFolder } from '../support/folder.ts';
import { onSmallDisk, unshare } from '../support/small-disk.ts';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const worker = fileURLToPath(new URL('../support/full-disk-worker.mjs', import.meta.url));
const COUNT = 3000;

/** A file of documents that are all new, in a folder of its own. */
function corpus(): { folder: string; file: string; lines: string[] } {
  const folder = temporaryFolder();
  const random = createRandom(1);
  const text = () => Array.from({ length: 150 }, () => random.below(2 ** 32).toString(36)).join(' ');
  const lines = Array.from({ length: COUNT }, (_, n) => JSON.stringify({ id: `d${n}`, text: text() }));
  const file = join(folder, 'corpus.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return { folder, file, lines };
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1);

describe.skipIf(!unshare)('an index on a disk that fills up', () => {
  it('keeps what it acknowledged, opens again, and goes on when there is room', () => {
    const small = join(temporaryFolder(), 'small');
    const script = 'head -c 7M /dev/zero > "$0/ballast"; "$1" "$2" "$0/seen" "$0/ballast" "$3"';
    const { status, stdout, stderr } = onSmallDisk(small, '10m', script, process.execPath, worker, String(COUNT));
    const [full, opened, fullAgain, wide, whole] = stdout.split('\n').map(line => line && JSON.parse(line));
    const message = `cannot write ${small}/seen: the disk is full`;
    expect(full).toMatchObject({ code: 'CANNOT_WRITE', message, after: `${message}; open the index again` });
    expect(full.acknowledged).toBeGreaterThan(100);
    expect(opened.damages).toEqual([]);
    expect(opened.sound).toBeGreaterThanOrEqual(full.acknowledged);
    expect(fullAgain).toMatchObject({ code: 'CANNOT_WRITE', message });
    expect(fullAgain.acknowledged).toBeGreaterThanOrEqual(opened.sound);
    expect(wide).toEqual({ acknowledged: COUNT });
    expect(whole).toEqual({ damages: [], sound: COUNT });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('is one clear line of index add and of filter, and exit code 1', () => {
    const { folder, file, lines } = corpus();
    const small = join(folder, 'small');
    const script = `
      node=$1 main=$2 file=$3 out=$4
      run() { "$node" "$main" "$@" 2>> "$out/errors"; echo $? >> "$out/codes"; }
      head -c 7M /dev/zero > "$0/ballast"
      run index add "$0/one" "$file" > "$out/added"
      run index check "$0/one"
      rm -r "$0/one"
      run filter --index "$0/two" "$file" > "$out/passed"
      run index check "$0/two"
      rm "$0/ballast"
      run filter --index "$0/two" "$file" > "$out/rest"
      run index check "$0/two"`;
    onSmallDisk(small, '10m', script, process.execPath, main, file, folder);
    expect(linesOf(join(folder, 'codes'))).toEqual(['1', '0', '1', '0', '0', '0']);
    const added = linesOf(join(folder, 'added')).length;
    const [passed, rest] = [linesOf(join(folder, 'passed')), linesOf(join(folder, 'rest'))];
    expect(passed).toEqual(lines.slice(0, passed.length));
    // What was passed on and could not be remembered comes again; nothing is left out.
    const remembered = COUNT - rest.length;
    expect(rest).toEqual(lines.slice(remembered));
    expect(remembered).toBeGreaterThan(100);
    expect(passed.length).toBeGreaterThanOrEqual(remembered);
    const [addFailed, addChecked, filterFailed, filterChecked, , wholeChecked] = linesOf(join(folder, 'errors'));
    expect(addFailed).toBe(`neardup: cannot write ${small}/one: the disk is full`);
    expect(addChecked).toMatch(/ documents: no damage$/);
    expect(Number(addChecked!.replace(/\D/g, ''))).toBeGreaterThanOrEqual(added);
    expect(filterFailed).toBe(`neardup: cannot write ${small}/two: the disk is full`);
    expect(filterChecked).toMatch(/ documents: no damage$/);
    expect(wholeChecked).toBe('3,000 documents: no damage');
  });

  it('is not made, nor copied, where there is no room', () => {
    const { folder, file } = corpus();
    const small = join(folder, 'small');
    expect(spawnSync(process.execPath, [main, 'index', 'add', join(folder, 'seen'), file]).status).toBe(0);
    const script = `
      "$1" "$2" index backup "$4/seen" "$0/copy"
      head -c 2M /dev/zero > "$0/ballast" 2> /dev/null
      "$1" "$2" index add "$0/seen" "$3"
      ls -A "$0" "$0/seen" >&2`;
    const { stderr } = onSmallDisk(small, '1m', script, process.execPath, main, file, folder);
    expect(stderr.split('\n')).toEqual([
      `neardup: cannot write ${small}/copy: the disk is full`,
      `neardup: cannot write ${small}/seen: the disk is full`,
      `${small}:`,
      'ballast',
      'seen',
      '',
      `${small}/seen:`,
      '',
    ]);
  });
});

it('says so when a file may not grow any more, which only LMDB finds out', () => {
  const { folder, file } = corpus();
  const [index, added] = [join(folder, 'seen'), join(folder, 'added')];
  const script = `trap '' XFSZ; ulimit -f 3072; "$@" > ${added}`;
  const limited = (...args: string[]) =>
    spawnSync('sh', ['-c', script, 'sh', process.execPath, main, ...args], { encoding: 'utf8' });
  const { status, stderr } = limited('index', 'add', index, file);
  expect(stderr).toMatch(/^neardup: cannot write [^\n]*seen: [^\n]+\n$/);
  expect(status).toBe(1);
  expect(linesOf(added).length).toBeGreaterThan(0);
  const checked = spawnSync(process.execPath, [main, 'index', 'check', index], { encoding: 'utf8' });
  expect(checked).toMatchObject({
    status: 0,
    stdout: '',
    stderr: `${withCommas(linesOf(added).length)} documents: no damage\n`,
  });
  expect(spawnSync(process.execPath, [main, 'index', 'add', index, file]).status).toBe(0);
  expect(readdirSync(index).sort()).toEqual(['data.mdb', 'lock.mdb']);
});
