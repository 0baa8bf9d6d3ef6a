/** JSON lines, or the elements of a JSON array → items. */
import { type FieldRules, toDocument } from './fields.ts';
import type { InputFile } from './inputs.ts';
import { type DocumentItem, type Fields, type Item, type RejectItem, rejectItem, type Source } from './item.ts';
import { JsonArraySplitter } from './json-array.ts';
import { LineSplitter } from './lines.ts';
import type { Format } from './name.ts';
import type { Reading } from './reading.ts';
import { readRecords } from './records.ts';

const UTF_8 = new TextDecoder();

export function readJsonLines(file: InputFile, reading: Reading): AsyncGenerator<Item[]> {
  const splitter = new LineSplitter(reading.maxDocument);
  const parse = (bytes: Uint8Array, line: number) => readJsonLine(bytes, { file: file.path, line }, reading.fields);
  return readRecords(file, { splitter, parse, tellsCutOffRecord: true }, reading.maxDocument);
}

export function readJsonArray(file: InputFile, reading: Reading): AsyncGenerator<Item[]> {
  const splitter = new JsonArraySplitter(reading.maxDocument);
  const parse = (bytes: Uint8Array, line: number) =>
    parseJson(bytes, { file: file.path, line }, reading.fields, file.format);
  return readRecords(file, { splitter, parse, tellsCutOffRecord: true }, reading.maxDocument);
}

/** One line without its end; nothing for a blank one. */
export function readJsonLine(
  raw: Uint8Array,
  source: Source,
  rules: FieldRules,
): DocumentItem | RejectItem | undefined {
  return isBlank(raw) ? undefined : parseJson(raw, source, rules, 'jsonl');
}

function parseJson(raw: Uint8Array, source: Source, rules: FieldRules, format: Format): DocumentItem | RejectItem {
  let json = '';
  let record: unknown;
  try {
    json = UTF_8.decode(raw);
    record = JSON.parse(json);
  } catch {
    return rejectItem(source, 'not JSON');
  }
  if (!isObject(record)) return rejectItem(source, 'not an object');
  const read = toDocument(record, rules, source, json);
  if (typeof read === 'string') return rejectItem(source, read);
  return { ...read, source, format, record, raw };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBlank(line: Uint8Array): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}
