/** Documents and a --keep policy → the order in which they are kept: reference set, policy, input order. */
import type { Document, KeepSpec } from '../model.ts';
import type { RunOptions } from './run-options.ts';

export interface Keepable {
  readonly documents: readonly Document[];
  readonly protectedCount: number;
  setOf(item: number): BigUint64Array;
}

/** With containment, larger documents come first: a part is removed for its whole, not the other way round. */
export function keepOrder({ documents, protectedCount, setOf }: Keepable, { keep, measure }: RunOptions): Uint32Array {
  const order = Uint32Array.from(documents, (_, item) => item);
  const sizes = measure === 'containment' ? Uint32Array.from(documents, (_, item) => setOf(item).length) : undefined;
  if (keep.policy === 'first' && !sizes) return order;
  const rank = rankBy(keep, documents);
  return order.sort((a, b) => {
    const isProtected = Number(b < protectedCount) - Number(a < protectedCount);
    return isProtected || (sizes ? sizes[b]! - sizes[a]! : 0) || rank(a, b) || a - b;
  });
}

/** Negative when a goes before b by the policy alone. */
function rankBy(keep: KeepSpec, documents: readonly Document[]): (a: number, b: number) => number {
  if (!('field' in keep)) {
    if (keep.policy === 'first') return () => 0;
    const sign = keep.policy === 'longest' ? -1 : 1;
    const lengths = documents.map(lengthOf);
    return (a, b) => sign * (lengths[a]! - lengths[b]!);
  }
  const values = documents.map(document => keepValue(keep, document[keep.field]));
  return (a, b) => compareValues(values[a]!, values[b]!, signOf(keep));
}

/** What a field says about the turn of its document: the lower goes first. */
export interface KeepValue {
  readonly kind: number;
  readonly number: number;
  /** Empty unless the kind is text. */
  readonly text: string;
}

/** Numbers by value, then other values as text (dates of one form sort so), then documents without the field. */
export function compareValues(a: KeepValue, b: KeepValue, sign: number): number {
  if (a.kind !== b.kind) return a.kind - b.kind;
  if (a.kind === TEXT) return a.text === b.text ? 0 : sign * (a.text < b.text ? -1 : 1);
  return sign * (a.number - b.number);
}

export function keepValue(keep: KeepSpec, value: unknown): KeepValue {
  if (keep.policy === 'prefer') {
    const place = keep.values.indexOf(String(value));
    return { kind: NUMBER, number: place < 0 ? keep.values.length : place, text: '' };
  }
  const kind = kindOf(value);
  return { kind, number: kind === NUMBER ? Number(value) : 0, text: kind === TEXT ? String(value) : '' };
}

/** Of values that `compareValues` compares. */
export function signOf({ policy }: KeepSpec): number {
  return policy === 'max' ? -1 : 1;
}

/** Bytes of the text, elements of the set. */
export function lengthOf({ text, set }: Document): number {
  return text === undefined ? set!.length : new TextEncoder().encode(text).length;
}

const [NUMBER, TEXT, MISSING] = [0, 1, 2];

function kindOf(value: unknown): number {
  if (value === undefined || value === null || value === '') return MISSING;
  if (typeof value === 'string') return Number.isFinite(Number(value)) && value.trim() !== '' ? NUMBER : TEXT;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? NUMBER : TEXT;
}
