import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../../test/support/folder.ts';
import { query } from '../../../test/support/query.ts';
import { expandInputs } from '../find/inputs.ts';
import { type DocumentItem, isDamage, isReject, type ReadOptions } from '../item.ts';
import { Written } from '../json/encode-json.ts';
import { readDocuments } from '../read.ts';
import { openWriter } from '../write.ts';
import { copyParquetRows } from './copy-rows.ts';
import { openDuckDb, quoteText } from './duckdb.ts';
import { nameOf, readFooter, type SchemaNode, withColumns, writeFooter } from './footer.ts';
import type { Struct, Value } from './thrift.ts';

const folder = sharedFolder();

async function make(name: string, sql: string, options = ''): Promise<string> {
  await query(`COPY (${sql}) TO ${quoteText(join(folder, name))} (FORMAT parquet${options})`);
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
    document: { id: '9007199254740994', text: 'text 1', price: 1.25 },
    record: {
      id: 9007199254740994n,
      list: [1n, 2n],
      struct: { a: 1n, b: ['x'] },
      day: '2024-01-31',
      moment: '2024-01-31 01:02:03.123456',
      price: new Written('1.25', 1.25),
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
    { id: '1', text: 'one', day: '2024-01-31', n: 1, list: [1n, 2n], mixed: 'x', big: 2n ** 60n, deep: null },
    {
      id: '2',
      text: 'two',
      day: null,
      n: 1.5,
      list: null,
      mixed: new Written('{"y":1}', { y: 1 }),
      big: null,
      deep: { a: [{ b: null }] },
    },
  ]);
});

/** What `write` wrote to a Parquet file, read from there and written as JSON lines. */
async function backAsLines(path: string): Promise<string> {
  const out = join(folder, 'back.jsonl');
  const writer = await openWriter(out, 'jsonl');
  for (const item of (await read(path)).items) await writer.write(item);
  await writer.close();
  return readFile(out, 'utf8');
}

test('writes each number in a type that holds it, and as JSON where none does, and reads all of them back', async () => {
  /** Name: SQL type, numbers of three rows, and how they come back where that is not how they were written. */
  const written: Record<string, [string, string[], string[]?]> = {
    whole: ['BIGINT', ['1790000000000000001', '-5', '0']],
    unsigned: ['UBIGINT', ['18446744073709551615', '7', '0']],
    long: ['DECIMAL(38,0)', ['12345678901234567890123456789012345678', '-1', '3']],
    python: ['DOUBLE', ['1.0', '1e-05', '1e+16']],
    javascript: ['DOUBLE', ['1', '0.5', '1e+21']],
    small: ['DOUBLE', ['0.00001', '2', '0.5']],
    score: ['DOUBLE', ['1.0', '0.5', '100'], ['1.0', '0.5', '100.0']],
    huge: ['JSON', ['1e400', '1', '2.5']],
    precise: ['JSON', ['0.1000000000000000055', '1.10', '2']],
    mixed: ['JSON', ['1790000000000000001', '0.5', '"x"']],
    longest: ['JSON', ['123456789012345678901234567890123456789', '1', 'null']],
    zero: ['DOUBLE', ['-0.0', '0.0', '0.5']],
    minus: ['JSON', ['-0', '0', '1']],
    list: ['JSON[]', ['[1,1790000000000000001]', '[1e400]', '[]']],
    lists: ['DOUBLE[]', ['[1,0.5]', '[]', 'null']],
    struct: ['STRUCT(a DOUBLE, b JSON)', ['{"a":1.0,"b":1e400}', '{"a":1.5,"b":{"c":1.10}}', '{"a":0.5,"b":null}']],
    both: ['STRUCT(a DOUBLE, b DOUBLE)', ['{"a":1.0,"b":1}', '{"a":0.5,"b":2.5}', 'null'], ['{"a":1.0,"b":1.0}']],
  };
  const names = Object.keys(written);
  const lines = (numbersOf: (name: string, row: number) => string) =>
    [0, 1, 2].map(row => {
      const fields = names.map(name => `"${name}":${numbersOf(name, row)}`);
      return `{"id":"${row}","text":"t",${fields.join(',')}}\n`;
    });
  await writeFile(join(folder, 'numbers.jsonl'), lines((name, row) => written[name]![1][row]!).join(''));
  const path = join(folder, 'numbers.parquet');
  const writer = await openWriter(path, 'parquet');
  for (const item of (await read(join(folder, 'numbers.jsonl'))).items) await writer.write(item);
  await writer.close();
  const columns = await query(`SELECT column_name, column_type FROM (DESCRIBE FROM ${quoteText(path)})`);
  expect(columns.slice(2)).toEqual(names.map(name => [name, written[name]![0]]));
  const back = lines((name, row) => written[name]![2]?.[row] ?? written[name]![1][row]!);
  expect(await backAsLines(path)).toBe(back.join(''));
  expect(writer.lost).toEqual(
    ['score', 'both'].map(name => expect.stringMatching(`^column "${name}": doubles keep the numbers, but not`)),
  );
  await copyParquetRows([{ file: path, rows: [1, 2, 3] }], join(folder, 'copied.parquet'));
  expect(await backAsLines(join(folder, 'copied.parquet'))).toBe(back.join(''));
});

