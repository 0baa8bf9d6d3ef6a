/** Ids never cost a document: whatever an id is, in any format, in memory and on threads, every document takes part. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DocumentItem } from '../src/formats/item.ts';
import { openWriter } from '../src/formats/write.ts';
import { call } from './support/call.ts';
import { temporaryFolder } from './support/folder.ts';
import { type RunSetting, runRequest } from './support/run-request.ts';

// As built: worker threads cannot run TypeScript.
type Files = typeof import('../src/engine/choose-engine.ts');
const built = '../dist/engine/choose-engine.js';
const { decideFiles, findPairsOfFiles }: Files = await import(built);

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const put = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const lines = (...records: object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('');
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

/** No two of them alike. */
const textOf = (n: number) => Array.from({ length: 12 }, (_, i) => `w${n}x${i}`).join(' ');

const engines = [
  ['in memory', Number.POSITIVE_INFINITY],
  ['on threads', 0],
] as const;

function requestOf(inputs: readonly string[], threadsFrom: number, setting: RunSetting = {}) {
  return runRequest(inputs, { ...setting, threadsFrom });
}

/** The names of all documents, of those that stay, and of those that go with what is kept for them. */
async function decided(inputs: readonly string[], threadsFrom: number, more: RunSetting = {}) {
  const run = await decideFiles(await requestOf(inputs, threadsFrom, more));
  const names = Array.from(run.keptBy, (_, item) => run.idOf(item));
  const told = {
    names,
    removed: [...run.removed].map(({ id, keptId }) => [id, keptId]),
    members: [...run.clusters].map(({ members }) => members),
    rejects: [...run.read.rejects],
    repeatedIds: run.read.repeatedIds,
  };
  run.release(true);
  return told;
}

test('a file that is named again is read again, under a name of its own', async () => {
  const ids = put('a.jsonl', lines({ id: 'x', text: textOf(1) }, { text: textOf(2) }));
  const parquet = join(folder, 'p.parquet');
  const writer = await openWriter(parquet, 'parquet');
  await writer.write({ record: { id: 'p', text: textOf(3) } } as unknown as DocumentItem);
  await writer.close();
  const text = put('one.txt', textOf(4));
  for (const [file, kept] of [
    [ids, ['x', `${ids}:2`]],
    [parquet, ['p']],
    [text, [text]],
  ] as const) {
    const { code } = await call('dedup', file, file, file, '-o', `${file}.out`, '--removed', `${file}.removed`);
    expect(code).toBe(0);
    const names = linesOf(`${file}.removed`).map(line => JSON.parse(line) as { id: string; keptId: string });
    const isOneDocument = file === text;
    expect(names.map(({ id }) => id)).toEqual(
      [2, 3].flatMap(time => kept.map((_, i) => `${file}#${time}${isOneDocument ? '' : `:${i + 1}`}`)),
    );
    expect(names.map(({ keptId }) => keptId)).toEqual([...kept, ...kept]);
  }
  expect(readFileSync(`${ids}.out`, 'utf8')).toBe(readFileSync(ids, 'utf8'));
});

