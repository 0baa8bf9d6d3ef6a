/** Sets whose elements stand in one order → what two of them can share, told from the first element that both have. */

/**
 * All that two sets share stands at or behind the first element they share, so it is no more than the `left` elements that
 * either has from there on. Divided as the resemblance itself is, so that rounding cannot part the two.
 */
export function mostResemblance(sizeA: number, leftA: number, sizeB: number, leftB: number): number {
  const shared = Math.min(leftA, leftB);
  return shared / (sizeA + sizeB - shared);
}

/** How many of a set's first elements matter: two sets at or above the threshold share one that is among these in both. */
export function prefixLength(size: number, threshold: number): number {
  let length = Math.max(0, Math.floor((1 - threshold) * size) - 1);
  while (length < size && (size - length) / size >= threshold) length++;
  return length;
}

/** The same for partners that are no smaller: more must be shared with them. */
export function innerPrefixLength(size: number, threshold: number): number {
  let length = Math.max(0, Math.floor(((1 - threshold) / (1 + threshold)) * size) - 1);
  while (length < size && mostResemblance(size, size - length, size, size - length) >= threshold) length++;
  return length;
}

/** More than rounding changes in a product of sizes, and less than one element. */
const ROUNDING = 1e-6;

/** The size of the largest set that can reach the threshold if the first element that both share has this index. */
export function largestPartner(size: number, index: number, threshold: number): number {
  const left = size - index;
  return Math.floor(Math.min((left * (1 + threshold)) / threshold - size, size / threshold) + ROUNDING);
}

/** What the sets that have an element, and one that has it at a place of its order, can reach at most. */
export interface PlaceBound {
  /** Of the one that looks its size and what is left from the place on, then the same of those that are found. */
  most(size: number, left: number, foundSize: number, foundLeft: number): number;
  /** Whether it depends on the size and the place in the sets that are found. */
  readonly isOfBoth: boolean;
}

export const resemblanceBound: PlaceBound = { most: mostResemblance, isOfBoth: true };
/** Of the one that looks, what is in the others. */
export const containmentBound: PlaceBound = { most: (size, left) => left / size, isOfBoth: false };
/** Of those that are found, what is in the one that looks: all of their prefixes matter. */
export const containingBound: PlaceBound = { most: () => 1, isOfBoth: false };
