/** Super shingles and meta-sketches propose pairs that resemble each other, and hardly any other. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom, randomPair } from '../../test/support/random-sets.ts';
import type { Kernel } from '../kernel/contract.ts';
import { createKernel } from '../kernel/wasm-kernel.ts';
import { sketchSet } from './make.ts';
import type { SampleSketch } from './sketch.ts';
import { isSuperCandidate, metaSketch, SUPER_SHINGLE, superShingles } from './super-shingles.ts';

const PAIRS = 400;
let kernel: Kernel;
beforeAll(async () => {
  kernel = await createKernel({ shingle: { unit: 'word', size: 5 }, keepCase: false, seed: 1, hashes: 1 });
});

const superSketch = (set: BigUint64Array) =>
  sketchSet(kernel, set, {
    sketch: { kind: 'super', size: 84 },
    bits: 32,
    origin: { shingle: 'set', normalise: '', seed: 1 },
  }) as SampleSketch;

/** The share of seeded pairs at a resemblance that are proposed. */
function shareProposed(resemblance: number, isProposed: (a: SampleSketch, b: SampleSketch) => boolean): number {
  const random = createRandom(Math.round(resemblance * 100));
  let proposed = 0;
  for (let i = 0; i < PAIRS; i++) {
    const { a, b } = randomPair({ union: 400, resemblance }, random);
    if (isProposed(superSketch(a), superSketch(b))) proposed++;
  }
  return proposed / PAIRS;
}

describe('super shingles', () => {
  it('are the hashes of all runs of a sorted sketch', () => {
    const sorted = BigUint64Array.from({ length: 84 }, (_, i) => BigInt(i * i));
    const all = superShingles(sorted);
    expect(all).toHaveLength(84 - SUPER_SHINGLE + 1);
    expect([...all]).toEqual([...all].sort((a, b) => (a < b ? -1 : 1)));
    for (const start of [0, 40, 78]) {
      expect(all).toContain(superShingles(sorted.subarray(start, start + SUPER_SHINGLE))[0]);
    }
  });

  it('of fewer elements than a run are one, and tell how many they were', () => {
    expect(superShingles(BigUint64Array.of(1n, 2n))).toHaveLength(1);
    expect(superShingles(BigUint64Array.of(1n))).not.toEqual(superShingles(BigUint64Array.of(1n, 1n)));
    expect(superShingles(BigUint64Array.of(0n))).not.toEqual(superShingles(BigUint64Array.of(0n, 0n)));
  });

  it('of nothing are none, and propose nothing', () => {
    expect(superShingles(new BigUint64Array(0))).toHaveLength(0);
    const empty = superSketch(new BigUint64Array(0));
    expect(isSuperCandidate(empty, empty)).toBe(false);
    expect(isSuperCandidate(empty, superSketch(BigUint64Array.of(1n, 2n)))).toBe(false);
  });

  it('propose equal sets, however small', () => {
    const small = superSketch(BigUint64Array.of(7n, 9n));
    expect(isSuperCandidate(small, small)).toBe(true);
  });

  it.each([
    [0.95, 0.999],
    [0.9, 0.99],
    [0.8, 0.97],
  ])('in common make candidates of pairs at resemblance %f in at least %f of the cases', (resemblance, least) => {
    expect(shareProposed(resemblance, isSuperCandidate)).toBeGreaterThanOrEqual(least);
  });

  it('propose one in a hundred pairs, or fewer, at resemblance 0.2', () => {
    expect(shareProposed(0.2, isSuperCandidate)).toBeLessThanOrEqual(0.01 + 4 * Math.sqrt(0.01 / PAIRS));
    expect(shareProposed(0.1, isSuperCandidate)).toBe(0);
  });

  it('propose fewer when two must be in common', () => {
    const two = (a: SampleSketch, b: SampleSketch) => isSuperCandidate(a, b, 2);
    expect(shareProposed(0.9, two)).toBeGreaterThan(0.95);
    expect(shareProposed(0.5, two)).toBeLessThan(shareProposed(0.5, isSuperCandidate));
  });
});

describe('a meta-sketch', () => {
  const meta = (size: number) => (a: SampleSketch, b: SampleSketch) =>
    isSuperCandidate({ ...a, values: metaSketch(a.values, size) }, { ...b, values: metaSketch(b.values, size) });

  it('keeps the smallest super shingles', () => {
    const all = superShingles(BigUint64Array.from({ length: 84 }, (_, i) => BigInt(i)));
    expect(metaSketch(all, 6)).toEqual(all.slice(0, 6));
    expect(metaSketch(all, 1000)).toEqual(all);
  });

  it('of eight still proposes nearly all that are nearly equal, and none that resemble little', () => {
    expect(shareProposed(0.95, meta(8))).toBeGreaterThan(0.95);
    expect(shareProposed(0.2, meta(8))).toBeLessThanOrEqual(0.01);
  });
});