const fixture = (name: string) => fileURLToPath(new URL(`../../../test/fixtures/${name}`, import.meta.url));

/** Both made by pyarrow 26 from the same values: the types of Arrow, at the ends of their ranges, nested ones too. */
test('reads every value of Arrow as it is', async () => {
  expect(await backAsLines(fixture('values.parquet'))).toBe(await readFile(fixture('values.jsonl'), 'utf8'));
});

test('reads the nanoseconds of old timestamps of 96 bits', async () => {
  const { items } = await read(fixture('int96.parquet'));
  expect(items.map(({ record }) => record.at)).toEqual([
    '2023-11-14 22:13:20.123456789',
    '1916-02-18 01:46:39.876543211',
    null,
  ]);
});

test('reads the nanoseconds of each row, where there are many pages and groups of rows', async () => {
  const path = await make(
    'many.parquet',
    `SELECT i AS id, 'text ' || i AS text, make_timestamp_ns(1700000000000000000 + i * 1000000007)::TIMESTAMP_NS AS at,
     [i * 0.5, NULL] AS halves FROM range(30000) rows(i)`,
    ', ROW_GROUP_SIZE 2048',
  );
  const footer = await readFooter(path);
  const columns = footer.columns.map(node => (nameOf(node) === 'at' ? inUtc(node) : node));
  await writeFooter(path, withColumns(footer, columns), footer.start);
  const { items } = await read(path);
  expect(items).toHaveLength(30_000);
  for (const [row, { record }] of items.entries()) {
    const nanoseconds = 1700000000000000000n + BigInt(row) * 1000000007n;
    const [second, fraction] = [nanoseconds / 1_000_000_000n, nanoseconds % 1_000_000_000n];
    const text = new Date(Number(second) * 1000).toISOString().slice(0, 19).replace('T', ' ');
    const digits = String(fraction).padStart(9, '0').replace(/0+$/, '');
    if (record.at !== `${text}${digits && `.${digits}`}+00`) expect(record.at).toBe(`${text}.${digits}+00`);
  }
});

/** The same nanoseconds, said to be in UTC: field 1 of the type (8, a timestamp) is true. */
function inUtc({ element, children }: SchemaNode): SchemaNode {
  const logical = element.get(10) as { fields: Struct };
  const type = new Map((logical.fields.get(8) as { fields: Struct }).fields).set(1, { type: 'boolean', value: true });
  const fields: Struct = new Map([[8, { type: 'struct', fields: type }]]);
  return { element: new Map(element).set(10, { type: 'struct', fields }), children };
}

