/** Words → shingles as text: what the hashes stand for. */
import type { ShingleSpec } from '../model.ts';

/**
 * Runs of K words joined by spaces, or of K code points of the words so joined; each once, in order of first appearance.
 *
 * @example
 * ```ts
 * shingleTexts(['a', 'rose', 'is', 'a', 'rose'], { unit: 'word', size: 2 }); // → [ 'a rose', 'rose is', 'is a' ]
 * ```
 */
export function shingleTexts(words: readonly string[], { unit, size }: ShingleSpec, overlapping = true): string[] {
  const tokens = unit === 'word' ? words : Array.from(words.join(' '));
  const runs = runsOf(tokens.length, size, overlapping);
  return [...new Set(runs.map(start => tokens.slice(start, start + size).join(unit === 'word' ? ' ' : '')))];
}

/**
 * The hashes of the same shingles, out of those of all runs in order, repeats included.
 *
 * @example
 * ```ts
 * shingleHashesOf(BigUint64Array.of(3n, 5n, 3n), { unit: 'word', size: 2 }); // → BigUint64Array(2) [ 3n, 5n ]
 * ```
 */
export function shingleHashesOf(hashes: BigUint64Array, { size }: ShingleSpec, overlapping = true): BigUint64Array {
  const chosen = overlapping ? hashes : hashes.filter((_, i) => i % size === 0);
  return BigUint64Array.from(new Set(chosen));
}

/** Where runs start: at each token, or at every K-th; fewer than K tokens are one run. Of a cut text the last run is whole or not there. */
function runsOf(tokens: number, size: number, overlapping: boolean): number[] {
  if (tokens === 0) return [];
  const last = Math.max(0, tokens - size);
  const step = overlapping ? 1 : size;
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
}
