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
  const { field } = keep;
  if (keep.policy === 'prefer') {
    const { values } = keep;
    const places = documents.map(document => placeOf(values.indexOf(String(document[field])), values.length));
    return (a, b) => places[a]! - places[b]!;
  }
  const sign = keep.policy === 'max' ? -1 : 1;
  return (a, b) => compareValues(documents[a]![field], documents[b]![field], sign);
}

/** Bytes of the text, elements of the set. */
function lengthOf({ text, set }: Document): number {
  return text === undefined ? set!.length : new TextEncoder().encode(text).length;
}

function placeOf(index: number, values: number): number {
  return index < 0 ? values : index;
}

/** Numbers by value, then other values as text (dates of one form sort so), then documents without the field. */
function compareValues(a: unknown, b: unknown, sign: number): number {
  const kinds = [kindOf(a), kindOf(b)] as const;
  if (kinds[0] !== kinds[1]) return kinds[0] - kinds[1];
  if (kinds[0] === NUMBER) return sign * (Number(a) - Number(b));
  const [x, y] = [String(a), String(b)];
  return x === y ? 0 : sign * (x < y ? -1 : 1);
}

const [NUMBER, TEXT, MISSING] = [0, 1, 2];

function kindOf(value: unknown): number {
  if (value === undefined || value === null || value === '') return MISSING;
  if (typeof value === 'string') return Number.isFinite(Number(value)) && value.trim() !== '' ? NUMBER : TEXT;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? NUMBER : TEXT;
}
