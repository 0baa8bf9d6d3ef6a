/** Ascending numbers → the index where a number is, or would be, among them. */

/** The index of the last one that is at most this; 0 if all are above it. */
export function lastAtMost(values: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = values.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** The index of the first one that is not below this; the length if all are below it. */
export function firstAtLeast(values: ArrayLike<number>, least: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
