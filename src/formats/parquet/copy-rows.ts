/** Rows of Parquet files → a Parquet file with the same columns, types and metadata. */

import { type Temporary, temporaryFor } from '../../files/temporary.ts';
import type { Fields } from '../item.ts';
import { encodedFields } from '../json/json-fields.ts';
import { openSpool, type Spool } from '../table/spool.ts';
import { asStored, isChangedByDuckDb, kindsOf } from './column-kinds.ts';
import { copyTo } from './copy-to.ts';
import { openDuckDb, quoteName, readParquet } from './duckdb.ts';
import { type Footer, leavesOf, readFooter, type SchemaNode } from './footer.ts';
import { fromSpool } from './from-spool.ts';
import { type Origin, restoreFooter } from './restore-footer.ts';
import { withLeaves, writeStored } from './stored-columns.ts';

export interface KeptRows {
  readonly file: string;
  /** Row numbers, 1 is the first: the `line` of the items that were read. */
  readonly rows: Iterable<number>;
}

/** A file to copy rows of. */
interface Source {
  readonly file: string;
  readonly footer: Footer;
  /** As DuckDB names the columns: of `a` and `A`, which are one name to it, the second is `A_1`. */
  readonly names: readonly string[];
}

/**
 * The kept rows of each file, in order, with every column and type as it was. `added` gives fields to add to each of
 * the kept rows, in the same order. Returns what could not be kept, a line each.
 */
export async function copyParquetRows(
  kept: readonly KeptRows[],
  path: string,
  added?: Iterable<Fields> | AsyncIterable<Fields>,
): Promise<string[]> {
  const sources = await openSources(kept.map(({ file }) => file));
  const origins = originsOf(sources);
  const isStored = (name: string) => origins.get(keyOf(name))!.isStored;
  const sides: Temporary[] = [];
  const spool = added && (await openSpool(path));
  let lost: string[] = [];
  try {
    for await (const fields of added ?? []) await spool!.add(encodedFields(fields));
    const rows: string[] = [];
    for (const [at, source] of sources.entries()) {
      const side = await temporaryFor(`${path}.stored-${at}`);
      sides.push(side);
      const hasSide = await writeStored(source.file, source.footer, side.path, (column, at) =>
        isStored(source.names[at]!) ? withStoredLeaves(column) : undefined,
      );
      rows.push(hasSide ? fromBoth(source, side.path, at, isStored) : fromRows(source.file, '*', at));
    }
    const query = await withAdded(rows.join(' UNION ALL BY NAME '), origins, spool);
    const bits = kept.map(({ rows }) => bitsOf(rows));
    await copyTo(path, query, bits, async written => {
      const addedNames = new Set([...(spool?.columns.keys() ?? [])].map(keyOf));
      const originOf = (name: string) => (addedNames.has(keyOf(name)) ? undefined : origins.get(keyOf(name)));
      lost = await restoreFooter(written, sources[0]!.footer, originOf);
    });
  } finally {
    await spool?.discard();
    for (const side of sides) await side.discard();
  }
  return lost;
}

async function openSources(files: readonly string[]): Promise<Source[]> {
  const duckdb = await openDuckDb();
  try {
    const sources: Source[] = [];
    for (const file of files) {
      const result = await duckdb.connection.run(`SELECT * FROM ${readParquet(file)} LIMIT 0`);
      sources.push({ file, footer: await readFooter(file), names: result.columnNames() });
    }
    return sources;
  } finally {
    duckdb.close();
  }
}

/** Columns are copied as they are stored where DuckDB would change them; not if the files differ, as it has to unite them then. */
function originsOf(sources: readonly Source[]): Map<string, Origin> {
  const columns = new Map<string, SchemaNode[]>();
  for (const { names, footer } of sources) {
    for (const [at, name] of names.entries()) {
      columns.set(keyOf(name), [...(columns.get(keyOf(name)) ?? []), footer.columns[at]!]);
    }
  }
  const originOf = (columns: SchemaNode[]): Origin => ({
    columns,
    isStored: leavesOf(columns[0]!).some(isChangedByDuckDb) && new Set(columns.map(kindsOf)).size === 1,
  });
  return new Map(Array.from(columns, ([key, columns]) => [key, originOf(columns)]));
}

/** DuckDB knows no difference between capital and small letters in names. */
function keyOf(name: string): string {
  return name.toLowerCase();
}

function withStoredLeaves(column: SchemaNode): SchemaNode {
  return withLeaves(column, leaf => (isChangedByDuckDb(leaf) ? asStored(leaf) : leaf));
}

/** A filter by a bit for each row keeps the order of the file, which a join would not, and needs no sorting. */
function fromRows(file: string, columns: string, at: number): string {
  const bits = `getvariable('kept_${at}')`;
  return (
    `SELECT ${columns} FROM ${readParquet(file)} ` +
    `WHERE file_row_number < bit_length(${bits}) AND get_bit(${bits}, file_row_number::INTEGER) = 1`
  );
}

function fromBoth({ file, names }: Source, side: string, at: number, isStored: (name: string) => boolean): string {
  const rowsOf = (path: string, columns: readonly string[]) =>
    fromRows(path, [...columns.map(quoteName), 'file_row_number'].join(', '), at);
  const columns = names.map(name => `${isStored(name) ? 'stored' : 'others'}.${quoteName(name)}`);
  const others = rowsOf(
    file,
    names.filter(name => !isStored(name)),
  );
  const stored = rowsOf(side, names.filter(isStored));
  return `SELECT ${columns.join(', ')} FROM (${others}) others POSITIONAL JOIN (${stored}) stored`;
}

/** An added field takes the place of a column of its name. */
async function withAdded(rows: string, origins: ReadonlyMap<string, Origin>, spool: Spool | undefined) {
  if (!spool) return rows;
  const replaced = [...spool.columns.keys()].filter(name => origins.has(keyOf(name))).map(quoteName);
  const columns = replaced.length > 0 ? `* EXCLUDE (${replaced.join(', ')})` : '*';
  return `SELECT * FROM (SELECT ${columns} FROM (${rows})) POSITIONAL JOIN (${await fromSpool(spool)})`;
}

/** 1, 3 → 101 */
function bitsOf(rows: Iterable<number>): string {
  const kept = [...rows];
  const bits = Buffer.alloc(
    kept.reduce((last, row) => Math.max(last, row), 1),
    '0',
  );
  for (const row of kept) bits[row - 1] = '1'.charCodeAt(0);
  return bits.toString('latin1');
}
