/** Documents and a --keep policy → the order in which they are kept: reference set, policy, input order. */
import { fieldOf } from '../../formats/fields.ts';
import { elementText } from '../../kernel/element-text.ts';
import type { Document, KeepSpec } from '../../model.ts';
import type { RunOptions } from '../run-options.ts';

export interface Keepable {
  readonly documents: readonly Document[];
  readonly protectedCount: number;
  setOf(item: number): BigUint64Array;
}

/** With containment, larger documents come first: a part is removed for its whole, not the other way round. */
export function keepOrder({ documents, protectedCount, setOf }: Keepable, options: RunOptions): Uint32Array {
  const { keep } = options;
  return orderBy(
    {
      count: documents.length,
      protectedCount,
      sizeOf: item => setOf(item).length,
      lengthOf: item => lengthOf(documents[item]!),
      valueOf: item => keepValue(keep, 'field' in keep ? fieldOf(documents[item]!, keep.field) : undefined),
    },
    options,
  );
}

/** What keep order goes by; only what the policy needs is asked for, once for each item. */
export interface Ranked {
  readonly count: number;
  readonly protectedCount: number;
  /** Of its set of shingles. */
  sizeOf(item: number): number;
  lengthOf(item: number): number;
  valueOf(item: number): KeepValue;
}

export function orderBy(items: Ranked, { keep, measure }: RunOptions): Uint32Array {
  const { count, protectedCount } = items;
  const order = Uint32Array.from({ length: count }, (_, item) => item);
  if (isInputOrder({ keep, measure })) return order;
  const sizes = measure === 'containment' ? order.map(item => items.sizeOf(item)) : undefined;
  const rank = rankBy(keep, items);
  for (const part of [order.subarray(0, protectedCount), order.subarray(protectedCount)])
    part.sort((a, b) => (sizes ? sizes[b]! - sizes[a]! : 0) || rank(a, b) || a - b);
  return order;
}

export function isInputOrder({ keep, measure }: Pick<RunOptions, 'keep' | 'measure'>): boolean {
  return keep.policy === 'first' && measure !== 'containment';
}

/** Negative when a goes before b by the policy alone. */
function rankBy(keep: KeepSpec, { count, ...items }: Ranked): (a: number, b: number) => number {
  if (!('field' in keep)) {
    if (keep.policy === 'first') return () => 0;
    const sign = keep.policy === 'longest' ? -1 : 1;
    const lengths = Uint32Array.from({ length: count }, (_, item) => items.lengthOf(item));
    return (a, b) => sign * (lengths[a]! - lengths[b]!);
  }
  const values = Array.from({ length: count }, (_, item) => items.valueOf(item));
  return (a, b) => compareValues(values[a]!, values[b]!, signOf(keep));
}

/** What a field says about the place of its document in keep order: the lower goes first. */
export interface KeepValue {
  readonly kind: number;
  readonly number: number;
  /** Of a text, the text; of a whole number that a double does not hold, its digits; else empty. */
  readonly text: string;
}

/** Numbers by value, then other values as text (dates of one form sort so), then documents without the field. */
function compareValues(a: KeepValue, b: KeepValue, sign: number): number {
  if (a.kind !== b.kind) return a.kind - b.kind;
  if (a.kind === TEXT) return sign * compareCodePoints(a.text, b.text);
  if (a.number !== b.number) return sign * (a.number - b.number);
  if (a.text === b.text) return 0;
  return sign * (wholeOf(a) < wholeOf(b) ? -1 : 1);
}

function wholeOf({ number, text }: KeepValue): bigint {
  return BigInt(text === '' ? number : text);
}

/** UTF-16 has the characters beyond U+FFFF before those from U+E000 on; by code point they come after them. */
function compareCodePoints(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return a.codePointAt(i)! - b.codePointAt(i)!;
  }
  return a.length - b.length;
}

export function keepValue(keep: KeepSpec, value: unknown): KeepValue {
  if (keep.policy === 'prefer') {
    const place = keep.values.indexOf(String(value));
    return { kind: NUMBER, number: place < 0 ? keep.values.length : place, text: '' };
  }
  const kind = kindOf(value);
  if (kind !== NUMBER) return { kind, number: 0, text: kind === TEXT ? String(value) : '' };
  const number = Number(value);
  const digits = Number.isSafeInteger(number) ? '' : String(value).trim();
  return { kind, number, text: /^[+-]?\d+$/.test(digits) ? digits.replace(/^\+/, '') : '' };
}

/** Of values that `compareValues` compares. */
function signOf({ policy }: KeepSpec): number {
  return policy === 'max' ? -1 : 1;
}

/** Bytes of the text, distinct elements of the set. */
export function lengthOf({ text, set }: Document): number {
  return text === undefined ? new Set(set!.map(elementText)).size : new TextEncoder().encode(text).length;
}

const [NUMBER, TEXT, MISSING] = [0, 1, 2];

function kindOf(value: unknown): number {
  if (value === undefined || value === null || value === '') return MISSING;
  if (typeof value === 'string') return Number.isFinite(Number(value)) && value.trim() !== '' ? NUMBER : TEXT;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? NUMBER : TEXT;
}
