/** No command writes over its input, under whatever name, or into the index it uses. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { call } from './support/call.ts';
import { lines, main, words } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';

let folder: string;
let input: string;
const content = lines({ id: 'a', text: words(0, 40) }, { id: 'b', text: words(1, 40) });
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = temporaryFolder();
  input = at('in.jsonl');
  writeFileSync(input, content);
});

/** A page or a picture may not be called .jsonl, and sketches must be. */
const commands: [string, (output: string) => string[], string?][] = [
  ['compare --html', output => ['compare', `${input}#a`, `${input}#b`, '--html', output]],
  ['compare with other files --html', output => ['compare', at('other.txt'), `${input}#b`, '--html', output]],
  ['sketch -o', output => ['sketch', input, '-o', output], '.jsonl'],
  ['tune --svg', output => ['tune', '--sample', input, '--svg', output]],
  ['search --in', output => ['search', at('other.txt'), '--in', input, '-o', output]],
  ['search, its queries', output => ['search', input, '--in', at('other.txt'), '-o', output]],
  ['search --index', output => ['search', input, '--index', at('seen'), '-o', output]],
  ['collapse', output => ['collapse', input, '-o', output]],
  ['index add -o', output => ['index', 'add', at('seen'), input, '-o', output]],
  ['index add --rejects', output => ['index', 'add', at('seen'), input, '--rejects', output]],
  ['filter -o', output => ['filter', '--index', at('seen'), input, '-o', output]],
  ['filter --rejects', output => ['filter', '--index', at('seen'), input, '--rejects', output]],
  ['pairs -o', output => ['pairs', input, '-o', output]],
  ['pairs --rejects', output => ['pairs', input, '--rejects', output]],
  ['clusters --rejects', output => ['clusters', input, '--rejects', output]],
  ['dedup --rejects', output => ['dedup', input, '-o', at('out.jsonl'), '--rejects', output]],
  ['dedup --report', output => ['dedup', input, '-o', at('out.jsonl'), '--report', output]],
];

describe.each(commands)('%s', (_, argsFor, ending = '') => {
  test('does not write over an input, however it is named', async () => {
    writeFileSync(at('other.txt'), words(0, 40));
    const [hardLink, link] = [`hard-link${ending}`, `link${ending}`];
    linkSync(input, at(hardLink));
    symlinkSync(input, at(link));
    mkdirSync(at('elsewhere'));
    symlinkSync(folder, at('elsewhere/here'));
    for (const output of [at(hardLink), at(link), at(`elsewhere/here/${link}`), relative('.', at(link))]) {
      const { code, stdout, stderr } = await call(...argsFor(output));
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^neardup: [^\n]*: it would write over the input [^\n]*in\.jsonl\n$/),
      });
    }
    expect(readFileSync(input, 'utf8')).toBe(content);
    expect(readdirSync(folder).sort()).toEqual(['elsewhere', hardLink, 'in.jsonl', link, 'other.txt']);
  });
});

test('an input that is standard input or output by redirection is seen, too', async () => {
  const run = async (args: string[], inputMode: string, outputMode: string) => {
    const [stdin, stdout] = [openSync(input, inputMode), openSync(outputMode === 'a' ? input : at('out'), outputMode)];
    const child = spawn(process.execPath, [main, ...args], { stdio: [stdin, stdout, 'pipe'] });
    let stderr = '';
    child.stderr!.on('data', data => {
      stderr += data;
    });
    const [code] = await once(child, 'close');
    for (const descriptor of [stdin, stdout]) closeSync(descriptor);
    expect(readFileSync(input, 'utf8')).toBe(content);
    return { code, stderr };
  };
  const over = (name: string) => ({
    code: 2,
    stderr: expect.stringContaining(`it would write over the input ${name}\n`),
  });
  // What is read grows with what is written: without the check, shingles fills the disk.
  expect(await run(['shingles', input], 'r', 'a')).toEqual(over(input));
  expect(await run(['shingles', '-'], 'r', 'a')).toEqual(over('-'));
  expect(await run(['checksum', input], 'r', 'a')).toEqual(over(input));
  expect(await run(['dedup', input], 'r', 'a')).toEqual(over(input));
  expect(await run(['dedup', '-', '-o', input], 'r', 'w')).toEqual(over('-'));
  expect((await run(['shingles', '-'], 'r', 'w')).code).toBe(0);
});

describe('an index', () => {
  const files = () => readdirSync(at('seen')).sort();

  test('is not written into by its own commands', async () => {
    await call('index', 'add', at('seen'), input);
    symlinkSync(at('seen'), at('link'));
    const before = readFileSync(at('seen/data.mdb'));
    for (const output of [at('seen/new.jsonl'), at('seen/deep/new.jsonl'), at('link/new.jsonl')])
      for (const args of [
        ['index', 'add', at('seen'), input, '-o', output],
        ['index', 'add', at('seen'), input, '--rejects', output],
        ['filter', '--index', at('seen'), input, '-o', output],
        ['search', input, '--index', at('seen'), '-o', output],
        ['collapse', input, '--index', at('seen'), '-o', output],
      ]) {
        const { code, stderr } = await call(...args);
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: expect.stringMatching(/^neardup: [^\n]*: it would write into the index [^\n]*seen\n$/),
        });
      }
    expect(readFileSync(at('seen/data.mdb')).equals(before)).toBe(true);
    expect(files()).toEqual(['data.mdb', 'lock.mdb']);
  });

  test('is not made where an output would be in it', async () => {
    expect((await call('index', 'add', at('seen'), input, '-o', at('seen/new.jsonl'))).code).toBe(2);
    expect(readdirSync(folder)).toEqual(['in.jsonl']);
  });

  test('is not copied onto or into itself', async () => {
    await call('index', 'add', at('seen'), input);
    symlinkSync(at('seen'), at('link'));
    for (const target of ['seen', 'seen/copy', 'seen/deep/copy', 'link', 'link/copy'].map(at)) {
      const { code, stderr } = await call('index', 'backup', at('seen'), target);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^neardup: cannot write [^\n]*: it is in the folder of the index [^\n]*seen\n$/),
      });
    }
    expect(files()).toEqual(['data.mdb', 'lock.mdb']);
    expect((await call('index', 'backup', at('seen'), at('copy'))).code).toBe(0);
  });
});

test('copies of files of one name are all kept, and none goes over an input', async () => {
  for (const [at, name] of ['one/x.txt', 'outer/b/x.txt', 'outer/inner/b/x.txt', 'outer/inner/c/x.txt'].entries()) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), words(100 * at, 100 * at + 50));
  }
  const inner = at('outer/inner');
  const run = (...args: string[]) => {
    const child = spawn(process.execPath, [main, ...args], { cwd: inner, stdio: 'ignore' });
    return once(child, 'close').then(([code]) => code);
  };
  const inputs = ['../../one/x.txt', '../b/x.txt', 'b/x.txt', 'c/x.txt'];
  expect(await run('dedup', ...inputs, '-o', './')).toBe(2);
  expect(await run('dedup', ...inputs, '-o', 'kept/')).toBe(0);
  const kept = readdirSync(join(inner, 'kept'), { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  );
  const contents = kept.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  expect(contents.sort()).toEqual([words(0, 50), words(100, 150), words(200, 250), words(300, 350)].sort());
});
