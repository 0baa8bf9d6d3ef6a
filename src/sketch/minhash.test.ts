/** Minima that agree: the share of them, the rule "90 of 100", and their b-bit form. */
import { describe, expect, it } from 'vitest';
import { createKernel } from '../kernel/wasm-kernel.ts';
import { sketchSet } from './make.ts';
import {
  agreesInAtLeast,
  estimateByBins,
  estimateByMinima,
  expectedFilled,
  keepBits,
  minhashVariance,
  onePermutationVariance,
} from './minhash.ts';
import { isEmpty, type MinHashSketch, NO_MINIMUM, type OnePermutationHashSketch } from './sketch.ts';

const origin = { shingle: 'set', normalise: '', seed: 1 };
const minima = (values: readonly number[]): MinHashSketch => ({
  ...origin,
  kind: 'minhash',
  size: values.length,
  bits: 32,
  values: Uint32Array.from(values),
});
const bins = (values: readonly number[], filled = values.length): OnePermutationHashSketch => ({
  ...origin,
  kind: 'oph',
  size: values.length,
  filled,
  values: Uint32Array.from(values),
});
const hundred = Array.from({ length: 100 }, (_, i) => i * 7919);
/** The hundred minima, of which all but `equal` are others. */
const agreeingIn = (equal: number) => minima(hundred.map((value, i) => (i < equal ? value : value + 1)));
const none = minima(new Array(100).fill(NO_MINIMUM));

describe('the estimate from minima', () => {
  it('is the share of equal ones, with the error of that many coin flips', () => {
    const { value, standardError } = estimateByMinima(minima(hundred), agreeingIn(75));
    expect(value).toBe(0.75);
    expect(standardError).toBeCloseTo(Math.sqrt((0.75 * 0.25) / 100), 12);
  });

  it('is one, without error, of a sketch with itself', () => {
    expect(estimateByMinima(minima(hundred), minima(hundred))).toEqual({ value: 1, standardError: 0 });
  });

  it('has variance r(1 − r)/k', () => {
    expect(minhashVariance(0.8, 128)).toBeCloseTo(0.16 / 128, 15);
    expect(minhashVariance(0, 100)).toBe(0);
    expect(minhashVariance(1, 100)).toBe(0);
  });
});

describe('the rule "similar when 90 of 100 agree"', () => {
  it.each([
    [89, false],
    [90, true],
    [100, true],
  ])('%i equal minima: %s', (equal, similar) => {
    expect(agreesInAtLeast(minima(hundred), agreeingIn(equal), 90)).toBe(similar);
  });

  it('never holds for a document without shingles, not even with itself', () => {
    expect(agreesInAtLeast(none, none, 90)).toBe(false);
    expect(agreesInAtLeast(none, minima(hundred), 0)).toBe(false);
  });
});

describe('b-bit minima', () => {
  it('of one bit agree in (1 + r)/2 of the cases, and the estimate is corrected for that', () => {
    const sketch = (values: number[]): MinHashSketch => ({ ...minima(values), bits: 1 });
    const zeros = new Array<number>(100).fill(0);
    const estimate = (equal: number) => estimateByMinima(sketch(zeros), sketch(zeros.map((_, i) => +(i >= equal))));
    expect(estimate(75).value).toBeCloseTo(0.5, 12);
    expect(estimate(50).value).toBeCloseTo(0, 12);
    expect(estimate(100)).toEqual({ value: 1, standardError: 0 });
    expect(estimate(75).standardError).toBeCloseTo(2 * Math.sqrt((0.75 * 0.25) / 100), 12);
  });

  it('have a variance that grows as bits go', () => {
    const variances = [32, 8, 4, 2, 1].map(bits => minhashVariance(0.5, 128, bits));
    expect(variances).toEqual([...variances].sort((a, b) => a - b));
    expect(minhashVariance(0.5, 128, 1)).toBeCloseTo((4 * 0.75 * 0.25) / 128, 12);
  });

  it.each([1, 2, 4, 7, 8, 16, 31])('of %i bits fit in them, and equal minima stay equal', bits => {
    const kept = keepBits(minima(hundred), bits);
    expect(kept.bits).toBe(bits);
    expect(kept.values.every(value => value < 2 ** bits)).toBe(true);
    expect(keepBits(agreeingIn(60), bits).values.subarray(0, 60)).toEqual(kept.values.subarray(0, 60));
  });

  it('come out the same, kept in one step or in several', () => {
    expect(keepBits(keepBits(minima(hundred), 8), 3)).toEqual(keepBits(minima(hundred), 3));
  });

  it('of 32 bits are the minima', () => {
    const sketch = minima(hundred);
    expect(keepBits(sketch, 32)).toBe(sketch);
  });

  it('cannot be had back', () => {
    expect(() => keepBits(keepBits(minima(hundred), 2), 4)).toThrow('it has 2 bits a minimum, 4 are wanted');
  });

  it('of a document without shingles are none', () => {
    const kept = keepBits(none, 1);
    expect(kept.values).toHaveLength(0);
    expect(isEmpty(kept)).toBe(true);
    expect(estimateByMinima(kept, kept)).toEqual({ value: 0, standardError: 0 });
  });
});

describe('one-permutation bins', () => {
  it('are estimated from by the share of equal ones', () => {
    expect(estimateByBins(bins(hundred), bins(hundred.map((value, i) => value + +(i >= 40)))).value).toBe(0.4);
  });

  it('fill up as elements come: one fills one, k of them 63 %, many all', () => {
    expect(expectedFilled(1, 128)).toBeCloseTo(1, 12);
    expect(expectedFilled(128, 128) / 128).toBeCloseTo(1 - Math.exp(-1), 2);
    expect(expectedFilled(10_000, 128)).toBeCloseTo(128, 10);
  });

  it('have the variance of coin flips for large sets, and never less than none', () => {
    expect(onePermutationVariance(0.5, 128, 1e9)).toBeCloseTo(0.25 / 128, 6);
    expect(onePermutationVariance(0.5, 128, 1)).toBeGreaterThanOrEqual(0);
    expect(onePermutationVariance(1, 128, 50)).toBeCloseTo(0, 12);
    expect(onePermutationVariance(0, 128, 50)).toBe(0);
  });

  it('of an empty document resemble nothing', () => {
    const empty = bins(new Array(100).fill(NO_MINIMUM), 0);
    expect(estimateByBins(empty, empty)).toEqual({ value: 0, standardError: 0 });
    expect(estimateByBins(empty, bins(hundred))).toEqual({ value: 0, standardError: 0 });
  });

  it('of a set of one element are all that element, and two such sets agree only if they are equal', async () => {
    const kernel = await createKernel({ shingle: { unit: 'word', size: 1 }, keepCase: false, seed: 1, hashes: 64 });
    const [a, b] = ['a', 'b'].map(element =>
      sketchSet(kernel, kernel.elementSet([element]), { sketch: { kind: 'oph', size: 64 }, bits: 32, origin }),
    ) as [OnePermutationHashSketch, OnePermutationHashSketch];
    expect(a.filled).toBe(1);
    expect(new Set(a.values).size).toBe(1);
    expect(estimateByBins(a, a).value).toBe(1);
    expect(estimateByBins(a, b).value).toBe(0);
  });
});
