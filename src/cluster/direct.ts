/** Items in keep order and their candidates → for each, the most similar kept item, never through a chain. */
import { type Keeping, keepAll, type Similarity } from './keeping.ts';
import type { Steps } from './steps.ts';

export interface DirectClustering {
  /** Number of items; they are 0 … count − 1. */
  readonly count: number;
  /** Every item once, the one to keep first. */
  readonly order: ArrayLike<number>;
  /**
   * Calls `see` for the items that share a bucket with this one; itself and repeats may be among them, they are passed
   * over. Who can no longer be better than the best need not be among them.
   */
  readonly visitCandidates: (item: number, see: (candidate: number) => void, best: Best) => void;
  /** What has to be done before the candidates of this item are visited, if anything, with checkpoints of its own. */
  readonly prepare?: ((item: number) => Steps<void> | undefined) | undefined;
  readonly similarity: Similarity;
  readonly threshold: number;
  /**
   * Told of each item as it is kept. With it the caller can put only kept items into its buckets, so that
   * `visitCandidates` does not list a bucket of m copies m times.
   */
  readonly onKept?: (item: number) => void;
}

/** The kept item that is most similar to the one whose turn it is, of those seen so far. */
export interface Best {
  /** The threshold, as long as none has reached it. */
  readonly similarity: number;
  /** Whether it comes before the other kept item in keep order; false as long as there is none. */
  isBefore(keptItem: number): boolean;
}

/**
 * An item goes if a kept candidate is at or above the threshold; named is the most similar one, on a tie the earlier in
 * keep order. Only kept items are compared with: a bucket of m copies costs m − 1 comparisons. There is a checkpoint at
 * every item.
 */
export function* clusterDirectSteps(clustering: DirectClustering): Steps<Keeping> {
  const { count, order, visitCandidates, prepare, similarity, threshold, onKept } = clustering;
  const result = keepAll(count);
  const keptAt = new Int32Array(count).fill(NOT_KEPT); // where in keep order an item was kept
  const comparedWith = new Int32Array(count).fill(NONE); // the last item each one was compared with
  const best = {
    item: NONE,
    similarity: threshold,
    isBefore: (keptItem: number) => best.item !== NONE && keptAt[best.item]! < keptAt[keptItem]!,
  };
  let item = NONE;
  const see = (candidate: number) => {
    // An item is kept only after it was looked at, so it is never compared with itself.
    if (keptAt[candidate] === NOT_KEPT || comparedWith[candidate] === item) return;
    if (best.similarity >= MOST_SIMILAR && best.isBefore(candidate)) return;
    comparedWith[candidate] = item;
    const value = similarity(item, candidate, best.similarity);
    if (value > best.similarity || (value === best.similarity && !best.isBefore(candidate))) {
      best.item = candidate;
      best.similarity = value;
    }
  };
  for (let rank = 0; rank < order.length; rank++) {
    yield;
    item = order[rank]!;
    const preparation = prepare?.(item);
    if (preparation) yield* preparation;
    best.item = NONE;
    best.similarity = threshold;
    visitCandidates(item, see, best);
    if (best.item === NONE) {
      keptAt[item] = rank;
      onKept?.(item);
    } else {
      result.keptBy[item] = best.item;
      result.similarity[item] = best.similarity;
    }
  }
  return result;
}

/** No measure says more of two items. */
const MOST_SIMILAR = 1;
/** No item. */
const NONE = -1;
/** No rank in keep order: removed, or not looked at yet. */
const NOT_KEPT = -1;
