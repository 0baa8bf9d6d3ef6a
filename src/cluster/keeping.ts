/** What both ways of clustering answer: for each item, which one is kept for it. */

export interface Keeping {
  /** The item kept in place of this one; −1 (`kept`) if it is kept itself. */
  readonly keptBy: Int32Array;
  /** Similarity to the item in `keptBy`; 1 for a kept item. */
  readonly similarity: Float64Array;
}

export const kept = -1;

/**
 * Similarity of an item to one that may be kept for it; containment is of the first in the second. A value below `atLeast`
 * makes no difference to the caller: any other below it will do.
 */
export type Similarity = (item: number, keptItem: number, atLeast?: number) => number;

export function keepAll(count: number): Keeping {
  return { keptBy: new Int32Array(count).fill(kept), similarity: new Float64Array(count).fill(1) };
}
