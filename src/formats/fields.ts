/** The fields of one record → a document, or the reason why it is none. */
import type { Document } from '../model.ts';
import { type Fields, type ReadOptions, type RejectItem, rejectItem, type Source } from './item.ts';

/** JSON.stringify and structured clone recurse; deeper than this they may run out of stack. */
const DEEPEST = 500;

export interface FieldRules extends ReadOptions {
  /** Turns a text field into text, when `--html always` says it is HTML. */
  readonly toText?: (html: string) => string;
  /** A CSV cell or Parquet value may be empty for "absent"; JSON can leave the field out. */
  readonly emptyIdIsAbsent?: boolean;
}

/** `json` is the text the fields were read from, if they were. */
export function toDocument(fields: Fields, rules: FieldRules, source: Source, json?: string): Document | string {
  const { idField, setField, textField, toText } = rules;
  const id = idOf(own(fields, idField), rules, source, json);
  if (id === undefined) return `id is neither a string nor a number${named(idField, 'id')}`;
  if (isTooDeep(fields, DEEPEST)) return `nested more than ${DEEPEST} levels deep`;
  if (setField !== undefined) {
    const set = setOf(own(fields, setField), setField, json);
    return typeof set === 'string' ? `${set}${named(setField, 'set')}` : { ...fields, id, set };
  }
  const text = own(fields, textField);
  if (text === undefined) return `text missing${named(textField, 'text')}`;
  if (typeof text !== 'string') return `text is not a string${named(textField, 'text')}`;
  return { ...fields, id, text: toText ? toText(text) : text };
}

/** For tables: one reject that says which columns there are helps more than one for each row. */
export function rejectMissingColumn(
  columns: readonly string[],
  { setField, textField }: Pick<FieldRules, 'setField' | 'textField'>,
  source: Source,
): RejectItem | undefined {
  const needed = setField ?? textField;
  if (columns.includes(needed)) return undefined;
  const what = setField === undefined ? 'text' : 'set';
  const reason = `${what} missing: no column ${JSON.stringify(needed)} among ${columns.join(', ')}`;
  return { ...rejectItem(source, reason), endsFile: true };
}

function idOf(id: unknown, rules: FieldRules, source: Source, json = ''): string | undefined {
  if (typeof id === 'string' && id !== '') return id;
  const isAbsent = id === undefined || (rules.emptyIdIsAbsent && (id === null || id === ''));
  if (isAbsent) return `${source.file}:${source.line}`;
  if (typeof id === 'string' || typeof id === 'bigint') return String(id);
  if (typeof id !== 'number') return undefined;
  if (!Number.isInteger(id) || Number.isSafeInteger(id)) return String(id);
  return integerAsWritten(json, rules.idField, id) ?? BigInt(id).toString();
}

/** 12345678901234567890 has more digits than a JavaScript number holds: they are taken from the JSON text. */
function integerAsWritten(json: string, field: string, value: number): string | undefined {
  const name = JSON.stringify(field).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  for (const [, digits] of json.matchAll(new RegExp(`${name}\\s*:\\s*(-?\\d+)\\s*[,}]`, 'g'))) {
    if (Number(digits) === value) return digits;
  }
  return undefined;
}

/** A set in a CSV cell is a JSON array. */
function setOf(value: unknown, field: string, json: string | undefined): (string | number)[] | string {
  const isCell = typeof value === 'string' && value.startsWith('[');
  const list = isCell ? parsed(value) : value;
  if (list === undefined || list === null) return 'set missing';
  if (!Array.isArray(list)) return 'set is not an array';
  const written = list.some(isTooLarge) ? asWritten(list, isCell ? value : json, isCell ? undefined : field) : list;
  const elements = written.map(element => (typeof element === 'bigint' ? element.toString() : element));
  return elements.every(element => typeof element === 'string' || typeof element === 'number')
    ? elements
    : 'set has an element that is neither a string nor a number';
}

function isTooLarge(element: unknown): boolean {
  return typeof element === 'number' && Number.isInteger(element) && !Number.isSafeInteger(element);
}

/** Integers with more digits than a JavaScript number holds, as strings of the digits that the JSON text has. */
function asWritten(list: readonly unknown[], json: string | undefined, field: string | undefined): unknown[] {
  if (json === undefined) return [...list];
  const quoted = json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, token =>
    /^-?\d{16,}$/.test(token) ? `"${token}"` : token,
  );
  const value = JSON.parse(quoted) as Fields & unknown[];
  return field === undefined ? value : (value[field] as unknown[]);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function named(field: string, usual: string): string {
  return field === usual ? '' : ` (field ${JSON.stringify(field)})`;
}

function isTooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  for (const name in value) if (isTooDeep((value as Fields)[name], left - 1)) return true;
  return false;
}
