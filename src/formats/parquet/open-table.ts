/** A Parquet file → its columns, and a stream of rows in which no value is changed. */
import { rm } from 'node:fs/promises';
import type { DuckDBResult, DuckDBValue } from '@duckdb/node-api';
import { failWriting } from '../../files/system-errors.ts';
import { asPlain, isCutByDuckDb, kindOf } from './column-kinds.ts';
import { type DuckDb, privateFile, quoteName, readParquet } from './duckdb.ts';
import { type Footer, leavesOf, nameOf, readFooter, type SchemaNode } from './footer.ts';
import { plainColumnsOf } from './plain-columns.ts';
import { hasUnsafeNames, withLeaves, withSafeNames, writeStored } from './stored-columns.ts';

export interface Table {
  readonly columns: readonly Column[];
  /** Has their types, and no row. */
  readonly shape: DuckDBResult;
  stream(): Promise<DuckDBResult>;
  /** So many rows behind the first `from`, all at once. */
  rows(from: number, count: number): Promise<DuckDBValue[][]>;
  close(): Promise<void>;
}

export interface Column {
  readonly name: string;
  readonly schema: SchemaNode;
  /** Its doubles are written 1, not 1.0. */
  readonly isPlain: boolean;
}

export async function openTable({ connection }: DuckDb, path: string): Promise<Table> {
  const known = (await connection.run(`SELECT * FROM ${readParquet(path)} LIMIT 0`)).columnNames();
  const footer = await readFooter(path);
  if (footer.columns.length !== known.length) throw new Error('its columns are not those of its footer');
  const side = privateFile();
  const close = () => rm(side, { force: true });
  try {
    const isStored = footer.columns.map(isReadAsStored);
    const change = (column: SchemaNode, at: number) => (isStored[at] ? asItIsRead(column) : undefined);
    const hasSide = await writeStored(path, footer, side, change).catch(error => failOnSystem(side, error));
    const selected = known.map((name, at) => `${isStored[at] ? 'stored' : 'others'}.${quoteName(name)}`);
    const tables = `${readParquet(path)} others${hasSide ? ` POSITIONAL JOIN ${readParquet(side)} stored` : ''}`;
    const query = `SELECT ${selected.join(', ')} FROM ${tables}`;
    const shape = await connection.run(`${query} LIMIT 0`);
    const stream = () => connection.stream(query);
    const rows = async (from: number, count: number) =>
      (await connection.run(`${query} LIMIT ${count} OFFSET ${from}`)).getRows();
    return { columns: columnsOf(footer), shape, stream, rows, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** DuckDB has a meaning of its own for the leaves of a variant. */
function isReadAsStored(column: SchemaNode): boolean {
  const isVariant = (node: SchemaNode): boolean => kindOf(node.element) === 'variant' || node.children.some(isVariant);
  return !isVariant(column) && (leavesOf(column).some(isCut) || hasUnsafeNames(column));
}

function asItIsRead(column: SchemaNode): SchemaNode {
  const named = hasUnsafeNames(column) ? withSafeNames(column) : column;
  return withLeaves(named, leaf => (isCut(leaf) ? asPlain(leaf) : leaf));
}

function isCut({ element }: SchemaNode): boolean {
  return isCutByDuckDb(kindOf(element));
}

/** As the file names them: DuckDB calls the second of `a` and `A` `A_1`. */
function columnsOf({ columns, file }: Footer): Column[] {
  const plain = plainColumnsOf(file);
  return columns.map(schema => {
    const name = nameOf(schema);
    return { name, schema, isPlain: plain.has(name) };
  });
}

/** A full disk is no damage. */
function failOnSystem(path: string, error: unknown): never {
  if ((error as NodeJS.ErrnoException).syscall !== undefined) failWriting(path, error);
  throw error;
}
