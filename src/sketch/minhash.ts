/** MinHash sketches → estimates of resemblance; and the b-bit form, in which a minimum takes b bits. */

import { fail } from '../errors.ts';
import type { Estimate } from '../model.ts';
import { isEmpty, type MinHashSketch, type OnePermutationHashSketch } from './sketch.ts';

/** The share of equal minima; of b-bit ones, corrected for those that agree by chance. */
export function estimateByMinima(a: MinHashSketch, b: MinHashSketch): Estimate {
  if (isEmpty(a) || isEmpty(b)) return { value: 0, standardError: 0 };
  const agreement = equalValues(a.values, b.values) / a.size;
  const chance = a.bits === 32 ? 0 : 2 ** -a.bits;
  return {
    value: (agreement - chance) / (1 - chance),
    standardError: Math.sqrt((agreement * (1 - agreement)) / a.size) / (1 - chance),
  };
}

/**
 * Variance of the estimate when the resemblance is r: that of `size` coin flips, of b-bit minima a little more.
 *
 * @example
 * ```ts
 * Math.sqrt(minhashVariance(0.8, 128)); // → 0.035355339059327376
 * ```
 */
export function minhashVariance(resemblance: number, size: number, bits = 32): number {
  const chance = bits === 32 ? 0 : 2 ** -bits;
  const agreement = chance + (1 - chance) * resemblance;
  return (agreement * (1 - agreement)) / (size * (1 - chance) ** 2);
}

/**
 * The lecture's rule: similar when at least `matches` of the minima agree.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ sketch: 'minhash:100' });
 * const sketch = sketcher.sketch('one two three');
 * sketch.kind === 'minhash' && agreesInAtLeast(sketch, sketch, 90); // → true
 * ```
 */
export function agreesInAtLeast(a: MinHashSketch, b: MinHashSketch, matches: number): boolean {
  return !isEmpty(a) && !isEmpty(b) && equalValues(a.values, b.values) >= matches;
}

/**
 * The same sketch with only `bits` bits of each minimum.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ sketch: 'minhash:100' });
 * const sketch = sketcher.sketch('one two three');
 * sketch.kind === 'minhash' && keepBits(sketch, 1).bits; // → 1
 * ```
 */
export function keepBits(sketch: MinHashSketch, bits: number): MinHashSketch {
  if (bits > sketch.bits) fail('BAD_SKETCH', { reason: `it has ${sketch.bits} bits a minimum, ${bits} are wanted` });
  if (bits === sketch.bits) return sketch;
  if (isEmpty(sketch)) return { ...sketch, bits, values: new Uint32Array(0) };
  const mask = 2 ** bits - 1;
  const stirred = sketch.bits === 32 ? sketch.values.map(stirMinimum) : sketch.values;
  return { ...sketch, bits, values: stirred.map(value => value & mask) };
}

/**
 * A bijection on 32 bits (MurmurHash3's last step). The permutations of an element are a sum, h + a·l, whose last bits
 * repeat from one permutation to another: taken as they are, they made the variance of small sets up to 2.5 times too large.
 */
function stirMinimum(minimum: number): number {
  let x = Math.imul(minimum ^ (minimum >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** One-permutation sketches: the share of equal bins. */
export function estimateByBins(a: OnePermutationHashSketch, b: OnePermutationHashSketch): Estimate {
  if (isEmpty(a) || isEmpty(b)) return { value: 0, standardError: 0 };
  const value = equalValues(a.values, b.values) / a.size;
  const union = (elementsFilling(a.filled, a.size) + elementsFilling(b.filled, b.size)) / (1 + value);
  return { value, standardError: Math.sqrt(onePermutationVariance(value, a.size, Math.max(union, 1))) };
}

/**
 * Variance of the one-permutation estimate for a union of `union` elements. The bins that are filled hold a sample
 * without replacement; each empty one counts one of those again, so a filled bin counts 1 + Binomial times.
 */
export function onePermutationVariance(resemblance: number, bins: number, union: number): number {
  const filled = Math.max(1, expectedFilled(union, bins));
  const empty = bins - filled;
  const squares = filled + 3 * empty + Math.max(0, empty * (empty - 1)) / filled;
  // The chance that a second element of the sample is shared when a first one was.
  const second = union > 1 ? Math.max(0, (resemblance * union - 1) / (union - 1)) : resemblance;
  return Math.max(0, (resemblance * (squares + second * (bins * bins - squares))) / (bins * bins) - resemblance ** 2);
}

/** Bins that n elements fill, on average. */
export function expectedFilled(elements: number, bins: number): number {
  return -bins * Math.expm1(elements * Math.log1p(-1 / bins));
}

/** How many elements fill that many bins on average; all bins are filled by many more than there are bins. */
function elementsFilling(filled: number, bins: number): number {
  return filled >= bins ? bins * (Math.log(bins) + 1) : Math.log1p(-filled / bins) / Math.log1p(-1 / bins);
}

function equalValues(a: Uint32Array, b: Uint32Array): number {
  let equal = 0;
  for (let i = 0; i < a.length; i++) if (a[i] === b[i]) equal++;
  return equal;
}