describe.each(engines)('%s', (_, threadsFrom) => {
  test('shards whose ids restart lose nothing', async () => {
    const shard = (from: number) => lines(...Array.from({ length: 100 }, (_, id) => ({ id, text: textOf(from + id) })));
    const [a, b] = [put('a.jsonl', shard(0)), put('b.jsonl', shard(100))];
    const { names, removed, rejects, repeatedIds } = await decided([a, b], threadsFrom);
    expect({ removed, rejects, repeatedIds }).toEqual({ removed: [], rejects: [], repeatedIds: 100 });
    expect(names.slice(98, 103)).toEqual(['98', '99', `${b}:1`, `${b}:2`, `${b}:3`]);
  });

  test('a missing, null or empty id, or one that is no name, is the location; a repeated one too', async () => {
    const odd: unknown[] = [undefined, null, '', {}, [1], true, 'x', 'x', 7, '7'];
    const file = put(
      'odd.jsonl',
      lines(...odd.map((id, n) => ({ id, text: textOf(n) })), { id: 'y', text: textOf(7) }),
    );
    const { names, removed, members, rejects, repeatedIds } = await decided([file], threadsFrom);
    const at = (line: number) => `${file}:${line}`;
    expect(names).toEqual([at(1), at(2), at(3), at(4), at(5), at(6), 'x', at(8), '7', at(10), 'y']);
    expect({ removed, members, rejects, repeatedIds }).toEqual({
      removed: [['y', at(8)]],
      members: [[at(8), 'y']],
      rejects: [],
      repeatedIds: 2,
    });
    const pairs = await findPairsOfFiles(await requestOf([file], threadsFrom), { exact: false, maxPairs: 100 });
    expect([...pairs.pairs]).toMatchObject([{ a: at(8), b: 'y' }]);
    pairs.release(true);
  });

  test('tables, arrays and one-document files name documents the same way', async () => {
    const csv = put('t.csv', `id,text\n1,${textOf(1)}\n,${textOf(2)}\n1,${textOf(3)}\n`);
    const array = put(
      'a.json',
      JSON.stringify([
        { id: null, text: textOf(4) },
        { id: 1, text: textOf(5) },
      ]),
    );
    const parquet = join(folder, 'p.parquet');
    const writer = await openWriter(parquet, 'parquet');
    for (const [n, id] of ['p', null, '', 'p'].entries())
      await writer.write({ record: { id, text: textOf(6 + n) } } as unknown as DocumentItem);
    await writer.close();
    const text = put('one.txt', textOf(20));
    const { names, removed, repeatedIds } = await decided([csv, array, parquet, text, text], threadsFrom);
    const ofParquet = ['p', `${parquet}:2`, `${parquet}:3`, `${parquet}:4`];
    expect(names).toEqual([
      '1',
      `${csv}:2`.replace(':2', ':3'),
      `${csv}:4`,
      `${array}:1`,
      `${array}:2`,
      ...ofParquet,
      text,
      text,
    ]);
    expect({ removed, repeatedIds }).toEqual({ removed: [[text, text]], repeatedIds: 3 });
  });

  test('a page that was crawled again is a document of its own', async () => {
    const file = put('crawl.warc', [1, 2, 3].map(n => warcRecord(n === 2 ? 'b' : 'a', textOf(n))).join(''));
    const { names } = await decided([file], threadsFrom);
    expect(names).toEqual(['http://example.org/a', 'http://example.org/b', `${file}:3`]);
  });

  test('fields may be nested, and a field of that very name comes first', async () => {
    const file = put(
      'nested.jsonl',
      lines(
        { meta: { id: 'a', text: textOf(1), lang: 'en', rank: 1 } },
        { meta: { id: 'b', text: textOf(1), lang: 'de', rank: 2 } },
        { meta: { id: 'c', text: textOf(1), lang: 'en', rank: 3 }, 'meta.id': 'd' },
        { meta: { text: textOf(1), lang: null }, 'meta.rank': 9 },
        { meta: { id: 'e', text: textOf(1), rank: 8 } },
        { meta: null },
      ),
    );
    const reading = { textField: 'meta.text', idField: 'meta.id', html: 'auto' as const };
    const given = { by: 'meta.lang', keep: 'max:meta.rank' } as const;
    const { names, removed, rejects } = await decided([file], threadsFrom, { reading, given });
    expect(names).toEqual(['a', 'b', 'd', `${file}:4`, 'e']);
    expect(removed).toEqual([
      ['a', 'd'],
      ['e', `${file}:4`],
    ]);
    expect(rejects).toEqual([{ file, line: 6, reason: 'text missing (field "meta.text")' }]);
  });

  test('groups are equal for equal objects, whatever the order of their members', async () => {
    const groups = ['{"a":1,"b":[2,{"c":3,"d":null}]}', '{"b":[2,{"d":null,"c":3}],"a":1}', '{"a":1,"b":[2]}', 'null'];
    const file = put(
      'by.jsonl',
      groups.map((by, id) => `{"id":${id},"text":"${textOf(1)}","by":${by}}\n`).join('') +
        lines({ id: 4, text: textOf(1) }),
    );
    const { removed } = await decided([file], threadsFrom, { given: { by: 'by' } });
    expect(removed).toEqual([
      ['1', '0'],
      ['4', '3'],
    ]);
  });

  test.each([
    ['longest', ['a', 'b', 'a'], ['a', 'b', 'c'], '1'],
    ['shortest', ['a', 'b', 'c'], ['a', 'b', 'a', 'b'], '1'],
    ['longest', ['1', 1, 'b'], ['1', 'b', 'c'], '1'],
  ] as const)('--keep %s of sets counts distinct elements: %j, %j', async (keep, first, second, winner) => {
    const file = put('sets.jsonl', lines({ id: 0, tags: first }, { id: 1, tags: second }));
    const reading = { textField: 'text', idField: 'id', setField: 'tags', html: 'auto' as const };
    const { removed } = await decided([file], threadsFrom, { reading, given: { keep, threshold: 0.5 } });
    expect(removed).toEqual([[winner === '1' ? '0' : '1', winner]]);
  });

  test.each([
    ['min:v', ['\u{1f600}', '\uff5e'], '1'],
    ['max:v', ['1790000000000000000', '1790000000000000001'], '1'],
    ['max:v', [true, '0.5'], '0'],
    ['max:v', ['12', 9], '0'],
  ] as const)('--keep %s of %j is decided by number, then by code point', async (keep, [a, b], winner) => {
    const file = put('keep.jsonl', lines({ id: 0, text: textOf(1), v: a }, { id: 1, text: textOf(1), v: b }));
    const { removed } = await decided([file], threadsFrom, { given: { keep } });
    expect(removed).toEqual([[winner === '1' ? '0' : '1', winner]]);
  });
});

