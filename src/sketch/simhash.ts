/** SimHash sketches → an unbiased estimate of cosine, and search by Hamming distance. */
import type { Estimate } from '../model.ts';
import type { SimHashSketch } from './sketch.ts';

const BITS = 64;

/** Of two binary vectors at angle θ a bit differs with probability θ/π. */
export function estimateCosine(a: SimHashSketch, b: SimHashSketch): Estimate {
  if (a.elements === 0 || b.elements === 0) return { value: 0, standardError: 0 };
  const distance = hammingDistance(a.values[0]!, b.values[0]!);
  return { value: cosineByDistance[distance]!, standardError: Math.sqrt(cosineVariance(distance / BITS)) };
}

/**
 * The number of bits in which two hashes differ.
 *
 * @example
 * ```ts
 * hammingDistance(0b1011n, 0b1000n); // → 2
 * ```
 */
export function hammingDistance(a: bigint, b: bigint): number {
  const difference = BigInt.asUintN(BITS, a ^ b);
  return bitCount(Number(difference >> 32n)) + bitCount(Number(difference & 0xffffffffn));
}

/**
 * Variance of the estimate when a bit differs with probability `share`: the exact sum over all distances.
 *
 * @example
 * ```ts
 * cosineVariance(0); // → 0
 * ```
 */
export function cosineVariance(share: number): number {
  let mean = 0;
  let square = 0;
  for (let distance = 0; distance <= BITS; distance++) {
    const probability = binomial(distance, share);
    mean += probability * cosineByDistance[distance]!;
    square += probability * cosineByDistance[distance]! ** 2;
  }
  return Math.max(0, square - mean * mean);
}

/** A hash cut into maxDistance + 1 parts, each with its number: two hashes within that distance agree in at least one. */
export function hammingParts(maxDistance: number): (hash: bigint) => BigUint64Array {
  const count = maxDistance + 1;
  const borders = Array.from({ length: count + 1 }, (_, i) => BigInt(Math.floor((i * BITS) / count)));
  return hash =>
    BigUint64Array.from({ length: count }, (_, part) => {
      const width = borders[part + 1]! - borders[part]!;
      const bits = BigInt.asUintN(Number(width), hash >> borders[part]!);
      // One part of all 64 bits has no room for its number and needs none.
      return count === 1 ? bits : (bits << 6n) | BigInt(part);
    });
}

/** Bits in which two hashes may differ: past eight, the parts that must agree are too short to tell documents apart. */
const MAX_HAMMING = 8;

/** The distance that two sets of one size reach with this recall: at resemblance r their cosine is 2r/(1+r), and θ/π of their bits differ. */
export function hammingDistanceFor(threshold: number, recall: number): number {
  const share = Math.acos(Math.min(1, (2 * threshold) / (1 + threshold))) / Math.PI;
  let probability = 0;
  for (let distance = 0; distance < MAX_HAMMING; distance++) {
    probability += binomial(distance, share);
    if (probability >= recall) return distance;
  }
  return MAX_HAMMING;
}

export interface HammingIndex {
  add(item: number, hash: bigint): void;
  /** Items within the distance, by distance, then by number. */
  search(hash: bigint): { item: number; distance: number }[];
}

/**
 * An empty index of 64-bit hashes that finds all within a distance.
 *
 * @example
 * ```ts
 * const index = createHammingIndex(3);
 * index.add(7, 0b1011n);
 * index.search(0b1000n); // → [ { item: 7, distance: 2 } ]
 * ```
 */
export function createHammingIndex(maxDistance: number): HammingIndex {
  const partsOf = hammingParts(maxDistance);
  const table = new Map<bigint, number[]>();
  const hashes = new Map<number, bigint>();
  return {
    add(item, hash) {
      hashes.set(item, hash);
      for (const part of partsOf(hash)) {
        const items = table.get(part);
        if (items) items.push(item);
        else table.set(part, [item]);
      }
    },
    search(hash) {
      const near = new Set([...partsOf(hash)].flatMap(part => table.get(part) ?? []));
      return [...near]
        .map(item => ({ item, distance: hammingDistance(hash, hashes.get(item)!) }))
        .filter(({ distance }) => distance <= maxDistance)
        .sort((a, b) => a.distance - b.distance || a.item - b.item);
    },
  };
}

/**
 * cos(π·d/64) is biased, because cosine is curved. The series of cos(πp) with each power p^j replaced by its unbiased
 * estimate d(d−1)…(d−j+1) / 64·63…(64−j+1) is not.
 */
const cosineByDistance: readonly number[] = Array.from({ length: BITS + 1 }, (_, distance) => {
  let sum = 1;
  let term = 1;
  for (let power = 0; power + 2 <= distance; power += 2) {
    const share = ((distance - power) * (distance - power - 1)) / ((BITS - power) * (BITS - power - 1));
    term *= (-(Math.PI ** 2) / ((power + 1) * (power + 2))) * share;
    sum += term;
  }
  return sum;
});

function binomial(count: number, share: number): number {
  if (share <= 0 || share >= 1) return count === (share <= 0 ? 0 : BITS) ? 1 : 0;
  let log = 0;
  for (let i = 0; i < count; i++) log += Math.log((BITS - i) / (i + 1));
  return Math.exp(log + count * Math.log(share) + (BITS - count) * Math.log1p(-share));
}

function bitCount(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
