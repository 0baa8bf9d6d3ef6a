/** A document's sketch → its candidate keys: documents that share a key are candidates. */
import type { Kernel } from '../kernel/contract.ts';
import { GOLDEN, mix, u64 } from '../kernel/hash.ts';
import { bandPositions } from '../lsh/bands.ts';
import { selectPositions } from '../lsh/random-selection.ts';
import { hammingParts } from '../sketch/simhash.ts';
import type { Sketch } from '../sketch/sketch.ts';
import type { RunOptions } from './run-options.ts';

export interface CandidateKeys {
  /** Sorted for sketches that are samples, in band order for bands; none for a document without words. */
  of(sketch: Sketch, set: () => BigUint64Array): BigUint64Array;
  /** Keys of more documents than this say nothing; undefined when all count. */
  readonly maxDocuments?: number;
}

/** Containment is looked for in documents of this many shingles and more (70 words in runs of 5). */
const SMALLEST_PART = 66;
/** Elements that more documents share than this are boilerplate. */
const MAX_POSTINGS = 1000;
/** Bits in which two SimHashes may differ: past eight, the parts that must agree are too short to tell documents apart. */
const MAX_HAMMING = 8;

export function createCandidateKeys(options: RunOptions, kernel: Kernel): CandidateKeys {
  const byResemblance = resemblanceKeys(options, kernel);
  if (options.measure !== 'containment') return byResemblance;
  const modulus = containmentModulus(options.threshold, options.recall);
  return {
    of(sketch, set) {
      const near = byResemblance.of(sketch, set);
      const parts = kernel.modOf(set(), modulus).map(elementKey);
      const keys = new BigUint64Array(near.length + parts.length);
      keys.set(near);
      keys.set(parts, near.length);
      return keys;
    },
    maxDocuments: MAX_POSTINGS,
  };
}

function resemblanceKeys(
  { sketch: { kind, size }, resolvedLsh, seed, threshold, recall }: RunOptions,
  kernel: Kernel,
): CandidateKeys {
  if (resolvedLsh) {
    const { bands, rows } = resolvedLsh;
    const selected = () =>
      Uint32Array.from(selectPositions(bands, rows, size, seed).flatMap(positions => [...positions]));
    const positions = resolvedLsh.kind === 'bands' ? bandPositions(bands, rows) : selected();
    return {
      of: sketch => (sketch.values instanceof Uint32Array ? kernel.bandKeys(sketch.values, positions, bands) : none),
    };
  }
  if (kind === 'simhash') {
    const parts = hammingParts(hammingDistanceFor(threshold, recall));
    return { of: sketch => (sketch.values instanceof BigUint64Array ? parts(sketch.values[0]!) : none) };
  }
  return {
    of: sketch => (sketch.values instanceof BigUint64Array ? sketch.values : none),
    ...(kind !== 'super' && { maxDocuments: MAX_POSTINGS }),
  };
}

const none = new BigUint64Array(0);

/** Elements get keys of their own, apart from those of bands. */
function elementKey(element: bigint): bigint {
  return mix(u64(element * GOLDEN + 1n));
}

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

/** Sets of one size and resemblance r have cosine 2r/(1+r); of their bits, θ/π differ on average. */
export function hammingDistanceFor(threshold: number, recall: number): number {
  const share = Math.acos(Math.min(1, (2 * threshold) / (1 + threshold))) / Math.PI;
  let probability = 0;
  for (let distance = 0; distance < MAX_HAMMING; distance++) {
    probability += Math.exp(
      logBinomial(64, distance) + distance * Math.log(share) + (64 - distance) * Math.log1p(-share),
    );
    if (share === 0 || probability >= recall) return distance;
  }
  return MAX_HAMMING;
}

function logBinomial(of: number, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += Math.log((of - i) / (i + 1));
  return sum;
}
