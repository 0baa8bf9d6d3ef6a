/** Results on disk: durable before they appear, with the modes of a shell, and private while they are in the making. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import { lines, main, words } from './support/command.ts';
import { sharedFolder } from './support/folder.ts';
import { outsideUser } from './support/outside.ts';

const recorder = fileURLToPath(new URL('support/record-files.mjs', import.meta.url));
const large = 'large.jsonl';
const folder = sharedFolder();
let tmp: string;
const at = (...names: string[]) => join(folder, ...names);

beforeAll(() => {
  makeCorpus(at(large), { documents: 12_000, copies: 0.4, script: 'latin', seed: 3 });
  writeFileSync(at('large.jsonl.gz'), gzipSync(readFileSync(at(large)), { level: 1 }));
  writeFileSync(
    at('small.jsonl'),
    lines({ id: 'a', text: words(0, 40) }, { id: 'b', text: words(0, 40) }, { id: 'c', text: words(90, 120) }),
  );
  mkdirSync(at('texts'));
  for (const name of ['a', 'b']) writeFileSync(at('texts', `${name}.txt`), words(name.charCodeAt(0), 150));
}, 60_000);
beforeEach(() => {
  tmp = mkdtempSync(at('tmp-'));
});

function run(args: readonly string[], umask = 0o022, env: Record<string, string> = {}) {
  const script = `umask ${umask.toString(8).padStart(4, '0')}; exec "$0" "$@"`;
  const options = { cwd: folder, encoding: 'utf8' as const, env: { ...process.env, TMPDIR: tmp, ...env } };
  const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, main, ...args], options);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
}

/** Command lines, each with the files that appear. */
const written: [string, string[]][] = [
  [`dedup ${large} -o kept.jsonl --removed gone.csv --clusters c.json`, ['kept.jsonl', 'gone.csv', 'c.json']],
  ['dedup small.jsonl -o kept.jsonl.gz --report r.html --rejects bad.jsonl', ['kept.jsonl.gz', 'r.html', 'bad.jsonl']],
  ['dedup small.jsonl -o kept.parquet', ['kept.parquet']],
  ['dedup small.jsonl -o kept.csv', ['kept.csv']],
  ['dedup texts -o copies/', ['copies']],
  ['pairs small.jsonl -o pairs.jsonl', ['pairs.jsonl']],
  ['clusters small.jsonl -o clusters.jsonl', ['clusters.jsonl']],
  ['sketch small.jsonl -o sketches.parquet', ['sketches.parquet']],
  ['sketch small.jsonl -o sketches.jsonl', ['sketches.jsonl']],
  ['compare texts/a.txt texts/b.txt --html page.html', ['page.html']],
  ['tune --threshold 0.8 --svg curve.svg', ['curve.svg']],
  ['search small.jsonl --in small.jsonl -o found.jsonl', ['found.jsonl']],
  ['collapse small.jsonl -o collapsed.jsonl', ['collapsed.jsonl']],
];

describe.each(written)('neardup %s', (line, files) => {
  const args = line.split(' ');

  const statAll = () => files.map(file => statSync(at(file)));

  test('syncs each file before it appears and the folder after that, with the mode a shell would give it', () => {
    const record = join(tmp, 'record');
    run(args, 0o027, { NODE_OPTIONS: `--import=${recorder}`, NEARDUP_RECORD: record });
    const calls = readFileSync(record, 'utf8').trim().split('\n');
    for (const file of files) {
      const appeared = calls.findIndex(call => call.startsWith('rename ') && call.endsWith(` ${at(file)}`));
      expect(appeared, `${file} is renamed into place`).toBeGreaterThan(0);
      const from = calls[appeared]!.split(' ')[1]!;
      expect(calls.slice(0, appeared)).toContain(`sync ${from}`);
      expect(calls.slice(appeared)).toContain(`sync ${dirname(at(file))}`);
    }
    expect(readdirSync(folder).filter(name => name.startsWith('.'))).toEqual([]);
    expect(statAll().map(found => found.mode & 0o777)).toEqual(
      statAll().map(found => (found.isDirectory() ? 0o750 : 0o640)),
    );
  });

  // Copies have the modes of what they are copies of.
  if (files.includes('copies')) return;

  test('lets files that are there keep their mode and owner', () => {
    for (const file of files) writeFileSync(at(file), 'before');
    for (const file of files) chmodSync(at(file), 0o604);
    if (process.getuid?.() === 0) for (const file of files) chownSync(at(file), 1234, 5678);
    const before = statAll();
    run(args, 0o027);
    const told = (found: typeof before) => found.map(({ mode, uid, gid }) => [mode & 0o7777, uid, gid]);
    expect(told(statAll())).toEqual(told(before));
    for (const file of files) {
      expect(readFileSync(at(file), 'utf8')).not.toBe('before');
      rmSync(at(file));
    }
  });
});

