import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WrittenNumber } from '../encode-json.ts';
import { expandInputs } from '../inputs.ts';
import { type DocumentItem, isDamage, isReject, type ReadOptions } from '../item.ts';
import { readDocuments } from '../read.ts';
import { openWriter } from '../write.ts';
import { copyParquetRows } from './copy-rows.ts';
import { openDuckDb, quoteText } from './duckdb.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neardup-parquet-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function query(sql: string) {
  const duckdb = await openDuckDb();
  try {
    return await (await duckdb.connection.run(sql)).getRowsJson();
  } finally {
    duckdb.close();
  }
}

async function make(name: string, sql: string): Promise<string> {
  await query(`COPY (${sql}) TO ${quoteText(join(folder, name))} (FORMAT parquet)`);
  return join(folder, name);
}

async function read(path: string, options: Partial<ReadOptions> = {}) {
  const items: DocumentItem[] = [];
  const rejects: string[] = [];
  const damages: string[] = [];
  const files = await expandInputs([path]);
  for await (const item of readDocuments(files, {
    textField: 'text',
    idField: 'id',
    html: 'auto',
    damaged: 'skip',
    ...options,
  })) {
    if (isReject(item)) rejects.push(`${item.reject.line}: ${item.reject.reason}`);
    else if (isDamage(item)) damages.push(`${item.damage.line}: ${item.damage.reason}`);
    else items.push(item);
  }
  return { items, rejects, damages };
}

const EVERY_TYPE = `SELECT 9007199254740993 + i AS id, 'text ' || i AS text, [i, i + 1] AS list, {'a': i, 'b': ['x']} AS struct,
  DATE '2024-01-31' AS day, TIMESTAMP '2024-01-31 01:02:03.123456' AS moment, 1.25::DECIMAL(9, 2) AS price,
  true AS flag, NULL::INTEGER AS nothing FROM range(5000) rows(i)`;

test('reads rows with their values, nested ones and all digits of large numbers', async () => {
  const { items, rejects } = await read(await make('every type [1].parquet', EVERY_TYPE));
  expect(rejects).toEqual([]);
  expect(items).toHaveLength(5000);
  expect(items[1]).toMatchObject({
    source: { line: 2 },
    document: { id: '9007199254740994', text: 'text 1', price: '1.25' },
    record: {
      id: 9007199254740994n,
      list: [1n, 2n],
      struct: { a: 1n, b: ['x'] },
      day: '2024-01-31',
      moment: '2024-01-31 01:02:03.123456',
      price: new WrittenNumber('1.25'),
      flag: true,
      nothing: null,
    },
  });
});

test('names rows that are no documents, and says once when the column is missing', async () => {
  const path = await make('nulls.parquet', "SELECT * FROM (VALUES (1, 'x'), (2, NULL), (NULL, 'yyyy')) rows(id, text)");
  const { items, rejects } = await read(path, { maxDocument: 3 });
  expect(items.map(item => item.document.id)).toEqual(['1']);
  expect(rejects).toEqual(['2: text missing', '3: too large: over 3 bytes']);
  expect((await read(path)).items[1]?.document.id).toBe(`${path}:3`);
  expect((await read(path, { textField: 'body' })).rejects).toEqual([
    '1: text missing: no column "body" among id, text',
  ]);
});

test('says that a file is not Parquet', async () => {
  await writeFile(join(folder, 'bad.parquet'), 'this is no parquet file at all');
  expect((await read(join(folder, 'bad.parquet'))).damages).toEqual([
    expect.stringMatching(/^1: not a Parquet file: /),
  ]);
});

test('says what to install when the package is not there', async () => {
  const load = () => Promise.reject(new Error('not found'));
  await expect(openDuckDb(load)).rejects.toThrow(
    'Parquet needs the package @duckdb/node-api: npm install @duckdb/node-api',
  );
});

test('copies the kept rows of several files with their columns, types and order', async () => {
  const [a, b] = [await make("it's a.parquet", EVERY_TYPE), await make('b.parquet', EVERY_TYPE)];
  const out = join(folder, 'out.parquet');
  const rows = Array.from({ length: 2500 }, (_, index) => index * 2 + 1);
  await copyParquetRows(
    [
      { file: a, rows },
      { file: b, rows: [5000, 2] },
    ],
    out,
  );
  expect(await query(`DESCRIBE FROM ${quoteText(out)}`)).toEqual(await query(`DESCRIBE FROM ${quoteText(a)}`));
  const { items } = await read(out);
  const numbers = items.map(item => Number(item.document.text?.slice(5)) + 1);
  expect(numbers).toEqual([...rows, 2, 5000]);
});

