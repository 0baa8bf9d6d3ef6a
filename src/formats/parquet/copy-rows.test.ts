import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../../test/support/folder.ts';
import { query } from '../../../test/support/query.ts';
import { asStored, kindsOf } from './column-kinds.ts';
import { copyParquetRows } from './copy-rows.ts';
import { quoteText } from './duckdb.ts';
import { metadataOf, readFooter, type SchemaNode, withColumns, writeFooter } from './footer.ts';

/** Made by pyarrow 26: four rows of types that DuckDB changes, with the metadata of pandas and Hugging Face. */
const ARROW = fileURLToPath(new URL('../../../test/fixtures/arrow.parquet', import.meta.url));

const folder = sharedFolder();

const at = (name: string) => join(folder, name);

async function make(name: string, select: string): Promise<string> {
  await query(`COPY (${select}) TO ${quoteText(at(name))} (FORMAT parquet)`);
  return at(name);
}

const schemaOf = (path: string) =>
  query(
    `SELECT name, num_children, converted_type, scale, precision, logical_type FROM parquet_schema(${quoteText(path)}) OFFSET 1`,
  );

const pairsOf = (path: string) => query(`SELECT key, value FROM parquet_kv_metadata(${quoteText(path)})`);

/** Every value as it is stored, whatever its type says. */
async function storedRows(path: string) {
  const copy = at('stored.parquet');
  await copyFile(path, copy);
  const footer = await readFooter(copy);
  const plain = (node: SchemaNode): SchemaNode =>
    node.children.length > 0 ? { ...node, children: node.children.map(plain) } : asStored(node);
  await writeFooter(copy, withColumns(footer, footer.columns.map(plain)), footer.start);
  return query(`SELECT * FROM ${quoteText(copy)}`);
}

const KEPT_BUT_FOR = ['column "text": required became optional', 'column "code": fixed(4) became binary'];

test.each([
  ['all rows', [1, 2, 3, 4]],
  ['some rows', [1, 4]],
  ['no row', []],
])(
  'keeps schema, metadata and stored values of %s, and names the columns whose type it cannot keep',
  async (_, rows) => {
    const out = at('out.parquet');
    expect(await copyParquetRows([{ file: ARROW, rows }], out)).toEqual(KEPT_BUT_FOR);
    expect(await schemaOf(out)).toEqual(await schemaOf(ARROW));
    const pairs = await pairsOf(out);
    expect(pairs.map(([key]) => key)).toEqual(['huggingface', 'pandas', 'bytes', 'ARROW:schema']);
    expect(pairs).toEqual(await pairsOf(ARROW));
    const before = await storedRows(ARROW);
    expect(await storedRows(out)).toEqual(rows.map(row => before[row - 1]));
  },
);

test('keeps every digit of nanoseconds in UTC, nested ones too', async () => {
  const out = at('nanoseconds.parquet');
  await copyParquetRows([{ file: ARROW, rows: [1, 3] }], out);
  const rows = await storedRows(out);
  expect(rows.map(row => row[2])).toEqual(['1700000000123456789', '1700000000123456791']);
  expect(rows.map(row => row[10])).toEqual([
    { at: ['1700000000123456789', null], n: 0 },
    { at: ['1700000000123456791', null], n: 2 },
  ]);
});

test('copies rows of several files one after the other, with the metadata of the first', async () => {
  const other = await make('other.parquet', "SELECT 9 AS id, 'nine' AS text");
  const out = at('several.parquet');
  const lost = await copyParquetRows(
    [
      { file: ARROW, rows: [4] },
      { file: ARROW, rows: [1, 2] },
      { file: other, rows: [1] },
    ],
    out,
  );
  expect(lost).toEqual(expect.arrayContaining(KEPT_BUT_FOR));
  expect(await pairsOf(out)).toEqual(await pairsOf(ARROW));
  const before = await storedRows(ARROW);
  const rows = await storedRows(out);
  expect(rows.slice(0, 3)).toEqual([before[3], before[0], before[1]]);
  expect(rows[3]?.slice(0, 4)).toEqual(['9', expect.anything(), null, null]);
});