/** Starts a run and stops it where `isThere`; what it has made can be looked at until it is killed. */
async function stopped(args: readonly string[], isThere: () => boolean, input?: string) {
  const child = spawn('sh', ['-c', 'umask 0; exec "$0" "$@"', process.execPath, main, ...args], {
    cwd: folder,
    env: { ...process.env, TMPDIR: tmp },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  if (input !== undefined) child.stdin.write(input);
  while (!isThere()) await sleep(2);
  child.kill('SIGSTOP');
  return {
    kill: () =>
      new Promise(resolve => {
        child.once('exit', resolve);
        child.kill('SIGKILL');
      }),
  };
}

const modeOf = (path: string) => statSync(path).mode & 0o777;
const only = (parent: string, prefix = '') => {
  const [name, ...others] = readdirSync(parent).filter(found => found.startsWith(prefix));
  expect(others).toEqual([]);
  return join(parent, name!);
};
const holds = (parent: string, name: string) =>
  readdirSync(parent).some(found => readdirSync(join(parent, found)).some(file => file.startsWith(name)));

describe('temporary files', () => {
  const unfinished = () => readdirSync(folder).filter(name => name.startsWith('.neardup-'));

  test('of a run are for its user alone, and a killed run leaves nothing after the next one', async () => {
    const args = ['dedup', 'large.jsonl.gz', '-o', 'never.jsonl', '--quiet'];
    const { kill } = await stopped(args, () => holds(tmp, 'contents-'));
    const runFolder = only(tmp, 'neardup-run-');
    expect(modeOf(runFolder)).toBe(0o700);
    const modes = readdirSync(runFolder).map(name => modeOf(join(runFolder, name)));
    expect(new Set(modes)).toEqual(new Set([0o600]));
    const asNobody = outsideUser('whether another user can read temporary files');
    if (asNobody) {
      chmodSync(folder, 0o755);
      chmodSync(tmp, 0o777);
      expect(spawnSync('ls', [tmp], asNobody).status).toBe(0);
      expect(spawnSync('ls', [runFolder], asNobody).status).not.toBe(0);
    }
    await kill();
    run(args);
    expect([readdirSync(tmp), unfinished()]).toEqual([[], []]);
    rmSync(at('never.jsonl'));
  });

  test('that hold standard input are for its user alone', async () => {
    const args = ['dedup', '-', '-o', 'never.jsonl'];
    const { kill } = await stopped(args, () => holds(tmp, 'input'), lines({ id: 1, text: 'private' }));
    const copy = only(tmp, 'neardup-input-');
    expect([modeOf(copy), modeOf(join(copy, 'input'))]).toEqual([0o700, 0o600]);
    await kill();
    expect(readdirSync(tmp)).not.toEqual([]);
    spawnSync(process.execPath, [main, ...args], { cwd: folder, env: { ...process.env, TMPDIR: tmp }, input: '' });
    expect(readdirSync(tmp)).toEqual([]);
  });

  test('of outputs are for their user alone until they are finished', async () => {
    const args = ['dedup', large, '-o', 'never.jsonl', '--removed', 'never.csv', '--quiet'];
    const { kill } = await stopped(args, () => unfinished().length > 0);
    for (const name of unfinished()) expect(modeOf(at(name))).toBe(0o700);
    await kill();
    expect(unfinished()).not.toEqual([]);
    run(args);
    expect([unfinished(), readdirSync(tmp)]).toEqual([[], []]);
    for (const name of ['never.jsonl', 'never.csv']) rmSync(at(name));
  });
});

describe('what somebody has put where temporary files go', () => {
  const dead = `4194303 1 ${hostname()}\n`;
  const mark = '.neardup-process';

  /** A folder with a file in it and the mark of a process that is gone, as an unfinished run leaves it. */
  function makeVictim(path: string): string {
    mkdirSync(path);
    writeFileSync(join(path, 'precious'), 'precious');
    writeFileSync(join(path, mark), dead);
    writeFileSync(join(path, 'unfinished'), `${at('.neardup-victim')}\n`);
    return path;
  }

  test.each([[[]], [['--resume']]])('is neither used nor removed by a run, with %j', async more => {
    const args = ['dedup', large, '-o', 'planted.jsonl', '--quiet', ...more];
    const { kill } = await stopped(args, () => holds(tmp, 'keys-'));
    const name = only(tmp).slice(tmp.length + 1, -'-XXXXXX'.length);
    await kill();
    rmSync(only(tmp), { recursive: true });
    const victims = [makeVictim(at('.neardup-victim')), makeVictim(at('victim'))];
    symlinkSync(at('victim'), join(tmp, name));
    symlinkSync(at('victim'), join(tmp, `${name}-AAAAAA`));
    symlinkSync(at('victim'), at('.neardup-AAAAAA'));
    const writable = makeVictim(join(tmp, `${name}-BBBBBB`));
    chmodSync(writable, 0o777);
    victims.push(writable);
    if (process.getuid?.() === 0) {
      const foreign = makeVictim(join(tmp, `${name}-CCCCCC`));
      chownSync(foreign, 1234, 1234);
      chownSync(at('.neardup-victim'), 1234, 1234);
      victims.push(foreign);
    } else rmSync(join(at('.neardup-victim'), mark));
    const before = readdirSync(tmp).sort();
    run(args);
    for (const victim of victims) expect(readFileSync(join(victim, 'precious'), 'utf8')).toBe('precious');
    expect(existsSync(join(at('victim'), mark))).toBe(true);
    expect(readdirSync(tmp).sort()).toEqual(before);
    for (const path of ['.neardup-victim', 'victim', '.neardup-AAAAAA', 'planted.jsonl'])
      rmSync(at(path), { recursive: true });
  });
});
