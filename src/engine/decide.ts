/** A corpus → for each document whether it stays, and if not, for which one it goes. */
import { keepFirstOfEach } from '../cluster/connected.ts';
import { clusterDirect } from '../cluster/direct.ts';
import { kept, type Similarity } from '../cluster/keeping.ts';
import { createUnionFind, type UnionFind } from '../cluster/union-find.ts';
import { type Buckets, createBuckets, limitOf, rowOf } from './buckets.ts';
import { createCompare } from './compare-items.ts';
import type { Corpus } from './corpus.ts';
import type { RunOptions } from './run-options.ts';

export function decide(corpus: Corpus, options: RunOptions): Int32Array {
  const buckets = createBuckets(corpus);
  const compare = createCompare(corpus, options);
  const keptBy = decideBy(
    { ...corpus, count: corpus.documents.length },
    buckets,
    (a, b, atLeast) => compare(a, b, atLeast).similarity,
    options,
  );
  // A reference document is never removed, not even for another one.
  return keptBy.fill(kept, 0, corpus.protectedCount);
}

export interface Deciding {
  readonly count: number;
  readonly protectedCount: number;
  /** The items to decide on, the one to keep first. */
  readonly order: Uint32Array;
  /** Equal texts may share the buckets of the first of them, which then stands for them all in there. */
  readonly firstOf?: Uint32Array;
}

export function decideBy(
  items: Deciding,
  buckets: Buckets,
  similarity: Similarity,
  { cluster, measure, threshold }: Pick<RunOptions, 'cluster' | 'measure' | 'threshold'>,
): Int32Array {
  if (cluster === 'direct') return direct(items, buckets, similarity, threshold);
  const isAlike = (a: number, b: number) => similarity(a, b) >= threshold;
  // Only containment depends on which of the two comes first.
  return connected(items, buckets, measure === 'containment' ? (a, b) => isAlike(a, b) || isAlike(b, a) : isAlike);
}

/** Only kept documents stand in the buckets, so m copies of one cost m − 1 comparisons. */
function direct(items: Deciding, buckets: Buckets, similarity: Similarity, threshold: number): Int32Array {
  const { bucketsOf, itemsOf } = buckets;
  // The kept items of each bucket are a linked list: `last` has the newest entry, `previous` the one before each entry.
  const last = new Int32Array(itemsOf.starts.length - 1).fill(NONE);
  const previous = new Int32Array(bucketsOf.values.length);
  const itemAt = new Uint32Array(bucketsOf.values.length);
  const keptCount = new Uint32Array(itemsOf.starts.length - 1);
  const found: number[] = [];
  return clusterDirect({
    count: items.count,
    order: items.order,
    candidatesOf(item) {
      found.length = 0;
      const row = items.firstOf ? items.firstOf[item]! : item;
      for (let i = bucketsOf.starts[row]!; i < bucketsOf.starts[row + 1]!; i++) {
        for (let entry = last[bucketsOf.values[i]!]!; entry !== NONE; entry = previous[entry]!)
          found.push(itemAt[entry]!);
      }
      return found;
    },
    similarity: (item, keptItem, atLeast) => (item < items.protectedCount ? -1 : similarity(item, keptItem, atLeast)),
    threshold,
    onKept(item) {
      if (items.firstOf && items.firstOf[item] !== item) return;
      for (let i = bucketsOf.starts[item]!; i < bucketsOf.starts[item + 1]!; i++) {
        const bucket = bucketsOf.values[i]!;
        if (keptCount[bucket]!++ >= limitOf(buckets, bucket)) continue;
        itemAt[i] = item;
        previous[i] = last[bucket]!;
        last[bucket] = i;
      }
    },
  }).keptBy;
}

const NONE = -1;

/** Components of the verified pairs; the first in keep order is kept. */
function connected(items: Deciding, buckets: Buckets, areAlike: (a: number, b: number) => boolean): Int32Array {
  const { itemsOf } = buckets;
  const linked = createUnionFind(items.count);
  for (let turn = 0; turn + 1 < itemsOf.starts.length; turn++) {
    const bucket = buckets.turns ? buckets.turns[turn]! : turn;
    linkBucket(rowOf(itemsOf, bucket), limitOf(buckets, bucket), linked, areAlike);
  }
  return keepFirstOfEach(items.count, items.order, item => linked.find(items.firstOf ? items.firstOf[item]! : item));
}

/** Each item is compared with the parts of the bucket it is not yet linked to, until one member of a part is alike. */
function linkBucket(
  items: Uint32Array,
  limit: number,
  linked: UnionFind,
  areAlike: (a: number, b: number) => boolean,
): void {
  const parts: number[][] = [];
  for (const item of items) {
    let home: number[] | undefined;
    for (let i = parts.length - 1; i >= 0; i--) {
      const part = parts[i]!;
      const isLinked = linked.find(part[0]!) === linked.find(item);
      if (!isLinked && !part.some(member => areAlike(member, item))) continue;
      linked.union(part[0]!, item);
      if (home) {
        for (const member of part) home.push(member);
        parts.splice(i, 1);
      } else home = part;
    }
    if (home) home.push(item);
    else if (parts.length < limit) parts.push([item]);
  }
}