test('adds fields to the rows it copies', async () => {
  const a = await make('marked.parquet', EVERY_TYPE);
  const out = join(folder, 'marks.parquet');
  const added = [1, 2, 3].map(size => ({ neardup: { cluster: `c${size}`, size, keep: size > 1 } }));
  await copyParquetRows([{ file: a, rows: [1, 3, 4000] }], out, added);
  const { items } = await read(out);
  expect(items.map(item => [item.document.text, (item.record as { neardup?: unknown }).neardup])).toEqual([
    ['text 0', { cluster: 'c1', size: 1n, keep: false }],
    ['text 2', { cluster: 'c2', size: 2n, keep: true }],
    ['text 3999', { cluster: 'c3', size: 3n, keep: true }],
  ]);
});

test('copies no row when none is kept', async () => {
  const out = join(folder, 'none.parquet');
  await copyParquetRows([{ file: await make('all.parquet', EVERY_TYPE), rows: [] }], out);
  expect((await read(out)).items).toEqual([]);
});

test('writes records of any shape, with strings that look like dates as strings', async () => {
  const path = join(folder, 'written.parquet');
  const writer = await openWriter(path, 'parquet');
  await writer.write({
    record: { id: '1', text: 'one', day: '2024-01-31', n: 1, list: [1, 2], mixed: 'x', big: 2n ** 60n },
  });
  await writer.write({ record: { id: '2', text: 'two', n: 1.5, deep: { a: [{ b: null }] }, mixed: { y: 1 } } });
  await writer.close();
  const { items } = await read(path);
  expect(items.map(item => item.record)).toEqual([
    { id: '1', text: 'one', day: '2024-01-31', n: 1, list: [1n, 2n], mixed: '"x"', big: 2n ** 60n, deep: null },
    { id: '2', text: 'two', day: null, n: 1.5, list: null, mixed: '{"y":1}', big: null, deep: { a: [{ b: null }] } },
  ]);
});

test('writes each number in a type that holds it, and as text where none does', async () => {
  const written = {
    whole: ['1790000000000000001', '-5', '0'],
    unsigned: ['18446744073709551615', '7', '0'],
    long: ['12345678901234567890123456789012345678', '-1', '3'],
    score: ['1.0', '0.5', '100'],
    huge: ['1e400', '1', '2.5'],
    precise: ['0.1000000000000000055', '1.10', '2'],
    mixed: ['1790000000000000001', '0.5', '"x"'],
    longest: ['123456789012345678901234567890123456789', '1', 'null'],
    zero: ['-0.0', '0', '1e2'],
    minus: ['-0', '0', '1'],
    list: ['[1,1790000000000000001]', '[1e400]', '[]'],
    struct: ['{"a":1.10,"b":1e400}', '{"a":1,"b":{"c":1.10}}', '{"a":0.5}'],
  };
  const lines = [0, 1, 2].map(row => {
    const fields = Object.entries(written).map(([name, texts]) => `"${name}":${texts[row]}`);
    return `{"id":"${row}","text":"t",${fields.join(',')}}`;
  });
  await writeFile(join(folder, 'numbers.jsonl'), lines.join('\n'));
  const path = join(folder, 'numbers.parquet');
  const writer = await openWriter(path, 'parquet');
  for (const item of (await read(join(folder, 'numbers.jsonl'))).items) await writer.write(item);
  await writer.close();
  const columns = await query(`SELECT column_name, column_type FROM (DESCRIBE FROM ${quoteText(path)})`);
  expect(Object.fromEntries(columns)).toMatchObject({
    whole: 'BIGINT',
    unsigned: 'UBIGINT',
    long: 'DECIMAL(38,0)',
    score: 'DOUBLE',
    huge: 'JSON',
    precise: 'JSON',
    mixed: 'JSON',
    longest: 'JSON',
    zero: 'DOUBLE',
    minus: 'JSON',
    list: 'JSON[]',
    struct: 'STRUCT(a DOUBLE, b JSON)',
  });
  const { items } = await read(path);
  const column = (name: string) => items.map(item => item.record[name]);
  expect(column('whole')).toEqual([1790000000000000001n, -5n, 0n]);
  expect(column('unsigned')).toEqual([18446744073709551615n, 7n, 0n]);
  expect(column('long')).toEqual(written.long.map(text => new WrittenNumber(text)));
  expect(column('score')).toEqual([1, 0.5, 100]);
  expect(column('huge')).toEqual(written.huge);
  expect(column('precise')).toEqual(written.precise);
  expect(column('mixed')).toEqual(written.mixed);
  expect(column('longest')).toEqual([written.longest[0], '1', null]);
  expect(column('zero')).toEqual([-0, 0, 100]);
  expect(column('minus')).toEqual(written.minus);
  expect(column('list')).toEqual([['1', '1790000000000000001'], ['1e400'], []]);
  expect(column('struct')).toEqual([
    { a: 1.1, b: '1e400' },
    { a: 1, b: '{"c":1.10}' },
    { a: 0.5, b: null },
  ]);
  expect(Object.keys(items[0]!.record)).toEqual(['id', 'text', ...Object.keys(written)]);
});

