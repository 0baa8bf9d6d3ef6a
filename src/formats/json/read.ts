/** JSON lines, or the elements of a JSON array → items. Needs no Node module. */
import { type FieldRules, toDocument } from '../fields.ts';
import { type DocumentItem, type Fields, type RejectItem, rejectItem, type Source } from '../item.ts';
import type { RecordFile, RecordFormat } from '../records.ts';
import type { Format } from '../registry.ts';
import { JsonArraySplitter } from './json-array.ts';
import { LineSplitter } from './lines.ts';
import { isSpace } from './raw-json.ts';

const UTF_8 = new TextDecoder();

export function jsonLines({ path }: RecordFile, rules: FieldRules, maxDocument: number): RecordFormat {
  const parse = (bytes: Uint8Array, line: number) => readJsonLine(bytes, { file: path, line }, rules);
  return { splitter: new LineSplitter(maxDocument), parse, tellsCutOffRecord: true };
}

export function jsonArray({ path, format }: RecordFile, rules: FieldRules, maxDocument: number): RecordFormat {
  const parse = (bytes: Uint8Array, line: number) => parseJson(bytes, { file: path, line }, rules, format);
  return { splitter: new JsonArraySplitter(maxDocument), parse, tellsCutOffRecord: true };
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
  if (!mayBeJson(raw)) return rejectItem(source, 'not JSON');
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

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '"': '"' };
const STARTS = /[[{"\d\-tfn]/;

/** By its first and its last letter. To learn by an exception that a line is not JSON takes 20 µs, as long as ten short documents. */
function mayBeJson(raw: Uint8Array): boolean {
  let [start, end] = [0, raw.length - 1];
  while (start < end && isSpace(raw[start]!)) start++;
  while (end > start && isSpace(raw[end]!)) end--;
  // There may be a mark of UTF-8 in front.
  if (raw[start]! >= 0x80) return true;
  const first = String.fromCharCode(raw[start]!);
  const closing = CLOSING[first];
  return STARTS.test(first) && (closing === undefined || raw[end] === closing.charCodeAt(0));
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBlank(line: Uint8Array): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}
