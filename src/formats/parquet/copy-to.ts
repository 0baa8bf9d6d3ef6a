/** A query → a Parquet file of its rows. */
import { fail } from '../../errors.ts';
import { temporaryFor } from '../../files/temporary.ts';
import { firstLine, openDuckDb, quoteText } from './duckdb.ts';

/** Rows wait in memory until a group of them is written. DuckDB's 122,880 rows would be GBs of long texts. */
const ROW_GROUP = 16_384;

/** `bits`: which rows of each file are kept, as variables of the query; `complete` may change the file before it appears. */
export async function copyTo(
  path: string,
  query: string,
  bits: readonly string[] = [],
  complete?: (path: string) => Promise<void>,
): Promise<void> {
  const temporary = await temporaryFor(path);
  const duckdb = await openDuckDb();
  try {
    for (const [index, value] of bits.entries()) {
      await duckdb.connection.run(`SET VARIABLE kept_${index} = $1::BIT`, [value]);
    }
    const target = quoteText(temporary.path);
    const form = `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP}`;
    await duckdb.connection.run(`COPY (${query}) TO ${target} (${form})`);
    await complete?.(temporary.path);
  } catch (error) {
    await temporary.discard();
    fail('CANNOT_WRITE', { file: path, reason: firstLine(error) }, error);
  } finally {
    duckdb.close();
  }
  await temporary.commit();
}