test('writes decimals as numbers, with the digits they have', async () => {
  const path = await make(
    'decimals.parquet',
    "SELECT 'a' AS id, 'x' AS text, -0.05::DECIMAL(9, 2) AS small, 12345678901234567890.10::DECIMAL(38, 2) AS large, [1.50::DECIMAL(5, 2)] AS list",
  );
  const out = join(folder, 'decimals.jsonl');
  const writer = await openWriter(out, 'jsonl');
  for (const item of (await read(path)).items) await writer.write(item);
  await writer.close();
  expect(await readFile(out, 'utf8')).toBe(
    '{"id":"a","text":"x","small":-0.05,"large":12345678901234567890.10,"list":[1.50]}\n',
  );
});

test('gives columns of CSV a type where the text of every cell comes back, and no other', async () => {
  const columns: Record<string, string[]> = {
    whole: ['1', '', '-5', '9223372036854775807'],
    number: ['1.5', '2', '-0.25', '1234567.125'],
    flag: ['true', 'false', '', 'true'],
    day: ['2024-02-29', '0001-01-01', '9999-12-31', ''],
    moment: ['2024-01-31 01:02:03', '2024-01-31 23:59:59.5', '1969-12-31 00:00:00.000001', ''],
    zeros: ['007', '1', '2', '3'],
    decimals: ['1.0', '2.5', '3.25', '4'],
    exponent: ['1e5', '2', '3', '4'],
    plus: ['+1', '2', '3', '4'],
    minus: ['-0', '2', '3', '4'],
    large: ['9223372036854775808', '1', '2', '3'],
    precise: ['0.1000000000000000055', '1', '2', '3'],
    space: [' 1', '2', '3', '4'],
    yes: ['TRUE', 'false', 'true', ''],
    noDay: ['2023-02-29', '2024-01-01', '', ''],
    noMoment: ['2024-01-01T00:00:00', '2024-01-01 00:00:00', '', ''],
    mixedDays: ['2024-01-01', '2024-01-01 00:00:00', '', ''],
    tenths: ['2024-01-01 00:00:00.50', '', '', ''],
    empty: ['', '', '', ''],
    words: ['a', '1', 'null', '"quoted", with comma'],
  };
  const names = Object.keys(columns);
  const cell = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = [0, 1, 2, 3].map(row => [String(row), String(row * 10), ...names.map(name => columns[name]![row]!)]);
  const csv = [['id', 'text', ...names], ...rows].map(cells => `${cells.map(cell).join(',')}\n`).join('');
  await writeFile(join(folder, 'cells.csv'), csv);
  const path = join(folder, 'cells.parquet');
  const writer = await openWriter(path, 'parquet', { strings: ['id', 'text'] });
  for (const item of (await read(join(folder, 'cells.csv'))).items) await writer.write(item);
  await writer.close();
  const types = await query(`SELECT column_name, column_type FROM (DESCRIBE FROM ${quoteText(path)})`);
  expect(types.filter(([, type]) => type !== 'VARCHAR')).toEqual([
    ['whole', 'BIGINT'],
    ['number', 'DOUBLE'],
    ['flag', 'BOOLEAN'],
    ['day', 'DATE'],
    ['moment', 'TIMESTAMP'],
  ]);
  const back = await openWriter(join(folder, 'back.csv'), 'csv');
  for (const item of (await read(path)).items) await back.write(item);
  await back.close();
  expect(await readFile(join(folder, 'back.csv'), 'utf8')).toBe(csv);
});

test('keeps cells of CSV beside values of JSON lines as text', async () => {
  const path = join(folder, 'both.parquet');
  await writeFile(join(folder, 'both.csv'), 'id,text,n,s\na,x,1,2\n');
  await writeFile(join(folder, 'both.jsonl'), '{"id":"b","text":"y","n":1.0,"s":"z"}\n');
  const writer = await openWriter(path, 'parquet', { strings: ['id', 'text'] });
  for (const name of ['both.csv', 'both.jsonl'])
    for (const item of (await read(join(folder, name))).items) await writer.write(item, { mark: { size: 2 } });
  await writer.close();
  expect((await read(path)).items.map(({ record }) => record)).toEqual([
    { id: 'a', text: 'x', n: '"1"', s: '2', mark: { size: 2n } },
    { id: 'b', text: 'y', n: '1.0', s: 'z', mark: { size: 2n } },
  ]);
});
