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