test('takes bytes for a text, and numbers for ids as they are written', async () => {
  const path = await make(
    'bytes.parquet',
    "SELECT * FROM (VALUES (1::DOUBLE, encode('Grüße'), '\\x5Cx00'::BLOB), (2.5, encode('b'), '\\x00'::BLOB)) rows(id, text, raw)",
  );
  const { items } = await read(path);
  expect(items.map(({ document }) => [document.id, document.text])).toEqual([
    ['1.0', 'Grüße'],
    ['2.5', 'b'],
  ]);
  expect(items.map(({ record }) => record.raw)).toEqual(['\\x5Cx00', '\\x00']);
});

/** Changes what the footer of a file says of a column. */
async function redescribe(path: string, column: string, field: number, value: Value): Promise<void> {
  const footer = await readFooter(path);
  const columns = footer.columns.map(node =>
    nameOf(node) === column ? { ...node, element: new Map(node.element).set(field, value) } : node,
  );
  await writeFooter(path, withColumns(footer, columns), footer.start);
}

test('takes what is not JSON, in a column that says so, for a string, and copies it as it is', async () => {
  const path = await make(
    'not-json.parquet',
    `SELECT * FROM (VALUES ('a', 'x', '{"n":1.10}'), ('b', 'y', '{broken'), ('c', 'z', '')) rows(id, text, data)`,
  );
  const json: Struct = new Map([[12, { type: 'struct', fields: new Map() }]]);
  await redescribe(path, 'data', 6, { type: 'i32', value: 19n });
  await redescribe(path, 'data', 10, { type: 'struct', fields: json });
  const written =
    '{"id":"a","text":"x","data":{"n":1.10}}\n{"id":"b","text":"y","data":"{broken"}\n{"id":"c","text":"z","data":""}\n';
  expect(await backAsLines(path)).toBe(written);
  const copy = join(folder, 'not-json-copy.parquet');
  await copyParquetRows([{ file: path, rows: [1, 2, 3] }], copy);
  expect(await backAsLines(copy)).toBe(written);
  expect(await query(`SELECT logical_type FROM parquet_schema(${quoteText(copy)}) WHERE name = 'data'`)).toEqual([
    ['JsonType()'],
  ]);
});

test('names the column that a file has twice, and reads nothing of it', async () => {
  const path = await make('twice.parquet', "SELECT 'a' AS id, 'x' AS text, 1 AS n, 2 AS other");
  await redescribe(path, 'other', 4, { type: 'binary', value: Buffer.from('n') });
  const { items, damages } = await read(path);
  expect(items).toEqual([]);
  expect(damages).toEqual(['1: two columns are named "n", and a document has one field of a name']);
});

test('keeps names that differ in case alone', async () => {
  const path = await make('case.parquet', "SELECT 'a' AS id, 'x' AS text, 1 AS other");
  const footer = await readFooter(path);
  const renamed = footer.columns.map(({ element, children }, at) => ({
    element: at === 2 ? new Map(element).set(4, { type: 'binary', value: Buffer.from('TEXT') } as const) : element,
    children,
  }));
  await writeFooter(path, withColumns(footer, renamed), footer.start);
  expect(await backAsLines(path)).toBe('{"id":"a","text":"x","TEXT":1}\n');
});

test('writes decimals as numbers, with the digits they have', async () => {
  const path = await make(
    'decimals.parquet',
    "SELECT 'a' AS id, 'x' AS text, -0.05::DECIMAL(9, 2) AS small, 12345678901234567890.10::DECIMAL(38, 2) AS large, [1.50::DECIMAL(5, 2)] AS list",
  );
  expect(await backAsLines(path)).toBe(
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
    pointed: ['1.0', '2.5', '1e-05', '-0.0'],
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
    ['pointed', 'DOUBLE'],
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
    { id: 'a', text: 'x', n: '1', s: '2', mark: { size: 2n } },
    { id: 'b', text: 'y', n: new Written('1.0', 1), s: 'z', mark: { size: 2n } },
  ]);
});
