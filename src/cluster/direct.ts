/** Items in keep order and their candidates → for each, the most similar kept item, never through a chain. */
import { type Keeping, keepAll, kept, type Similarity } from './keeping.ts';

export interface DirectClustering {
  /** Number of items; they are 0 … count − 1. */
  readonly count: number;
  /** Every item once, the one to keep first. */
  readonly order: ArrayLike<number>;
  /** Items that share a bucket with this one; itself and repeats may be among them, they are passed over. */
  readonly candidatesOf: (item: number) => Iterable<number>;
  readonly similarity: Similarity;
  readonly threshold: number;
  /**
   * Told of each item as it is kept. With it the caller can put only kept items into its buckets, so that
   * `candidatesOf` does not list a bucket of m copies m times.
   */
  readonly onKept?: (item: number) => void;
}

/**
 * An item goes if a kept candidate is at or above the threshold; named is the most similar one, on a tie the earlier in
 * keep order. Only kept items are compared with: a bucket of m copies costs m − 1 comparisons.
 */
export function clusterDirect(clustering: DirectClustering): Keeping {
  const { count, order, candidatesOf, similarity, threshold, onKept } = clustering;
  const result = keepAll(count);
  const turns = new Int32Array(count).fill(notKept); // when an item was kept: its place in keep order
  const comparedWith = new Int32Array(count).fill(-1); // the last item each one was compared with
  for (let turn = 0; turn < order.length; turn++) {
    const item = order[turn]!;
    let best = kept;
    let bestSimilarity = threshold;
    for (const candidate of candidatesOf(item)) {
      // An item is kept only after its own turn, so it is never compared with itself.
      if (turns[candidate] === notKept || comparedWith[candidate] === item) continue;
      comparedWith[candidate] = item;
      const value = similarity(item, candidate, bestSimilarity);
      const earlierOfTie = value === bestSimilarity && (best === kept || turns[candidate]! < turns[best]!);
      if (value > bestSimilarity || earlierOfTie) {
        best = candidate;
        bestSimilarity = value;
      }
    }
    if (best === kept) {
      turns[item] = turn;
      onKept?.(item);
    } else {
      result.keptBy[item] = best;
      result.similarity[item] = bestSimilarity;
    }
  }
  return result;
}

const notKept = -1;
