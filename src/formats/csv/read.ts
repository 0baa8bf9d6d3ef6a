/** CSV or TSV → items: the first record names the fields, every value is a string. Needs no Node module. */
import { type FieldRules, rejectMissingColumn, toDocument } from '../fields.ts';
import { type Item, rejectItem, type Source } from '../item.ts';
import type { RecordFile, RecordFormat } from '../records.ts';
import type { Format } from '../registry.ts';
import { delimiters, parseRecord } from './csv-fields.ts';
import { CsvSplitter } from './csv-records.ts';

const UTF_8 = new TextDecoder();

export function csvRecords({ path, format }: RecordFile, rules: FieldRules, maxDocument: number): RecordFormat {
  const delimiter = delimiters[format as 'csv' | 'tsv'];
  let header: { raw: Uint8Array; columns: string[] } | undefined;
  const parse = (raw: Uint8Array, line: number): Item | undefined => {
    const record = UTF_8.decode(raw).replace(/\r$/, '');
    if (record === '') return undefined;
    const values = parseRecord(record, delimiter);
    const source = { file: path, line };
    if (header === undefined) {
      header = { raw, columns: distinct(values) };
      return rejectMissingColumn(header.columns, rules, source);
    }
    return toItem(values, raw, header, source, format, rules);
  };
  const splitter = new CsvSplitter(maxDocument, delimiter);
  return { splitter, parse, tellsCutOffRecord: false, header: () => header?.raw };
}

function toItem(
  values: readonly string[],
  raw: Uint8Array,
  header: { raw: Uint8Array; columns: readonly string[] },
  source: Source,
  format: Format,
  rules: FieldRules,
): Item {
  const { columns } = header;
  if (values.length !== columns.length) {
    return rejectItem(source, `has ${values.length} fields, the header has ${columns.length}`);
  }
  const record = Object.fromEntries(columns.map((column, index) => [column, values[index]!]));
  const read = toDocument(record, rules, source);
  if (typeof read === 'string') return rejectItem(source, read);
  return { ...read, source, format, record, raw, header: header.raw };
}

/** Two columns of one name would hide one another: the second becomes `name_2`. */
function distinct(columns: readonly string[]): string[] {
  const taken = new Set<string>();
  return columns.map(column => {
    let name = column;
    for (let count = 2; taken.has(name); count++) name = `${column}_${count}`;
    taken.add(name);
    return name;
  });
}
