/** Candidate keys of all documents → buckets: groups of two or more that share a key. */

import { finish, type Steps } from '../../cluster/steps.ts';
import { halvesOf } from '../analyse/key-arrays.ts';
import { sortedOrderSteps } from './radix.ts';

/** Rows of numbers, one after another: row i is values[starts[i] … starts[i + 1]]. */
export interface Rows {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

export interface Buckets {
  /** Items of each bucket, ascending. */
  readonly itemsOf: Rows;
  /** Buckets of each item, ascending. */
  readonly bucketsOf: Rows;
  /** The first buckets, this many, are of elements that may be boilerplate: `limitOf` tells what follows. */
  readonly limited: number;
  /** Buckets in the order to go through them, if not by their numbers. */
  readonly order?: Uint32Array;
}

export interface Keyed {
  /** A list for each item. */
  readonly keys: readonly BigUint64Array[];
  readonly elements: readonly BigUint64Array[];
  readonly contents: Uint32Array;
  readonly groups: Uint32Array | undefined;
}

/** Unlike documents that may share an element before it counts as boilerplate. */
export const MAX_POSTINGS = 1000;

/**
 * Equal texts share a bucket too, so that documents without words can be found equal. Documents of different groups
 * share none (those of group 2²¹ and up may, and are told apart when they are compared).
 */
export function createBuckets(keyed: Keyed): Buckets {
  return finish(bucketSteps(keyed));
}

/** The same, with checkpoints. */
export function* bucketSteps({ keys, elements, contents, groups }: Keyed): Steps<Buckets> {
  const limited = yield* groupSteps(yield* keyedItemSteps(elements), groups);
  const byKey = yield* groupSteps(yield* keyedItemSteps(keys), groups);
  const byContent = yield* groupSteps(itemsByContent(contents), groups);
  const itemsOf = yield* rowSteps([...limited, ...byKey, ...byContent]);
  return { itemsOf, bucketsOf: yield* transposedSteps(itemsOf, contents.length), limited: limited.length };
}

/** How many unlike items of a bucket are compared with one another: an element of more of them is boilerplate. */
export function limitOf({ limited }: Buckets, bucket: number): number {
  return bucket < limited ? MAX_POSTINGS : Number.POSITIVE_INFINITY;
}

/** Items, each beside the halves of a key that it has. */
export interface KeyedItems {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly items: Uint32Array;
}

export function* keyedItemSteps(keys: readonly BigUint64Array[]): Steps<KeyedItems> {
  const total = keys.reduce((sum, itemKeys) => sum + itemKeys.length, 0);
  const keyed = { low: new Uint32Array(total), high: new Uint32Array(total), items: new Uint32Array(total) };
  let at = 0;
  for (let item = 0; item < keys.length; item++) {
    const itemKeys = keys[item]!;
    if (item % STRETCH === 0) yield;
    const halves = halvesOf(itemKeys);
    for (let i = 0; i < itemKeys.length; i++, at++) {
      keyed.low[at] = halves[2 * i]!;
      keyed.high[at] = halves[2 * i + 1]!;
      keyed.items[at] = item;
    }
  }
  return keyed;
}

function itemsByContent(contents: Uint32Array): KeyedItems {
  return {
    low: contents,
    high: new Uint32Array(contents.length),
    items: Uint32Array.from(contents, (_, item) => item),
  };
}

/** Items, or runs of equal keys, between two checkpoints: a few milliseconds at most. */
const STRETCH = 256;

/** Groups of two or more. Keys are sorted by their low halves; runs of equal low halves are told apart by high half and group. */
export function* groupSteps({ low, high, items }: KeyedItems, groups: Uint32Array | undefined): Steps<number[][]> {
  yield;
  const order = yield* sortedOrderSteps(low);
  const found: number[][] = [];
  let runs = 0;
  for (let start = 0, end = 0; start < order.length; start = end) {
    if (++runs % STRETCH === 0) yield;
    const key = low[order[start]!];
    for (end = start + 1; end < order.length && low[order[end]!] === key; ) end++;
    if (end - start === 1) continue;
    const parts = new Map<number, number[]>();
    for (let i = start; i < end; i++) {
      const at = order[i]!;
      const item = items[at]!;
      // Below 2⁵³, where numbers are exact.
      const part = high[at]! + ((groups?.[item] ?? 0) % 0x200000) * 2 ** 32;
      const bucket = parts.get(part);
      if (!bucket) parts.set(part, [item]);
      else if (bucket.at(-1) !== item) bucket.push(item);
    }
    for (const bucket of parts.values()) if (bucket.length > 1) found.push(bucket);
  }
  return found;
}

/** Rows, and values, between two checkpoints. */
const ROWS = 2 ** 14;
const VALUES = 2 ** 20;

export function* rowSteps(rows: readonly (readonly number[])[]): Steps<Rows> {
  const starts = new Uint32Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++) starts[i + 1] = starts[i]! + rows[i]!.length;
  yield;
  const values = new Uint32Array(starts[rows.length]!);
  for (let i = 0; i < rows.length; i++) {
    values.set(rows[i]!, starts[i]);
    if (i % ROWS === 0) yield;
  }
  return { starts, values };
}

/** Rows of items for each bucket → rows of buckets for each item. */
export function transposed(rows: Rows, itemCount: number): Rows {
  return finish(transposedSteps(rows, itemCount));
}

export function* transposedSteps({ starts, values }: Rows, itemCount: number): Steps<Rows> {
  const turnedStarts = new Uint32Array(itemCount + 1);
  for (let at = 0; at < values.length; at++) {
    turnedStarts[values[at]! + 1]!++;
    if (at % VALUES === 0) yield;
  }
  for (let item = 0; item < itemCount; item++) turnedStarts[item + 1]! += turnedStarts[item]!;
  yield;
  const fill = turnedStarts.slice();
  const turnedValues = new Uint32Array(values.length);
  for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
    for (let i = starts[bucket]!; i < starts[bucket + 1]!; i++) turnedValues[fill[values[i]!]!++] = bucket;
    if (bucket % ROWS === 0) yield;
  }
  return { starts: turnedStarts, values: turnedValues };
}

export function rowOf({ starts, values }: Rows, row: number): Uint32Array {
  return values.subarray(starts[row]!, starts[row + 1]!);
}

/** Whether two items share a bucket of which this holds; asked with the place of the bucket among those of the second. */
export function someShared(
  { bucketsOf: { starts, values } }: Buckets,
  a: number,
  b: number,
  holds: (place: number) => boolean,
): boolean {
  const [endA, endB] = [starts[a + 1]!, starts[b + 1]!];
  for (let i = starts[a]!, j = starts[b]!; i < endA && j < endB; ) {
    const [bucketA, bucketB] = [values[i]!, values[j]!];
    if (bucketA === bucketB && holds(j)) return true;
    if (bucketA <= bucketB) i++;
    if (bucketB <= bucketA) j++;
  }
  return false;
}
