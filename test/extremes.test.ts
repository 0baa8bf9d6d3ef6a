/**
 * Inputs at the edge of what there is: one huge document, one huge line, nothing but copies, nothing but empty lines.
 * Small here, so that every run of the tests has them; `npm run test:extremes` takes them at full size.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sharedFolder } from './support/folder.ts';

const isFull = process.env.NEARDUP_EXTREMES === 'full';
const size = isFull
  ? { document: 500e6, line: 64e6, copies: 10_000_000, empty: 1_000_000 }
  : { document: 20e6, line: 9e6, copies: 200_000, empty: 200_000 };
const MINUTES = isFull ? 10 : 1;

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = sharedFolder();
const at = (name: string) => join(folder, name);

function call(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    timeout: MINUTES * 60_000,
  });
  return { status, stdout, stderr };
}

function dedup(name: string, ...options: string[]): Record<string, number> {
  const { status, stdout, stderr } = call('dedup', at(name), '-o', at('out.jsonl'), '--json', '--quiet', ...options);
  expect(status).toBe(0);
  const summary = JSON.parse(stdout);
  expect(stderr).toMatch(summary.rejected === 0 ? /^$/ : /^neardup: \d+ lines rejected \(first: [^\n]*\n$/);
  return summary;
}

function write(name: string, parts: Iterable<string>): void {
  const file = openSync(at(name), 'w');
  for (const part of parts) writeSync(file, part);
  closeSync(file);
}

/** Text of so many bytes, in parts, all words different. */
function* words(bytes: number, from: number): Generator<string> {
  let number = from;
  for (let done = 0; done < bytes; ) {
    const part = Array.from({ length: 10_000 }, () => `w${(number++).toString(36)}`).join(' ');
    done += part.length + 1;
    yield `${part} `;
  }
}

function* line(id: string, bytes: number, from: number): Generator<string> {
  yield `{"id":"${id}","text":"`;
  yield* words(bytes, from);
  yield '"}\n';
}

test('one document of hundreds of megabytes, and a near-copy of it', { timeout: MINUTES * 60_000 }, () => {
  write('document.jsonl', [
    ...line('a', size.document, 0),
    ...line('b', size.document - 100_000, 0),
    ...line('c', 100, 5),
  ]);
  const most = `${Math.ceil(size.document / 1e6) + 50}MB`;
  expect(dedup('document.jsonl', '--max-document', most)).toMatchObject({
    documents: 3,
    kept: 2,
    near: 1,
    rejected: 0,
  });
  expect(dedup('document.jsonl', '--max-document', '1MB')).toMatchObject({ documents: 1, kept: 1, rejected: 2 });
});

test('one text file of hundreds of megabytes', { timeout: MINUTES * 60_000 }, () => {
  write('document.txt', words(size.document, 0));
  const most = `${Math.ceil(size.document / 1e6) + 50}MB`;
  expect(dedup('document.txt', '--max-document', most)).toMatchObject({ documents: 1, kept: 1 });
});

test('one line of tens of megabytes without a word', { timeout: MINUTES * 60_000 }, () => {
  write('line.jsonl', [
    '{"id":"a","text":"',
    '.'.repeat(size.line),
    '"}\n',
    '{"id":"b","text":"',
    '.'.repeat(size.line),
    '"}',
  ]);
  expect(dedup('line.jsonl', '--max-document', '100MB')).toMatchObject({ documents: 2, kept: 1, exact: 1 });
});

function* batches(count: number, lineOf: (i: number) => string): Generator<string> {
  for (let start = 0; start < count; start += 10_000)
    yield Array.from({ length: Math.min(10_000, count - start) }, (_, i) => lineOf(start + i)).join('');
}

test('nothing but copies of one document', { timeout: 2 * MINUTES * 60_000 }, () => {
  const text = 'the same words again and again in every line of a file';
  write(
    'copies.jsonl',
    batches(size.copies, i => `{"id":"${i}","text":"${text}"}\n`),
  );
  const expected = { documents: size.copies, kept: 1, exact: size.copies - 1, clusters: 1 };
  expect(dedup('copies.jsonl')).toMatchObject(expected);
  const { status, stdout } = call('clusters', at('copies.jsonl'), '-o', at('clusters.jsonl'), '--json', '--quiet');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ documents: size.copies, clusters: 1, clustered: size.copies });
  const pairs = call('pairs', at('copies.jsonl'), '-o', at('pairs.jsonl'), '--max-pairs', '100000');
  expect([pairs.status, pairs.stderr]).toEqual([3, expect.stringContaining('stopped after 100,000 pairs')]);
});

test('nothing but near-copies of one document', { timeout: 2 * MINUTES * 60_000 }, () => {
  const text = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
  const count = size.copies / 20;
  write(
    'near.jsonl',
    batches(count, i => `{"id":"${i}","text":"${text} n${i}"}\n`),
  );
  expect(dedup('near.jsonl')).toMatchObject({ documents: count, kept: 1, near: count - 1, clusters: 1 });
  expect(dedup('near.jsonl', '--cluster', 'connected')).toMatchObject({ documents: count, kept: 1, near: count - 1 });
});

test('nothing but lines without a text, or without anything', { timeout: MINUTES * 60_000 }, () => {
  write(
    'empty.jsonl',
    batches(size.empty, i => `{"id":"${i}","text":""}\n`),
  );
  expect(dedup('empty.jsonl')).toMatchObject({ documents: size.empty, kept: 1, exact: size.empty - 1 });
  write(
    'blank.jsonl',
    batches(size.empty * 8, () => ' \n'),
  );
  const { status, stderr } = call('dedup', at('blank.jsonl'), '-o', at('out.jsonl'));
  expect([status, stderr]).toEqual([0, expect.stringContaining('there is no document in the input')]);
});
