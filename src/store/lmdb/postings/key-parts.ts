/** Keys are hashes, hence uniform: all numbers of 32 bits in n parts of one size, and a half of a key in one of them. */

const HALF = 2 ** 32;

export function partOf(half: number, parts: number): number {
  return Math.floor((half / HALF) * parts);
}

/** How far into its part, from 0 to 1. */
export function wayInto(half: number, part: number, parts: number): number {
  return (half / HALF) * parts - part;
}

/** Those of the parts from one on, and before another. Rounding may be off by one, so it is one more. */
export function halvesBetween(first: number, end: number, parts: number): { lowest: number; highest: number } {
  return {
    lowest: Math.max(0, Math.floor((first / parts) * HALF) - 1),
    highest: Math.min(HALF - 1, Math.ceil((end / parts) * HALF) + 1),
  };
}
