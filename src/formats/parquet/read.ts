/** A Parquet file → items, one for each row; `line` is the number of the row. */
import { access, constants } from 'node:fs/promises';
import type { DuckDBValue, DuckDBValueConverter, Json } from '@duckdb/node-api';
import { WrittenNumber } from '../encode-json.ts';
import { rejectMissingColumn, toDocument } from '../fields.ts';
import type { InputFile } from '../inputs.ts';
import { damageItem, type Fields, type Item, rejectItem, tooLarge } from '../item.ts';
import type { Reading } from '../reading.ts';
import { failReading } from '../system-errors.ts';
import { type DuckDb, firstLine, openDuckDb, readParquet as readTable } from './duckdb.ts';

export async function* readParquet(file: InputFile, reading: Reading): AsyncGenerator<Item[]> {
  await access(file.path, constants.R_OK).catch(error => failReading(file.path, error));
  const duckdb = await openDuckDb();
  let row = 0;
  try {
    const result = await duckdb.connection.stream(`SELECT * FROM ${readTable(file.path)}`);
    const missing = rejectMissingColumn(result.columnNames(), reading.fields, { file: file.path, line: 1 });
    if (missing) return yield [missing];
    const hasDecimals = result.columnTypes().some(type => type.toString().includes('DECIMAL'));
    for await (const records of result.yieldConvertedRowObjects(converterOf(duckdb))) {
      yield records.map(record => toItem(record, hasDecimals ? plain(record) : record, ++row, file, reading));
    }
  } catch (error) {
    const reason = `${row === 0 ? 'not a Parquet file' : 'broken Parquet file'}: ${firstLine(error)}`;
    yield [damageItem({ file: file.path, line: row + 1 }, reason)];
  } finally {
    duckdb.close();
  }
}

/** `values`: what the engine compares; `record`: what is written. */
function toItem(record: Fields, values: Fields, line: number, file: InputFile, reading: Reading): Item {
  const source = { file: file.path, line };
  const read = toDocument(values, reading.fields, source);
  if (typeof read === 'string') return rejectItem(source, read);
  const { text } = read.document;
  if (text !== undefined && Buffer.byteLength(text) > reading.maxDocument) {
    return rejectItem(source, tooLarge(reading.maxDocument));
  }
  return { ...read, source, format: 'parquet', record };
}

type Value = Json | bigint | WrittenNumber;

/** As DuckDB gives values for JSON (dates as they are written), but whole numbers and decimals keep all their digits. */
function converterOf({
  package: { DuckDBDecimalValue, JsonDuckDBValueConverter },
}: DuckDb): DuckDBValueConverter<Value> {
  const toJson = JsonDuckDBValueConverter as DuckDBValueConverter<Value>;
  return (value: DuckDBValue, type, converter) => {
    if (typeof value === 'bigint') return value;
    return value instanceof DuckDBDecimalValue ? new WrittenNumber(value.toString()) : toJson(value, type, converter);
  };
}

/** Decimals as strings, which ids, --by and --keep take for the numbers they are. */
function plain<Value>(value: Value): Value {
  if (value instanceof WrittenNumber) return value.text as Value;
  if (Array.isArray(value)) return value.map(plain) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)])) as Value;
}
