/** An input that changes, is replaced or vanishes while a run is at work ends the run: its result would belong to no version of it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openInputs } from '../src/batch/inputs.ts';
import { createPendingResults } from '../src/batch/pending-results.ts';
import type { RunRequest } from '../src/engine/engine.ts';
import { readRunOptions } from '../src/engine/run-options.ts';
import { main } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';

// Threads need built files.
const built = new URL('../dist/engine/choose-engine.js', import.meta.url).href;
const { decideFiles, findPairsOfFiles }: typeof import('../src/engine/choose-engine.ts') = await import(built);

let folder: string;
let input: string;
const at = (name: string) => join(folder, name);
const silent = { quiet: true, note() {}, warn() {} };

beforeEach(() => {
  folder = temporaryFolder();
  input = at('in.jsonl');
  execFileSync('mkfifo', [at('fifo')]);
  mkdirSync(at('tmp'));
});

/** Two versions of one size, with the same ids: every document is like its neighbour in one, and unlike in the other. */
function version(which: 'alike' | 'unlike', documents: number): string {
  const textOf = (at: number) =>
    Array.from(
      { length: 40 },
      (_, word) => `${which === 'alike' ? 'u' : 'v'}${String(at * 40 + word).padStart(8, '0')}`,
    );
  return Array.from({ length: documents }, (_, i) => {
    const text = textOf(which === 'alike' ? i - (i % 2) : i).join(' ');
    return `${JSON.stringify({ id: String(i).padStart(8, '0'), text })}\n`;
  }).join('');
}

/** In place, with the size and the time that it had. */
function overwrite(path: string, content: string): void {
  const { atime, mtime, size } = statSync(path);
  expect(content.length).toBe(size);
  const file = openSync(path, 'r+');
  writeSync(file, content);
  closeSync(file);
  utimesSync(path, atime, mtime);
}

function replace(path: string, content: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(`${path}.new`, content);
  utimesSync(`${path}.new`, atime, mtime);
  renameSync(`${path}.new`, path);
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; stderr: string }>;
}

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

function start(...args: string[]): Running {
  const child = spawn(process.execPath, [main, ...args, '--tmp', at('tmp'), '--quiet'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  let stderr = '';
  child.stderr!.on('data', data => {
    stderr += data;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code, stderr })) };
}

/** A run that has read its input and waits for the reader of a list, which must be longer than the 64 KB that a pipe holds. */
async function readOnce(command: string, ...more: string[]) {
  const outputs =
    command === 'dedup'
      ? ['--removed', at('fifo'), '-o', at('out.jsonl')]
      : ['--rejects', at('out.jsonl'), '-o', at('fifo')];
  const run = start(command, input, ...outputs, ...more);
  const reader = await open(at('fifo'), 'r');
  const goOn = async () => {
    await reader.readFile();
    await reader.close();
    return run.ended;
  };
  return { ...run, reader, goOn };
}

const changes: [string, (path: string, content: string) => void, string][] = [
  ['overwritten in place', overwrite, 'it changed while it was read; run again'],
  ['replaced by rename', replace, 'it changed while it was read; run again'],
  ['removed', path => rmSync(path), 'it vanished while it was read'],
];

/** Below and above the size from which threads are used. */
const sizes: [string, number][] = [
  ['in memory', 2000],
  ['on threads', 22_000],
];

describe.each(sizes)('a run %s', (_, documents) => {
  // On threads each takes seconds.
  test.each(documents > 2000 ? changes.filter(([how]) => how !== 'replaced by rename') : changes)(
    'whose input is %s ends with one line, and writes nothing',
    async (_, change, reason) => {
      for (const command of documents > 2000 ? ['dedup'] : ['dedup', 'clusters', 'pairs']) {
        writeFileSync(input, version('alike', documents));
        const run = await readOnce(command);
        change(input, version('unlike', documents));
        expect(await run.goOn()).toEqual({ code: 1, stderr: `neardup: ${input}: ${reason}\n` });
        expect(existsSync(at('out.jsonl'))).toBe(false);
        expect(readdirSync(at('tmp'))).toEqual([]);
      }
    },
  );

  test('whose reference set changes ends so, too', async () => {
    writeFileSync(input, version('alike', documents));
    writeFileSync(at('reference.jsonl'), version('alike', 2));
    const run = await readOnce('dedup', '--protect', at('reference.jsonl'));
    overwrite(at('reference.jsonl'), version('unlike', 2));
    const { code, stderr } = await run.goOn();
    expect([code, stderr]).toEqual([1, `neardup: ${at('reference.jsonl')}: it changed while it was read; run again\n`]);
    expect(existsSync(at('out.jsonl'))).toBe(false);
  });
});

test('a run whose input stays as it is writes its result', async () => {
  writeFileSync(input, version('alike', 20));
  const run = await readOnce('dedup');
  expect((await run.goOn()).code).toBe(0);
  expect(readFileSync(at('out.jsonl'), 'utf8').split('\n')).toHaveLength(11);
});