test('names a column that the files have in different types', async () => {
  const of = (type: string) => `SELECT 'x' AS id, 'y' AS text, TIMESTAMP '2024-01-31 01:02:03'::${type} AS moment`;
  const [ms, us] = [await make('ms.parquet', of('TIMESTAMP_MS')), await make('us.parquet', of('TIMESTAMP'))];
  const out = at('united.parquet');
  const sources = [ms, us].map(file => ({ file, rows: [1] }));
  expect(await copyParquetRows(sources, out)).toEqual([
    expect.stringMatching(/^column "moment": timestamp\[ms.*\] became timestamp\[us/),
  ]);
  expect(await query(`SELECT moment::VARCHAR FROM ${quoteText(out)}`)).toEqual([
    ['2024-01-31 01:02:03'],
    ['2024-01-31 01:02:03'],
  ]);
});

test('leaves out the Arrow schema when a column is added, and says what it alone knew', async () => {
  const out = at('marked.parquet');
  const added = [{ neardup: { size: 2 } }, { neardup: { size: 1 } }];
  expect(await copyParquetRows([{ file: ARROW, rows: [1, 2] }], out, added)).toEqual([
    ...KEPT_BUT_FOR,
    expect.stringMatching(/^lost the Arrow types .* of "berlin", "took", "lang": /),
  ]);
  expect((await pairsOf(out)).map(([key]) => key)).toEqual(['huggingface', 'pandas', 'bytes']);
  expect(await query(`SELECT id, neardup.size FROM ${quoteText(out)}`)).toEqual([
    ['0', '2'],
    ['1', '1'],
  ]);
});

test('puts an added field in the place of a column of that name', async () => {
  const file = await make('has-mark.parquet', "SELECT 'old' AS NearDup, 'x' AS id, 'y' AS text");
  await copyParquetRows([{ file, rows: [1] }], at('re-marked.parquet'), [{ neardup: 'new' }]);
  expect(await query(`SELECT * FROM ${quoteText(at('re-marked.parquet'))}`)).toEqual([['x', 'y', 'new']]);
});

test('keeps names that differ in case alone, and does not take a folder for a column', async () => {
  await mkdir(at('id=5'));
  const file = await make('id=5/names.parquet', "SELECT 'x' AS id, 'y' AS text, 1 AS other");
  const footer = await readFooter(file);
  const renamed = footer.columns.map(({ element, children }, column) => ({
    element: column === 2 ? new Map(element).set(4, { type: 'binary', value: Buffer.from('TEXT') } as const) : element,
    children,
  }));
  await writeFooter(file, withColumns(footer, renamed), footer.start);
  await copyParquetRows([{ file, rows: [1] }], at('names.parquet'));
  expect((await schemaOf(at('names.parquet'))).map(([name]) => name)).toEqual(['id', 'text', 'TEXT']);
});

test('reads and writes a footer without a change', async () => {
  const footer = await readFooter(ARROW);
  await copyFile(ARROW, at('same.parquet'));
  await writeFooter(at('same.parquet'), footer.file, footer.start);
  expect(await readFooter(at('same.parquet'))).toEqual(footer);
  expect(await query(`SELECT count(*) FROM ${quoteText(at('same.parquet'))}`)).toEqual([['4']]);
  expect(metadataOf(footer.file)).toHaveLength(4);
  expect(footer.columns.map(kindsOf)).toEqual([
    'int64',
    'string',
    'timestamp[ns, UTC]',
    'timestamp[ns, UTC]',
    'timestamp[ms]',
    'time[ms]',
    'int64',
    'string',
    'fixed(16)',
    'decimal(60, 3)',
    'group of timestamp[ns, UTC], uint8',
    'null',
    'fixed(4)',
  ]);
});
