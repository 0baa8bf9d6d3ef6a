/** Verified pairs → components: items joined by a chain of pairs, of which the first in keep order is kept. */
import { type Keeping, keepAll, type Similarity } from './keeping.ts';
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
  const result = keepAll(count);
  const keptOf = new Int32Array(count).fill(-1); // by the item that stands for the component
  for (let turn = 0; turn < order.length; turn++) {
    const item = order[turn]!;
    const component = linked.find(item);
    const keptItem = keptOf[component]!;
    if (keptItem < 0) {
      keptOf[component] = item;
    } else {
      result.keptBy[item] = keptItem;
      result.similarity[item] = similarity(item, keptItem);
    }
  }
  return result;
}
