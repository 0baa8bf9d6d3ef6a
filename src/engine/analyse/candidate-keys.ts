/** A document's sketch → its candidate keys: documents that share a key are candidates. */
import type { Kernel } from '../../kernel/contract.ts';
import { positionsOf } from '../../lsh/positions.ts';
import { hammingDistanceFor, hammingParts } from '../../sketch/simhash.ts';
import type { Sketch } from '../../sketch/sketch.ts';
import type { RunOptions } from '../run-options.ts';
import { toElementKeys } from './element-keys.ts';
import { joinKeys } from './key-arrays.ts';
import type { ShortTexts } from './short-texts.ts';

/** Documents that share one of either are candidates. */
export interface CandidateKeys {
  /** Of bands, super shingles, parts of a SimHash: made so that few documents share one. */
  readonly keys: BigUint64Array;
  /** Of a sample of the shingles: some may be boilerplate, which half a collection shares. */
  readonly elements: BigUint64Array;
}

type KeysOf = (sketch: Sketch, set: () => BigUint64Array) => CandidateKeys;

/** Containment is looked for in documents of this many shingles and more (70 words in runs of 5). */
export const SMALLEST_PART = 66;

export function createCandidateKeys(options: RunOptions, kernel: Kernel): KeysOf {
  const byResemblance = resemblanceKeys(options, kernel);
  if (options.measure !== 'containment') return byResemblance;
  const modulus = containmentModulus(options.threshold, options.recall);
  return (sketch, set) => {
    const { keys, elements } = byResemblance(sketch, set);
    const parts = toElementKeys(kernel.modOf(set(), modulus));
    return { keys, elements: elements.length === 0 ? parts : joinKeys([elements, parts]) };
  };
}

/** Keys of a short text: of its smallest shingles, and of its bands where it may resemble a longer one. */
export function shortKeys(few: BigUint64Array, short: ShortTexts, bands: () => CandidateKeys): CandidateKeys {
  const smallest = toElementKeys(few.slice(0, short.prefixes[few.length]));
  return { keys: few.length < short.bandsFrom ? smallest : joinKeys([bands().keys, smallest]), elements: none };
}

function resemblanceKeys(
  { sketch: { kind, size }, resolvedLsh, seed, threshold, recall }: RunOptions,
  kernel: Kernel,
): KeysOf {
  if (resolvedLsh) {
    const { bands } = resolvedLsh;
    const positions = positionsOf(resolvedLsh, size, seed);
    return ({ values }) =>
      values instanceof Uint32Array ? { keys: kernel.bandKeys(values, positions, bands), elements: none } : noKeys;
  }
  if (kind === 'simhash') {
    const parts = hammingParts(hammingDistanceFor(threshold, recall));
    return ({ values }) => (values instanceof BigUint64Array ? { keys: parts(values[0]!), elements: none } : noKeys);
  }
  return ({ values }) => {
    if (!(values instanceof BigUint64Array)) return noKeys;
    return kind === 'super' ? { keys: values, elements: none } : { keys: none, elements: values };
  };
}

const none = new BigUint64Array(0);
export const noKeys: CandidateKeys = { keys: none, elements: none };

/** The largest m of which a part of SMALLEST_PART shingles shares an element with its whole, with the wanted recall. */
export function containmentModulus(threshold: number, recall: number): number {
  let modulus = 1;
  while (missed(modulus * 2, threshold) <= 1 - recall) modulus *= 2;
  return modulus;
}

/** The chance that none of the shared shingles of a smallest part is 0 mod m: what containment candidates lose. */
export function missed(modulus: number, threshold: number): number {
  return (1 - 1 / modulus) ** (SMALLEST_PART * threshold);
}

/**
 * How many of a document's sampled shingles may be missing in a document that contains a share `threshold` of it, except
 * with a tenth of the chance that the recall leaves (Bernstein's bound).
 */
export function mostMissing(shingles: number, modulus: number, threshold: number, recall: number): number {
  const missing = (1 - threshold) * shingles;
  const variance = (missing * (modulus - 1)) / modulus ** 2;
  const chance = Math.log(10 / (1 - recall));
  const sampled = missing / modulus + chance / 3 + Math.sqrt((chance / 3) ** 2 + 2 * variance * chance);
  // No more than are missing at all; a share of n, times n, may be a little less than the number it was made of.
  return Math.min(sampled, Math.floor(missing + 1e-6));
}