test.each([
  ['in memory', Number.POSITIVE_INFINITY],
  ['on threads', 0],
])('a change while the run decides %s is noticed', async (_, threadsFrom) => {
  const content = version('alike', 2000);
  writeFileSync(input, content);
  const { files } = await openInputs([input], {}, silent);
  let isChanged = false;
  const change = () => {
    if (!isChanged) overwrite(input, version('unlike', 2000));
    isChanged = true;
  };
  const reading = { textField: 'text', idField: 'id', html: 'auto', strict: false } as const;
  const request: RunRequest = {
    files: { inputs: files, reference: [] },
    reading,
    options: readRunOptions({}),
    memory: 2 ** 30,
    threadsFrom,
    watch: { estimate() {}, stage: change, many() {} },
  };
  for (const find of [
    decideFiles,
    (request: RunRequest) => findPairsOfFiles(request, { exact: false, maxPairs: 1e6 }),
  ]) {
    const found = find(request);
    // Threads tell of their stages; in memory nothing is read before the first wait.
    if (threadsFrom > 0) change();
    await expect(found).rejects.toThrow('it changed while it was read; run again');
  }
});

test('an input that changes or vanishes while another is waited for is noticed', async () => {
  for (const [, change, reason] of changes) {
    writeFileSync(input, version('alike', 20));
    const run = start('dedup', input, at('fifo'), '--format', 'jsonl', '-o', at('out.jsonl'));
    const writer = await open(at('fifo'), 'w');
    change(input, version('unlike', 20));
    await writer.write('{"id":"x","text":"one two three"}\n');
    await writer.close();
    expect(await run.ended).toEqual({ code: 1, stderr: `neardup: ${input}: ${reason}\n` });
    expect(existsSync(at('out.jsonl'))).toBe(false);
  }
});

test('copies of files are made of the files that were compared', async () => {
  mkdirSync(at('texts'));
  writeFileSync(at('texts/b.txt'), 'b b b one two three');
  for (let i = 0; i < 500; i++) writeFileSync(at(`texts/copy-${i}.txt`), 'a a a one two three');
  for (const change of [(path: string) => overwrite(path, 'c c c one two three'), (path: string) => rmSync(path)]) {
    const run = start('dedup', at('texts'), '-o', `${at('kept')}/`, '--removed', at('fifo'));
    const reader = await open(at('fifo'), 'r');
    change(at('texts/b.txt'));
    await reader.readFile();
    await reader.close();
    const { code, stderr } = await run.ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/b\.txt: it (changed|vanished) while it was read/)]);
    expect(existsSync(at('kept'))).toBe(false);
  }
});

describe('--resume after a kill', () => {
  test.each([
    ['overwritten', overwrite],
    ['replaced', replace],
  ])('starts anew when the input was %s, with its old size and time', async (_, change) => {
    const documents = 22_000;
    writeFileSync(input, version('alike', documents));
    const killed = await readOnce('dedup', '--resume');
    killed.child.kill('SIGKILL');
    await killed.ended;
    await killed.reader.close();
    expect(readdirSync(at('tmp'))).toHaveLength(1);
    change(input, version('unlike', documents));
    const again = await start('dedup', input, '-o', at('out.jsonl'), '--resume').ended;
    expect(again).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(at('out.jsonl'), 'utf8')).toBe(version('unlike', documents));
  });
});

test('nothing appears when an input changes while results are written', async () => {
  writeFileSync(input, version('alike', 2));
  const { files } = await openInputs([input], {}, silent);
  const results = createPendingResults({ inputs: files, reference: [] });
  const writing = results.run(async () => {
    writeFileSync(await results.pathFor(at('out')), 'result');
    chmodSync(input, 0o600);
  });
  await expect(writing).rejects.toThrow('it changed while it was read; run again');
  expect(existsSync(at('out'))).toBe(false);
});

/** The pipe behind it holds the command up between the first input and the end. */
describe('a command that reads its inputs once', () => {
  const pipe = () => at('fifo');
  test.each<[string, (input: string) => string[]]>([
    ['shingles', input => ['shingles', input, pipe()]],
    ['checksum', input => ['checksum', input, pipe()]],
    ['sketch', input => ['sketch', input, pipe(), '-o', at('out.jsonl')]],
    ['search --in', input => ['search', at('query.jsonl'), '--in', input, pipe(), '-o', at('out.jsonl')]],
    ['search --index', input => ['search', input, pipe(), '--index', at('index')]],
    ['tune --sample', input => ['tune', '--sample', input, pipe(), '--svg', at('out.svg')]],
    ['index add', input => ['index', 'add', at('index'), input, pipe()]],
    ['filter', input => ['filter', input, pipe(), '--index', at('index')]],
  ])('%s ends with 1 when one of them has changed', async (_, command) => {
    writeFileSync(input, version('unlike', 20));
    writeFileSync(at('query.jsonl'), version('alike', 1).replace('00000000', 'query'));
    execFileSync(process.execPath, [main, 'index', 'add', at('index'), at('query.jsonl')], { stdio: 'ignore' });
    const child = spawn(process.execPath, [main, ...command(input), '--format', 'jsonl', '--quiet'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout!.resume();
    let said = '';
    child.stderr!.on('data', chunk => {
      said += chunk;
    });
    const ended = once(child, 'exit');
    // Opens when the command has come to the pipe.
    const writer = await open(pipe(), 'w');
    overwrite(input, version('alike', 20));
    await writer.write(version('unlike', 22).split('\n').slice(20).join('\n'));
    await writer.close();
    expect([(await ended)[0], said]).toEqual([1, `neardup: ${input}: it changed while it was read; run again\n`]);
    for (const name of ['out.jsonl', 'out.svg']) expect(existsSync(at(name))).toBe(false);
  });
});