describe.each(engines)('large integers %s', (_, threadsFrom) => {
  const [low, high] = ['1790000000000000001', '1790000000000000002'];
  const line = (id: number, value: string) => `{"id":${id},"text":"${textOf(1)}","meta":{"n":${value}}}\n`;

  test('are different groups for --by, and compare by all their digits for --keep', async () => {
    const file = put('large.jsonl', line(0, low) + line(1, high) + line(2, low));
    const by = await decided([file], threadsFrom, { given: { by: 'meta.n' } });
    expect(by.removed).toEqual([['2', '0']]);
    const keep = await decided([file], threadsFrom, { given: { keep: 'max:meta.n' } });
    expect(keep.removed).toEqual([
      ['0', '1'],
      ['2', '1'],
    ]);
    const array = put('large.json', `[${(line(0, low) + line(1, high)).trim().replace('\n', ',')}]`);
    expect((await decided([array], threadsFrom, { given: { by: 'meta.n' } })).removed).toEqual([]);
  });
});

function warcRecord(page: string, text: string): string {
  const head = `WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://example.org/${page}\r\n`;
  return `${head}Content-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}\r\n\r\n`;
}

test('dedup writes every document of shards whose ids restart, as they came, and counts the ids', async () => {
  const shard = (from: number) => lines(...Array.from({ length: 100 }, (_, id) => ({ id, text: textOf(from + id) })));
  const [a, b, out] = [put('a.jsonl', shard(0)), put('b.jsonl', shard(100)), join(folder, 'out.jsonl')];
  const { code, stdout } = await call('dedup', a, b, '-o', out, '--json', '--quiet');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { documents: 200, kept: 200, rejected: 0, repeatedIds: 100 }]);
  expect(readFileSync(out, 'utf8')).toBe(readFileSync(a, 'utf8') + readFileSync(b, 'utf8'));
  for (const name of ['out.csv', 'out.parquet', 'out.json']) {
    expect((await call('dedup', a, b, '-o', join(folder, name), '--quiet')).code).toBe(0);
    const again = await call('dedup', join(folder, name), '-o', out, '--json', '--quiet');
    expect(JSON.parse(again.stdout)).toMatchObject({ documents: 200, kept: 200, repeatedIds: 100 });
  }
  await call('dedup', a, b, '--mark', '-o', out, '--quiet');
  expect(JSON.parse(linesOf(out)[100]!)).toMatchObject({ id: 0, neardup: { cluster: `${b}:1`, keep: true } });
});

test('other commands name documents the same way', async () => {
  const file = put(
    'twice.jsonl',
    lines({ id: 1, text: textOf(1) }, { id: 1, text: textOf(2) }, { id: null, text: textOf(3) }),
  );
  const { stdout } = await call('checksum', file, '--json');
  const ids = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).id);
  expect(ids).toEqual(['1', `${file}:2`, `${file}:3`]);
});
