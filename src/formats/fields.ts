/** The fields of one record → a document, or the reason why it is none. */
import { elementText } from '../kernel/element-text.ts';
import type { Document } from '../model.ts';
import { type DocumentItem, type Fields, type ReadOptions, type RejectItem, rejectItem, type Source } from './item.ts';
import { elementTexts, fieldText } from './json/raw-json.ts';

/** JSON.stringify and structured clone recurse; deeper than this they may run out of stack. */
const DEEPEST = 500;

export interface FieldRules extends ReadOptions {
  /** Turns a text field into text, when `--html always` says it is HTML. */
  readonly toText?: (html: string) => string;
}

/** `json` is the text the fields were read from, if they were. */
export function toDocument(
  fields: Fields,
  rules: FieldRules,
  source: Source,
  json?: string,
): Pick<DocumentItem, 'document' | 'isUnnamed'> | string {
  if (isTooDeep(fields, DEEPEST)) return `nested more than ${DEEPEST} levels deep`;
  const content = contentOf(fields, rules, json);
  if (typeof content === 'string') return content;
  const id = ownId(fieldOf(fields, rules.idField), rules, json);
  const document = { ...fields, ...exactIntegers(fields, rules, json), ...content };
  if (id !== undefined) return { document: { ...document, id } };
  return { document: { ...document, id: `${source.file}:${source.line}` }, isUnnamed: true };
}

/** Under the whole name of a nested field, which comes before what is nested. */
function exactIntegers(fields: Fields, { exactFields = [] }: FieldRules, json: string | undefined): Fields {
  const exact: Record<string, bigint> = {};
  for (const name of exactFields) {
    const text = json && isTooLarge(fieldOf(fields, name)) ? fieldText(json, name) : undefined;
    if (text !== undefined && INTEGER.test(text)) exact[name] = BigInt(text);
  }
  return exact;
}

const INTEGER = /^-?\d+$/;

function contentOf(
  fields: Fields,
  { setField, textField, toText }: FieldRules,
  json?: string,
): Pick<Document, 'text' | 'set'> | string {
  if (setField !== undefined) {
    const set = setOf(fieldOf(fields, setField), setField, json);
    return typeof set === 'string' ? `${set}${named(setField, 'set')}` : { set };
  }
  const text = fieldOf(fields, textField);
  // Parquet says NULL where JSON may leave the field out.
  if (text === undefined || text === null) return textReason('missing', textField);
  if (typeof text !== 'string') return textReason('is not a string', textField);
  return { text: toText ? toText(text) : text };
}

export function textReason(what: 'missing' | 'is not a string', textField: string): string {
  return `text ${what}${named(textField, 'text')}`;
}

/** The field of that name if there is one; otherwise `meta.lang` is the field `lang` inside `meta`. */
export function fieldOf(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const outer = own(fields, name.slice(0, dot));
    const inner = isFields(outer) ? fieldOf(outer, name.slice(dot + 1)) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** For tables: one reject that says which columns there are helps more than one for each row. */
export function rejectMissingColumn(
  columns: readonly string[],
  { setField, textField }: Pick<FieldRules, 'setField' | 'textField'>,
  source: Source,
): RejectItem | undefined {
  const needed = setField ?? textField;
  if (columns.some(column => needed === column || needed.startsWith(`${column}.`))) return undefined;
  const what = setField === undefined ? 'text' : 'set';
  const reason = `${what} missing: no column ${JSON.stringify(needed)} among ${columns.join(', ')}`;
  return { ...rejectItem(source, reason), endsFile: true };
}

/** Undefined when there is none, or nothing that can name a document: null, the empty string, a list. */
function ownId(id: unknown, rules: FieldRules, json = ''): string | undefined {
  if (typeof id === 'string') return id === '' ? undefined : id;
  if (typeof id === 'bigint') return String(id);
  if (typeof id !== 'number') return undefined;
  // From Parquet a number comes without a text.
  return (json && fieldText(json, rules.idField)) || elementText(id);
}

/** A set in a CSV cell is a JSON array. */
function setOf(value: unknown, field: string, json: string | undefined): (string | number)[] | string {
  const isCell = typeof value === 'string' && value.startsWith('[');
  const list = isCell ? parsed(value) : value;
  if (list === undefined || list === null) return 'set missing';
  if (!Array.isArray(list)) return 'set is not an array';
  const written = () => (isCell ? value : json && fieldText(json, field));
  return elementsOf(list, written) ?? 'set has an element that is neither a string nor a number';
}

/**
 * Undefined if one is neither a string nor a number. Of integers with more digits than a JavaScript number holds, the
 * digits that the JSON text (if there is one) has.
 */
export function elementsOf(
  list: readonly unknown[],
  written: () => string | undefined,
): (string | number)[] | undefined {
  const json = list.some(isTooLarge) ? written() : undefined;
  const texts = json === undefined ? [] : elementTexts(json);
  const elements = list.map((element, at) => {
    if (typeof element === 'bigint') return element.toString();
    return isTooLarge(element) && INTEGER.test(texts[at] ?? '') ? texts[at]! : element;
  });
  return elements.every(element => typeof element === 'string' || typeof element === 'number') ? elements : undefined;
}

function isTooLarge(element: unknown): boolean {
  return typeof element === 'number' && Number.isInteger(element) && !Number.isSafeInteger(element);
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

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function named(field: string, usual: string): string {
  return field === usual ? '' : ` (field ${JSON.stringify(field)})`;
}

function isTooDeep(value: unknown, left: number): boolean {
  if (!isFields(value)) return false;
  if (left === 0) return true;
  for (const name in value) if (isTooDeep(value[name], left - 1)) return true;
  return false;
}
