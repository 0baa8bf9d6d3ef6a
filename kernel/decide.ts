/**
 * Items in keep order, their sets, and the buckets they share → which of them go, for which one each, and how alike the two are.
 * The twin is src/cluster/direct.ts with src/engine/decide/decide.ts; what differs is only that the kept items of a bucket stand
 * one behind another.
 *
 * At `base`, for n items, b buckets and v items of all buckets, one behind another:
 *
 *   f64  resemblance n, containment n                       of an item that goes and the one it goes for
 *   i32  keptBy n                                           the one it goes for, or −1
 *   u32  order n, firstOf n, contents n, sizes n, sets n    `sizes` and `sets` (addresses) of those that are the first of their text
 *   u32  bucketStarts n + 1, buckets v                      the buckets of each item
 *   u32  itemStarts b + 1                                   how many items the buckets before have
 *   u32  keptCounts b, keptIn v, keptAt n, comparedWith n   the kernel's own
 */
import { intersectionSize } from './sets';

const NONE: i32 = -1;

let resemblance: usize = 0;
let containment: usize = 0;
let keptBy: usize = 0;
let order: usize = 0;
let firstOf: usize = 0;
let contents: usize = 0;
let sizes: usize = 0;
let sets: usize = 0;
let bucketStarts: usize = 0;
let buckets: usize = 0;
let itemStarts: usize = 0;
let keptCounts: usize = 0;
let keptIn: usize = 0;
let keptAt: usize = 0;
let comparedWith: usize = 0;

let threshold: f64 = 0;
let comparisons: u32 = 0;

// Of the item whose turn it is: the most similar kept one so far.
let best: i32 = NONE;
let bestSimilarity: f64 = 0;
let bestShared: u32 = 0;

@inline
function at(numbers: usize, place: u32): u32 {
  return load<u32>(numbers + ((<usize>place) << 2));
}

@inline
function put(numbers: usize, place: u32, value: u32): void {
  store<u32>(numbers + ((<usize>place) << 2), value);
}

/** The bytes behind `base` that deciding takes. */
export function decideBytes(count: u32, bucketCount: u32, valueCount: u32): usize {
  place(0, count, bucketCount, valueCount);
  return comparedWith + ((<usize>count) << 2);
}

function place(base: usize, count: u32, bucketCount: u32, valueCount: u32): void {
  const words = (<usize>count) << 2;
  resemblance = base;
  containment = resemblance + 2 * words;
  keptBy = containment + 2 * words;
  order = keptBy + words;
  firstOf = order + words;
  contents = firstOf + words;
  sizes = contents + words;
  sets = sizes + words;
  bucketStarts = sets + words;
  buckets = bucketStarts + words + 4;
  itemStarts = buckets + ((<usize>valueCount) << 2);
  keptCounts = itemStarts + ((<usize>bucketCount + 1) << 2);
  keptIn = keptCounts + ((<usize>bucketCount) << 2);
  keptAt = keptIn + ((<usize>valueCount) << 2);
  comparedWith = keptAt + words;
}

/** Decides on the first `ordered` items of the order; others have −1 in keptBy. Returns how many comparisons it made. */
export function decideDirect(
  base: usize,
  count: u32,
  bucketCount: u32,
  valueCount: u32,
  ordered: u32,
  protectedCount: u32,
  newThreshold: f64,
): u32 {
  place(base, count, bucketCount, valueCount);
  threshold = newThreshold;
  comparisons = 0;
  memory.fill(keptBy, 0xff, (<usize>count) << 2);
  memory.fill(keptAt, 0xff, (<usize>count) << 2);
  memory.fill(comparedWith, 0xff, (<usize>count) << 2);
  memory.fill(keptCounts, 0, (<usize>bucketCount) << 2);
  for (let turn: u32 = 0; turn < ordered; turn++) {
    const item = at(order, turn);
    best = NONE;
    bestSimilarity = threshold;
    if (item >= protectedCount) seeCandidates(item);
    if (best == NONE) keep(item, turn);
    else remove(item);
  }
  return comparisons;
}

function seeCandidates(item: u32): void {
  const row = at(firstOf, item);
  if (row != item) see(item, row);
  for (let i = at(bucketStarts, row); i < at(bucketStarts, row + 1); i++) {
    const bucket = at(buckets, i);
    const first = at(itemStarts, bucket);
    const end = first + at(keptCounts, bucket);
    for (let entry = first; entry < end; entry++) see(item, at(keptIn, entry));
  }
}

/** Whether the best comes before the other kept one in keep order. */
@inline
function isBestBefore(candidate: u32): bool {
  return best != NONE && at(keptAt, <u32>best) < at(keptAt, candidate);
}

function see(item: u32, candidate: u32): void {
  if (<i32>at(keptAt, candidate) == NONE || at(comparedWith, candidate) == item) return;
  if (bestSimilarity >= 1 && isBestBefore(candidate)) return;
  put(comparedWith, candidate, item);
  const similarity = compare(item, candidate);
  if (similarity > bestSimilarity || (similarity == bestSimilarity && !isBestBefore(candidate))) {
    best = <i32>candidate;
    bestSimilarity = similarity;
    bestShared = shared;
  }
}

/** Elements that the last two have in common; not known of equal texts. */
let shared: u32 = 0;

function compare(item: u32, candidate: u32): f64 {
  comparisons++;
  if (at(contents, item) == at(contents, candidate)) return 1;
  const a = at(firstOf, item);
  const b = at(firstOf, candidate);
  const sizeA = at(sizes, a);
  const sizeB = at(sizes, b);
  if (<f64>min(sizeA, sizeB) / <f64>max(sizeA, sizeB) < threshold) return 0;
  const sum = <f64>(sizeA + sizeB);
  // One less, since the product is rounded.
  const least = max<f64>(0, Math.floor((bestSimilarity * sum) / (1 + bestSimilarity)) - 1);
  shared = intersectionSize(<usize>at(sets, a), sizeA, <usize>at(sets, b), sizeB, <u32>least);
  // A set without elements resembles nothing.
  return sizeA == 0 || sizeB == 0 ? 0 : <f64>shared / (sum - <f64>shared);
}

function keep(item: u32, turn: u32): void {
  put(keptAt, item, turn);
  // Equal texts share the buckets of the first of them.
  if (at(firstOf, item) != item) return;
  for (let i = at(bucketStarts, item); i < at(bucketStarts, item + 1); i++) {
    const bucket = at(buckets, i);
    const known = at(keptCounts, bucket);
    put(keptIn, at(itemStarts, bucket) + known, item);
    put(keptCounts, bucket, known + 1);
  }
}

function remove(item: u32): void {
  put(keptBy, item, <u32>best);
  const isEqual = at(contents, item) == at(contents, <u32>best);
  const size = at(sizes, at(firstOf, item));
  store<f64>(resemblance + ((<usize>item) << 3), isEqual ? 1 : bestSimilarity);
  store<f64>(containment + ((<usize>item) << 3), isEqual || size == 0 ? f64(isEqual) : <f64>bestShared / <f64>size);
}
