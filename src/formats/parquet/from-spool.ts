/** A spool of records → the SQL that reads it with the types of its columns. */

import { elementTexts, fieldTexts, objectText } from '../json/raw-json.ts';
import { ALWAYS_EMPTY, type ColumnType, cellTypes, numberTypes } from '../table/column-types.ts';
import type { JsonFields, Spool } from '../table/spool.ts';
import { quoteName, quotePath, quoteText } from './duckdb.ts';

/** No record is added after it. */
export async function fromSpool(spool: Spool): Promise<string> {
  await spool.finish();
  const columns = [...spool.columns];
  if (columns.length === 0) return 'SELECT NULL AS id WHERE false';
  const jsonColumns = new Map(columns.filter(([, type]) => holdsJson(type)));
  if (jsonColumns.size > 0) await spool.rewrite(fields => withQuotedJson(fields, jsonColumns));
  const types = columns.map(([name, type]) => `${quoteText(name)}: ${quoteText(sqlType(type, 'VARCHAR'))}`);
  const values = columns.map(([name, type]) =>
    type.kind === 'cell' || jsonColumns.has(name)
      ? `CAST(${type.kind === 'cell' ? cellValue(name, type.fits) : quoteName(name)} AS ${sqlType(type)}) AS ${quoteName(name)}`
      : quoteName(name),
  );
  return (
    `SELECT ${values.join(', ')} FROM read_json(${quotePath(spool.path)}, format = 'newline_delimited', ` +
    `columns = {${types.join(', ')}}, maximum_object_size = ${Math.max(spool.longest * 2, 2 ** 20)})`
  );
}

function sqlType(type: ColumnType, json = 'JSON'): string {
  switch (type.kind) {
    case 'boolean':
      return 'BOOLEAN';
    case 'number':
      return Object.entries(numberTypes).find(([, bit]) => (type.fits & bit) !== 0)![0];
    case 'cell':
      return json === 'JSON' ? cellSqlType(type.fits) : 'VARCHAR';
    case 'list':
      return `${sqlType(type.of, json)}[]`;
    case 'struct': {
      const fields = [...type.fields].map(([name, field]) => `${quoteName(name)} ${sqlType(field, json)}`);
      return `STRUCT(${fields.join(', ')})`;
    }
    case 'json':
      return json;
    default:
      return 'VARCHAR';
  }
}

/** Cells are read as text, and take their type then. */
function cellSqlType(fits: number): string {
  if (fits & ALWAYS_EMPTY) return 'VARCHAR';
  return Object.entries(cellTypes).find(([, bit]) => (fits & bit) !== 0)![0];
}

function cellValue(name: string, fits: number): string {
  return fits & ALWAYS_EMPTY ? quoteName(name) : `NULLIF(${quoteName(name)}, '')`;
}

function holdsJson(type: ColumnType): boolean {
  if (type.kind === 'list') return holdsJson(type.of);
  if (type.kind === 'struct') return [...type.fields.values()].some(holdsJson);
  return type.kind === 'json';
}

/** DuckDB would write JSON that it reads anew, 1.10 as 1.1; of a string it takes every letter. */
function withQuotedJson(fields: JsonFields, columns: ReadonlyMap<string, ColumnType>): JsonFields {
  return new Map(Array.from(fields, ([name, text]) => [name, quotedJson(text, columns.get(name))]));
}

function quotedJson(text: string, type: ColumnType | undefined): string {
  if (type === undefined || text === 'null' || !holdsJson(type)) return text;
  if (type.kind === 'list')
    return `[${elementTexts(text)
      .map(element => quotedJson(element, type.of))
      .join(',')}]`;
  if (type.kind === 'struct') return objectText(withQuotedJson(fieldTexts(text), type.fields));
  return JSON.stringify(text);
}
