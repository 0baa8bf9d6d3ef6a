/** A sorted sketch → its super shingles (hashes of runs of it) → a meta-sketch. They propose candidates and estimate nothing. */
import { GOLDEN, mix, u64 } from '../kernel/hash.ts';
import type { SampleSketch } from './sketch.ts';

/** Elements in a super shingle: six of a sketch of 84 give a pair of resemblance 0.8 many in common, one of 0.2 hardly any. */
export const SUPER_SHINGLE = 6;

/**
 * Runs of `size` neighbours of a sorted sketch, each hashed; of fewer than `size` elements, one run of them all.
 *
 * @example
 * ```ts
 * superShingles(BigUint64Array.of(1n, 2n, 3n, 4n), 3).length; // → 2
 * ```
 */
export function superShingles(sorted: BigUint64Array, size = SUPER_SHINGLE): BigUint64Array {
  if (sorted.length === 0) return new BigUint64Array(0);
  const count = Math.max(1, sorted.length - size + 1);
  const hashes = Array.from({ length: count }, (_, i) => hashRun(sorted.subarray(i, i + size)));
  return BigUint64Array.from(new Set(hashes)).sort();
}

/**
 * The smallest `size` super shingles: fewer to store, fewer pairs proposed.
 *
 * @example
 * ```ts
 * metaSketch(BigUint64Array.of(3n, 5n, 8n), 2); // → BigUint64Array(2) [ 3n, 5n ]
 * ```
 */
export function metaSketch(superShingleSet: BigUint64Array, size: number): BigUint64Array {
  return superShingleSet.slice(0, size);
}

/**
 * Whether two documents have at least `common` (one or two) super shingles in common.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ sketch: 'super' });
 * const sketch = sketcher.sketch('one two three four five six');
 * sketch.kind === 'super' && isSuperCandidate(sketch, sketch); // → true
 * ```
 */
export function isSuperCandidate(a: SampleSketch, b: SampleSketch, common = 1): boolean {
  const inB = new Set(b.values);
  let shared = 0;
  for (const value of a.values) if (inB.has(value) && ++shared >= common) return true;
  return false;
}

function hashRun(run: BigUint64Array): bigint {
  return run.reduce((hash, element) => mix(u64((hash ^ element) * GOLDEN)), BigInt(run.length));
}
