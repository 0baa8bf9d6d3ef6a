/** Records → a Parquet file; and rows of Parquet files → a Parquet file with the same columns. */
import { fail } from '../../errors.ts';
import type { Fields } from '../item.ts';
import { encodedFields, jsonFields } from '../json-fields.ts';
import { openSpool } from '../spool.ts';
import { temporaryFor } from '../temporary.ts';
import type { DocumentWriter } from '../writer.ts';
import { firstLine, openDuckDb, quotePath, quoteText } from './duckdb.ts';
import { fromSpool } from './from-spool.ts';

export interface KeptRows {
  readonly file: string;
  /** Row numbers, 1 is the first: the `line` of the items that were read. */
  readonly rows: Iterable<number>;
}

/** Rows wait in memory until a group of them is written. DuckDB's 122,880 rows would be GBs of long texts. */
const ROW_GROUP = 16_384;

export async function writeParquet(path: string): Promise<DocumentWriter> {
  (await openDuckDb()).close(); // if it is missing, say so before the work and not after it
  const spool = await openSpool(path);
  return {
    write: (item, added) => spool.add(jsonFields(item, added)),
    close: async () => {
      try {
        await copyTo(path, await fromSpool(spool));
      } finally {
        await spool.discard();
      }
    },
    abort: () => spool.discard(),
  };
}

/**
 * The kept rows of each file, in order, with every column and type as it was. `added` gives fields to add to each of
 * the kept rows, in the same order.
 */
export async function copyParquetRows(
  sources: readonly KeptRows[],
  path: string,
  added?: Iterable<Fields> | AsyncIterable<Fields>,
): Promise<void> {
  const spool = added && (await openSpool(path));
  try {
    for await (const fields of added ?? []) await spool!.add(encodedFields(fields));
    const kept = sources.map((source, index) => fromRows(source.file, `kept_${index}`)).join(' UNION ALL BY NAME ');
    const query = spool ? `SELECT * FROM (${kept}) POSITIONAL JOIN (${await fromSpool(spool)})` : kept;
    await copyTo(
      path,
      query,
      sources.map(({ rows }) => bitsOf(rows)),
    );
  } finally {
    await spool?.discard();
  }
}

/** A filter by a bit for each row keeps the order of the file, which a join would not, and needs no sorting. */
function fromRows(file: string, bits: string): string {
  return (
    `SELECT * EXCLUDE (file_row_number) FROM read_parquet(${quotePath(file)}, file_row_number = true) ` +
    `WHERE file_row_number < bit_length(getvariable('${bits}')) ` +
    `AND get_bit(getvariable('${bits}'), file_row_number::INTEGER) = 1`
  );
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

async function copyTo(path: string, query: string, bits: readonly string[] = []): Promise<void> {
  const temporary = await temporaryFor(path);
  const duckdb = await openDuckDb();
  try {
    for (const [index, value] of bits.entries()) {
      await duckdb.connection.run(`SET VARIABLE kept_${index} = $1::BIT`, [value]);
    }
    const target = quoteText(temporary.path);
    const form = `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP}`;
    await duckdb.connection.run(`COPY (${query}) TO ${target} (${form})`);
  } catch (error) {
    await temporary.discard();
    fail('CANNOT_WRITE', { file: path, reason: firstLine(error) }, error);
  } finally {
    duckdb.close();
  }
  await temporary.commit();
}
