/** Samples of a set (MIN_s and MOD_m) → estimates of resemblance and, of MOD_m, containment. */
import type { Estimate } from '../model.ts';
import type { SampleSketch } from './sketch.ts';

/** The document's estimator: of the smallest s elements of the union, the share that is in both. */
export function estimateByBottom(a: SampleSketch, b: SampleSketch): Estimate {
  if (a.elements === 0 || b.elements === 0) return { value: 0, standardError: 0 };
  const { union, shared } = mergeCounts(a.values, b.values, a.size);
  return withError(shared / union, union, (a.elements + b.elements) / (1 + shared / union));
}

/** The share of the sampled union that is in both; undefined when nothing of two sets with elements was sampled. */
export function estimateByMod(a: SampleSketch, b: SampleSketch): Estimate | undefined {
  if (a.elements === 0 || b.elements === 0) return { value: 0, standardError: 0 };
  const [coarseA, coarseB] = sameModulus(a, b);
  const { union, shared } = mergeCounts(coarseA.values, coarseB.values, Number.POSITIVE_INFINITY);
  if (union === 0) return undefined;
  return withError(shared / union, union, (a.elements + b.elements) / (1 + shared / union));
}

/** Containment of a in b; undefined when nothing of a was sampled. */
export function estimateContainmentByMod(a: SampleSketch, b: SampleSketch): Estimate | undefined {
  if (a.elements === 0 || b.elements === 0) return { value: 0, standardError: 0 };
  const [coarseA, coarseB] = sameModulus(a, b);
  if (coarseA.values.length === 0) return undefined;
  const { shared } = mergeCounts(coarseA.values, coarseB.values, Number.POSITIVE_INFINITY);
  return withError(shared / coarseA.values.length, coarseA.values.length, a.elements);
}

/**
 * V_i keeps the elements that are 0 mod 2^i, for sets of 100·2^i to 100·2^(i+1) elements. (The document says that this
 * keeps 50 to 100 of them; its own formula keeps 100 to 200, and we follow the formula.)
 *
 * @example
 * ```ts
 * modulusFor(1000); // → 8
 * ```
 */
export function modulusFor(elements: number): number {
  return elements < 200 ? 1 : 2 ** Math.floor(Math.log2(elements / 100));
}

/**
 * V_j from V_i, j ≥ i: a coarser modulus keeps the elements it divides.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ sketch: 'mod:2' });
 * const sketch = sketcher.sketch('one two three');
 * sketch.kind === 'mod' && coarsen(sketch, 4).size; // → 4
 * ```
 */
export function coarsen(sketch: SampleSketch, modulus: number): SampleSketch {
  if (modulus === sketch.size) return sketch;
  return { ...sketch, size: modulus, values: sketch.values.filter(value => value % BigInt(modulus) === 0n) };
}

/** Variance of a share found in a sample without replacement of `sampled` out of `population`. */
export function sampleVariance(share: number, sampled: number, population: number): number {
  const left = population > 1 ? Math.max(0, (population - sampled) / (population - 1)) : 0;
  return ((share * (1 - share)) / sampled) * left;
}

/** Both at the least modulus that both divide. */
function sameModulus(a: SampleSketch, b: SampleSketch): [SampleSketch, SampleSketch] {
  const modulus = (a.size / greatestDivisor(a.size, b.size)) * b.size;
  return [coarsen(a, modulus), coarsen(b, modulus)];
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

function withError(value: number, sampled: number, population: number): Estimate {
  return { value, standardError: Math.sqrt(sampleVariance(value, sampled, population)) };
}

/** Walks the union of two sorted samples in order, up to `limit` elements. */
function mergeCounts(a: BigUint64Array, b: BigUint64Array, limit: number): { union: number; shared: number } {
  let union = 0;
  let shared = 0;
  for (let i = 0, j = 0; union < limit && (i < a.length || j < b.length); union++) {
    const x = a[i];
    const y = b[j];
    if (x !== undefined && x === y) shared++;
    const fromA = y === undefined || (x !== undefined && x <= y);
    const fromB = x === undefined || (y !== undefined && y <= x);
    if (fromA) i++;
    if (fromB) j++;
  }
  return { union, shared };
}
