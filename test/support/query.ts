/** SQL → its rows, by the DuckDB that reads and writes Parquet. */
import { openDuckDb } from '../../src/formats/parquet/duckdb.ts';

export async function query(sql: string) {
  const duckdb = await openDuckDb();
  try {
    return await (await duckdb.connection.run(sql)).getRowsJson();
  } finally {
    duckdb.close();
  }
}
