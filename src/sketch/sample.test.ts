/** MIN_s and MOD_m: the estimators of the document on sets small enough to count by hand, and the rules of V_i. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom, randomPair } from '../../test/support/random-sets.ts';
import type { Kernel } from '../kernel/contract.ts';
import { createKernel } from '../kernel/wasm-kernel.ts';
import { estimateContainment, estimateResemblance } from './estimate.ts';
import { sketchSet } from './make.ts';
import {
  coarsen,
  estimateByBottom,
  estimateByMod,
  estimateContainmentByMod,
  modulusFor,
  sampleVariance,
} from './sample.ts';
import type { SampleSketch } from './sketch.ts';

const origin = { shingle: 'set', normalise: '', seed: 1 };
let kernel: Kernel;
beforeAll(async () => {
  kernel = await createKernel({ shingle: { unit: 'word', size: 5 }, keepCase: false, seed: 1, hashes: 1 });
});

const sample = (kind: 'bottom' | 'mod', set: Iterable<number | bigint>, size: number) =>
  sketchSet(kernel, BigUint64Array.from(set as Iterable<number>, BigInt), {
    sketch: { kind, size },
    bits: 32,
    origin,
  }) as SampleSketch;
const randomSet = (size: number, seed: number) => randomPair({ union: size, resemblance: 1 }, createRandom(seed)).a;

describe('MIN_s', () => {
  it('keeps the s smallest elements, or all when there are fewer', () => {
    expect([...sample('bottom', [1, 4, 6, 7, 9], 3).values]).toEqual([1n, 4n, 6n]);
    expect([...sample('bottom', [1, 4], 3).values]).toEqual([1n, 4n]);
  });

  it('estimates by the share, in both, of the s smallest of the union', () => {
    // F(A) = {1,2,4,5}, F(B) = {2,3,5,6}; of {1,2,3,4}, the smallest four of the union, only 2 is in both.
    const estimate = estimateByBottom(sample('bottom', [1, 2, 4, 5, 8], 4), sample('bottom', [2, 3, 5, 6, 8], 4));
    expect(estimate.value).toBe(1 / 4);
  });

  it('is exact, without error, for sets that fit', () => {
    const estimate = estimateByBottom(sample('bottom', [1, 2, 3], 100), sample('bottom', [2, 3, 4, 5], 100));
    expect(estimate).toEqual({ value: 2 / 5, standardError: 0 });
  });

  it('gives what the formula of the document gives, for any two sets', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 40 });
    const smallest = (set: Iterable<number>, s: number) => [...set].sort((x, y) => x - y).slice(0, s);
    fc.assert(
      fc.property(numbers, numbers, fc.integer({ min: 1, max: 20 }), (a, b, s) => {
        const [fa, fb] = [new Set(smallest(a, s)), new Set(smallest(b, s))];
        const union = smallest(new Set([...fa, ...fb]), s);
        const wanted = union.filter(x => fa.has(x) && fb.has(x)).length / union.length;
        const sorted = (set: number[]) => smallest(set, set.length);
        expect(estimateByBottom(sample('bottom', sorted(a), s), sample('bottom', sorted(b), s)).value).toBe(wanted);
      }),
    );
  });
});

describe('MOD_m', () => {
  it('keeps the elements that are 0 mod m', () => {
    expect([...sample('mod', [1, 4, 6, 8, 9, 12], 4).values]).toEqual([4n, 8n, 12n]);
  });

  it('estimates resemblance |V(A) ∩ V(B)| / |V(A) ∪ V(B)| and containment |V(A) ∩ V(B)| / |V(A)|', () => {
    const [a, b] = [sample('mod', [1, 2, 4, 6, 8], 2), sample('mod', [2, 3, 4, 10, 12, 14], 2)];
    expect(estimateByMod(a, b)?.value).toBe(2 / 7);
    expect(estimateContainmentByMod(a, b)?.value).toBe(2 / 4);
    expect(estimateContainmentByMod(b, a)?.value).toBe(2 / 5);
  });

  it('knows nothing of sets of which it has sampled nothing, and says so', () => {
    const [odd, even] = [sample('mod', [1, 3], 2), sample('mod', [2, 4], 2)];
    expect(estimateByMod(odd, odd)).toBeUndefined();
    expect(estimateContainmentByMod(odd, even)).toBeUndefined();
    expect(estimateContainmentByMod(even, odd)?.value).toBe(0);
  });

  it('of different m are compared at the least m that both divide', () => {
    const set = Array.from({ length: 100 }, (_, i) => i);
    const [sixth, fourth] = [sample('mod', set, 6), sample('mod', set, 4)];
    expect(estimateResemblance(sixth, fourth)?.value).toBe(1);
    expect(estimateContainment(sixth, fourth)?.value).toBe(1);
    expect(estimateByMod(sixth, fourth)).toEqual(estimateByMod(sample('mod', set, 12), sample('mod', set, 12)));
  });
});

describe('V_i', () => {
  it.each([
    [1, 1],
    [100, 1],
    [199, 1],
    [200, 2],
    [399, 2],
    [400, 4],
    [799, 4],
    [100 * 2 ** 10, 2 ** 10],
    [100 * 2 ** 11 - 1, 2 ** 10],
    [100 * 2 ** 20, 2 ** 20],
  ])('of %i elements is taken with modulus %i', (elements, modulus) => {
    expect(modulusFor(elements)).toBe(modulus);
    // m = 2^i for 100·2^i … 100·2^(i+1) elements, so 100 to 200 are kept: the document's "50 to 100" is not what it says.
    if (elements >= 100) expect(elements / modulus).toBeGreaterThanOrEqual(100);
    expect(elements / modulus).toBeLessThan(200);
  });

  it.each([100, 300, 1000, 5000, 20_000])('keeps 100 to 200 of %i elements on average', elements => {
    const sizes = Array.from({ length: 30 }, (_, seed) => sample('mod', randomSet(elements, seed), 0).values.length);
    const mean = sizes.reduce((sum, size) => sum + size) / sizes.length;
    expect(mean).toBeGreaterThan(100 - 4 * Math.sqrt(100 / 30));
    expect(mean).toBeLessThan(200 + 4 * Math.sqrt(200 / 30));
  });

  it('makes V_{i+1}: the same as made directly', () => {
    const set = randomSet(3000, 5);
    let from = sample('mod', set, 1);
    for (let modulus = 2; modulus <= 64; modulus *= 2) {
      from = coarsen(from, modulus);
      expect(from).toEqual(sample('mod', set, modulus));
    }
  });

  it('of sets of different sizes are compared at the coarser i', () => {
    const { a, b } = randomPair({ union: 4000, resemblance: 0.1, onlyInA: 0 }, createRandom(3));
    const [small, large] = [sample('mod', a, 0), sample('mod', b, 0)];
    expect([small.size, large.size]).toEqual([4, 32]);
    expect(estimateByMod(small, large)).toEqual(estimateByMod(sample('mod', a, 32), large));
    expect(estimateContainmentByMod(small, large)?.value).toBe(1);
    expect(estimateContainmentByMod(large, small)?.value).toBeLessThan(0.4);
  });
});

describe('the variance of a sample', () => {
  it('is that of coin flips in a large set, and none when all is sampled', () => {
    expect(sampleVariance(0.5, 100, 1e12)).toBeCloseTo(0.25 / 100, 10);
    expect(sampleVariance(0.5, 100, 100)).toBe(0);
    expect(sampleVariance(1, 1, 1)).toBe(0);
  });
});
