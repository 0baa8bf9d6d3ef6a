/** A Parquet file → items, one for each row; `line` is the number of the row. */
import { access, constants } from 'node:fs/promises';
import type { DuckDBValue } from '@duckdb/node-api';
import { fail, NeardupError } from '../../errors.ts';
import { failReading } from '../../files/system-errors.ts';
import { fieldOf, rejectMissingColumn, toDocument } from '../fields.ts';
import type { InputFile } from '../find/inputs.ts';
import { damageItem, type Fields, type Item, isDocument, rejectItem, tooLarge } from '../item.ts';
import { Written } from '../json/encode-json.ts';
import type { Reading } from '../reading.ts';
import { firstLine, isOfTheSystem, openDuckDb } from './duckdb.ts';
import { openTable, type Table } from './open-table.ts';
import { valuesOf } from './values.ts';

export async function* readParquet(file: InputFile, reading: Reading): AsyncGenerator<Item[]> {
  const { path, stored = path } = file;
  await access(stored, constants.R_OK).catch(error => failReading(path, error));
  const duckdb = await openDuckDb();
  let table: Table | undefined;
  let row = 0;
  try {
    table = await openTable(duckdb, stored);
    const { columns, shape } = table;
    const names = columns.map(({ name }) => name);
    const repeated = names.find((name, at) => names.indexOf(name) < at);
    if (repeated !== undefined) {
      const reason = `two columns are named ${JSON.stringify(repeated)}, and a document has one field of a name`;
      return yield [damageItem({ file: file.path, line: 1 }, reason)];
    }
    const missing = rejectMissingColumn(names, reading.fields, { file: file.path, line: 1 });
    if (missing) return yield [missing];
    const converters = columns.map((column, at) =>
      valuesOf(duckdb, shape.columnType(at), column, column.name === reading.fields.textField),
    );
    // All fields are there before they are set: set alone, `__proto__` would not be one.
    const empty = Object.fromEntries(names.map(name => [name, null]));
    for await (const rows of rowsToDamage(table)) {
      const items = rows.map(values => {
        const record: Record<string, unknown> = { ...empty };
        for (let at = 0; at < names.length; at++) record[names[at]!] = converters[at]!(values[at]!);
        return toItem(record, ++row, file, reading);
      });
      file.onContent?.(textBytes(items));
      yield items;
    }
  } catch (error) {
    if (error instanceof NeardupError) throw error;
    if (isOfTheSystem(error)) fail('CANNOT_READ', { file: file.path, reason: firstLine(error) }, error);
    const reason = `${table ? 'broken Parquet file' : 'not a Parquet file'}: ${firstLine(error)}`;
    yield [damageItem({ file: file.path, line: row + 1 }, reason)];
  } finally {
    duckdb.close();
    await table?.close();
  }
}

/** DuckDB reads ahead, and drops what it has when it meets damage: from there on, fewer and fewer rows are asked for. */
async function* rowsToDamage({ stream, rows }: Table): AsyncGenerator<DuckDBValue[][]> {
  let from = 0;
  try {
    for await (const batch of (await stream()).yieldRows()) {
      yield batch;
      from += batch.length;
    }
  } catch (error) {
    if (isOfTheSystem(error)) throw error;
    for (let count = AT_A_TIME; count >= 1; count /= 2) {
      const batch = await rows(from, count).catch(() => []);
      if (batch.length > 0) yield batch;
      from += batch.length;
      if (batch.length === count) count *= 2; // as many again
    }
    throw error;
  }
}

/** Rows that DuckDB decodes together. */
const AT_A_TIME = 2048;

/** DuckDB reads the file by itself; of its content only the texts are seen here. */
function textBytes(batch: readonly Item[]): number {
  const lengths = batch.map(item => {
    if (!isDocument(item)) return 0;
    const { text, set = [] } = item.document;
    return Buffer.byteLength(text ?? [...set].join(''));
  });
  return lengths.reduce((sum, length) => sum + length, 0);
}

function toItem(record: Fields, line: number, file: InputFile, reading: Reading): Item {
  const source = { file: file.path, line };
  const read = toDocument(comparedFields(record, reading.fields.idField), reading.fields, source);
  if (typeof read === 'string') return rejectItem(source, read);
  const { text } = read.document;
  if (text !== undefined && Buffer.byteLength(text) > reading.maxDocument) {
    return rejectItem(source, tooLarge(reading.maxDocument));
  }
  return { ...read, source, format: 'parquet', record };
}

/** What the engine compares. An id is what is written, 1.0 and not 1. */
function comparedFields(record: Fields, idField: string): Fields {
  const fields = compared(record) as Fields;
  const id = fieldOf(record, idField);
  return id instanceof Written && isNumber(id.value) ? { ...fields, [idField]: id.text } : fields;
}

/** The value itself if nothing in it is written. */
function compared(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Written) return value.value;
  const fields = value as Record<string, unknown>; // or a list
  let changed: Record<string, unknown> | undefined;
  for (const name in fields) {
    const other = compared(fields[name]);
    if (other === fields[name]) continue;
    changed ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    changed[name] = other;
  }
  return changed ?? value;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
