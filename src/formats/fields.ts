/** The fields of one record → a document, or the reason why it is none. */
import type { Document } from '../model.ts';
import { type Fields, type ReadOptions, type RejectItem, rejectItem, type Source } from './item.ts';

/** JSON.stringify and structured clone recurse; deeper than this they may run out of stack. */
const DEEPEST = 500;

export interface FieldRules extends ReadOptions {
  /** Turns a text field into text, when `--html always` says it is HTML. */
  readonly toText?: (html: string) => string;
  /** The id of a record that has none. */
  readonly defaultId: string;
  /** A CSV cell or Parquet value may be empty for "absent"; JSON can leave the field out. */
  readonly emptyIdIsAbsent?: boolean;
  /** The number as it was written, when JavaScript cannot hold all its digits. */
  readonly idAsWritten?: (id: number) => string | undefined;
}

export function toDocument(fields: Fields, rules: FieldRules): Document | string {
  const id = idOf(fields, rules);
  if (id === undefined) return `id is neither a string nor a number${named(rules.idField, 'id')}`;
  if (isTooDeep(fields, DEEPEST)) return `nested more than ${DEEPEST} levels deep`;
  if (rules.setField !== undefined) {
    const set = setOf(own(fields, rules.setField));
    return typeof set === 'string' ? `${set}${named(rules.setField, 'set')}` : { ...fields, id, set };
  }
  const text = own(fields, rules.textField);
  if (text === undefined) return `text missing${named(rules.textField, 'text')}`;
  if (typeof text !== 'string') return `text is not a string${named(rules.textField, 'text')}`;
  return { ...fields, id, text: rules.toText ? rules.toText(text) : text };
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

function idOf(fields: Fields, rules: FieldRules): string | undefined {
  const id = own(fields, rules.idField);
  if (id === undefined) return rules.defaultId;
  if (rules.emptyIdIsAbsent && (id === null || id === '')) return rules.defaultId;
  if (typeof id === 'string') return id;
  if (typeof id === 'bigint') return id.toString();
  if (typeof id !== 'number') return undefined;
  if (Number.isSafeInteger(id)) return String(id);
  return rules.idAsWritten?.(id) ?? (Number.isInteger(id) ? BigInt(id).toString() : String(id));
}

/** A set in a CSV cell is a JSON array. */
function setOf(value: unknown): (string | number)[] | string {
  const list = typeof value === 'string' && value.startsWith('[') ? parsed(value) : value;
  if (list === undefined || list === null) return 'set missing';
  if (!Array.isArray(list)) return 'set is not an array';
  const elements = list.map(element => (typeof element === 'bigint' ? element.toString() : element));
  return elements.every(element => typeof element === 'string' || typeof element === 'number')
    ? elements
    : 'set has an element that is neither a string nor a number';
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
  for (const inner of Object.values(value)) if (isTooDeep(inner, left - 1)) return true;
  return false;
}
