/** A corpus → for each document whether it stays, and if not, for which one it goes. */
import { clusterDirect } from '../cluster/direct.ts';
import { type Keeping, kept } from '../cluster/keeping.ts';
import { createUnionFind, type UnionFind } from '../cluster/union-find.ts';
import { type Buckets, createBuckets, rowOf } from './buckets.ts';
import { type CompareItems, createCompare } from './compare-items.ts';
import type { Corpus } from './corpus.ts';
import type { RunOptions } from './run-options.ts';

export function decide(corpus: Corpus, options: RunOptions): Int32Array {
  const buckets = createBuckets(corpus);
  const compare = createCompare(corpus, options);
  const { keptBy } =
    options.cluster === 'direct'
      ? direct(corpus, buckets, compare, options)
      : connected(corpus, buckets, compare, options);
  // A reference document is never removed, not even for another one.
  keptBy.fill(kept, 0, corpus.protectedCount);
  return keptBy;
}

/** Only kept documents stand in the buckets, so m copies of one cost m − 1 comparisons. */
function direct(
  corpus: Corpus,
  { bucketsOf, itemsOf }: Buckets,
  compare: CompareItems,
  { threshold }: RunOptions,
): Keeping {
  const keptIn: number[][] = Array.from({ length: itemsOf.starts.length - 1 }, () => []);
  return clusterDirect({
    count: corpus.documents.length,
    order: corpus.order,
    candidatesOf: function* (item) {
      for (const bucket of rowOf(bucketsOf, item)) yield* keptIn[bucket]!;
    },
    similarity: (item, keptItem) => (item < corpus.protectedCount ? -1 : compare(item, keptItem).similarity),
    threshold,
    onKept(item) {
      for (const bucket of rowOf(bucketsOf, item)) keptIn[bucket]!.push(item);
    },
  });
}

/** Components of the verified pairs; the first in keep order is kept. */
function connected(corpus: Corpus, { itemsOf }: Buckets, compare: CompareItems, { threshold }: RunOptions): Keeping {
  const count = corpus.documents.length;
  const linked = createUnionFind(count);
  const areAlike = (a: number, b: number) => Math.max(compare(a, b).similarity, compare(b, a).similarity) >= threshold;
  for (let bucket = 0; bucket + 1 < itemsOf.starts.length; bucket++)
    linkBucket(rowOf(itemsOf, bucket), linked, areAlike);
  const keptBy = new Int32Array(count).fill(kept);
  const keptOf = new Int32Array(count).fill(-1);
  for (const item of corpus.order) {
    const component = linked.find(item);
    if (keptOf[component]! < 0) keptOf[component] = item;
    else keptBy[item] = keptOf[component]!;
  }
  return { keptBy, similarity: new Float64Array(0) };
}

/** Each item is compared with the parts of the bucket it is not yet linked to, until one member of a part is alike. */
function linkBucket(items: Uint32Array, linked: UnionFind, areAlike: (a: number, b: number) => boolean): void {
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
    else parts.push([item]);
  }
}
