/** Verified pairs → components: items joined by a chain of pairs, of which the first in keep order is kept. */
import { type Keeping, kept, type Similarity } from './keeping.ts';
import { createUnionFind } from './union-find.ts';

export interface ConnectedClustering {
  /** Number of items; they are 0 … count − 1. */
  readonly count: number;
  /** Every item once, the one to keep first. */
  readonly order: ArrayLike<number>;
  /** Pairs at or above the threshold. */
  readonly pairs: Iterable<readonly [number, number]>;
  readonly similarity: Similarity;
}

/** Similarity is not transitive: the value of a removed item to the kept one may be below the threshold, even 0. */
export function clusterConnected({ count, order, pairs, similarity }: ConnectedClustering): Keeping {
  const linked = createUnionFind(count);
  for (const [a, b] of pairs) linked.union(a, b);
  const keptBy = keepFirstOfEach(count, order, linked.find);
  const values = new Float64Array(count).fill(1);
  for (let item = 0; item < count; item++) if (keptBy[item] !== kept) values[item] = similarity(item, keptBy[item]!);
  return { keptBy, similarity: values };
}

/** Of each component, the item that comes first in keep order is kept for the others. */
export function keepFirstOfEach(
  count: number,
  order: ArrayLike<number>,
  componentOf: (item: number) => number,
): Int32Array {
  const keptBy = new Int32Array(count).fill(kept);
  const firstOf = new Int32Array(count).fill(-1);
  for (let turn = 0; turn < order.length; turn++) {
    const item = order[turn]!;
    const component = componentOf(item);
    if (firstOf[component]! < 0) firstOf[component] = item;
    else keptBy[item] = firstOf[component]!;
  }
  return keptBy;
}
