/** The one place where DuckDB comes in: it reads and writes Parquet. It is an optional package, loaded when first needed. */
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { fail } from '../../errors.ts';
import { workFolderFor } from '../../files/work-folder.ts';

export interface DuckDb {
  readonly connection: DuckDBConnection;
  readonly package: typeof import('@duckdb/node-api');
  close(): void;
}

const settings = {
  threads: '1', // rows in the order of the file, and a bounded number of them in memory
  autoinstall_known_extensions: 'false', // nothing is fetched from the network
};

export async function openDuckDb(load = () => import('@duckdb/node-api')): Promise<DuckDb> {
  const duckdb = await load().catch(cause =>
    fail('MISSING_PACKAGE', { name: '@duckdb/node-api', need: 'Parquet' }, cause),
  );
  const instance = await duckdb.DuckDBInstance.create(':memory:', { ...settings, temp_directory: spillFolder() });
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  return { connection, package: duckdb, close };
}

let workFolder: string | undefined;
let files = 0;

/** The name of a new file that nobody else can read. */
export function privateFile(): string {
  workFolder ??= workFolderFor(tmpdir(), tmpdir(), 'neardup-parquet-');
  return join(workFolder, `${++files}.parquet`);
}

/** DuckDB makes it when memory is short. */
function spillFolder(): string {
  try {
    return join(dirname(privateFile()), 'spilled');
  } catch {
    return ''; // without such a folder, what does not fit into memory is an error
  }
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The path of exactly one file: DuckDB would take `a[1].parquet` for a pattern. */
export function quotePath(path: string): string {
  return quoteText(path.replace(/[*?[]/g, '[$&]'));
}

/** The table of one file. The name of its folder, as `id=5`, is not taken for a column. */
export function readParquet(path: string): string {
  return `read_parquet(${quotePath(path)}, hive_partitioning = false)`;
}

/** DuckDB's messages go on with the SQL text, which is ours and tells a user nothing. */
export function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0]!;
}

/** A full disk, or too little memory: the file is none the worse for it. */
export function isOfTheSystem(error: unknown): boolean {
  return /^Out of Memory Error|No space left on device|Disk quota exceeded/.test(firstLine(error));
}
