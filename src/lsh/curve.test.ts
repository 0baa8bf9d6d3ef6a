import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bandCurve, curvePoints, matchCurve, selectionCurve } from './curve.ts';

describe('the curve of bands', () => {
  test.each([
    [0.2, 0.006],
    [0.3, 0.047],
    [0.4, 0.186],
    [0.5, 0.47],
    [0.6, 0.802],
    [0.7, 0.975],
  ])('20 bands of 5 rows find a pair at similarity %d with probability %d', (similarity, probability) => {
    expect(Number(bandCurve(20, 5)(similarity).toFixed(3))).toBe(probability);
  });

  test('20 bands of 5 rows miss about one in 3000 pairs at similarity 0.8', () => {
    expect(bandCurve(20, 5)(0.8).toFixed(4)).toBe('0.9996');
    expect((1 - bandCurve(20, 5)(0.8)).toFixed(5)).toBe('0.00036');
  });

  test('keeps tiny probabilities that the formula as written would round to zero', () => {
    expect(bandCurve(20, 5)(1e-6)).toBeCloseTo(2e-29, 40);
    expect(bandCurve(20, 5)(1e-6) / 2e-29).toBeCloseTo(1, 12);
  });

  test('starts at 0, ends at 1 and never falls', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 512 }), fc.integer({ min: 1, max: 64 }), (bands, rows) => {
        const found = curvePoints(bandCurve(bands, rows)).map(point => point.probability);
        expect(found[0]).toBe(0);
        expect(found.at(-1)).toBe(1);
        for (let i = 1; i < found.length; i++) expect(found[i]).toBeGreaterThanOrEqual(found[i - 1]!);
      }),
    );
  });
});

describe('the curve of equal minima', () => {
  const curve = matchCurve(90, 100);

  test('reproduces the worked figures for 90 of 100', () => {
    expect(curve(0.8)).toBeLessThan(0.006);
    expect(curve(0.9).toFixed(3)).toBe('0.583');
    expect(curve(0.95).toFixed(4)).toBe('0.9885');
    expect(curve(0.96)).toBeGreaterThan(0.997);
  });

  test('gives 1.5e-17 at one half, as the formula does', () => {
    expect(curve(0.5) / exactMatch(90, 100, 32n)).toBeCloseTo(1, 11);
    expect(curve(0.5).toExponential(1)).toBe('1.5e-17');
  });

  test('agrees with exact integer arithmetic for any size and threshold', () => {
    const sizes = fc.integer({ min: 1, max: 300 }).chain(of => fc.tuple(fc.nat(of), fc.constant(of)));
    fc.assert(
      fc.property(sizes, fc.bigInt(1n, 63n), ([matches, of], sixtyFourths) => {
        const exact = exactMatch(matches, of, sixtyFourths);
        const curved = matchCurve(matches, of)(Number(sixtyFourths) / 64);
        if (exact > 1e-300) expect(Math.abs(curved / exact - 1)).toBeLessThan(1e-11);
        else expect(curved).toBeLessThan(1.1e-300);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    [4096, 2048, 32n],
    [4096, 3000, 32n],
    [4096, 3200, 45n],
    [4096, 4096, 60n],
    [4096, 2900, 46n],
  ])('is accurate for %d minima, %d of them equal', (of, matches, sixtyFourths) => {
    const exact = exactMatch(matches, of, sixtyFourths);
    expect(Math.abs(matchCurve(matches, of)(Number(sixtyFourths) / 64) / exact - 1)).toBeLessThan(1e-10);
  });

  test('is accurate in a tail near 1e-290', () => {
    const exact = exactMatch(3180, 4096, 32n);
    expect(exact).toBeGreaterThan(1e-300);
    expect(exact).toBeLessThan(1e-289);
    expect(Math.abs(matchCurve(3180, 4096)(0.5) / exact - 1)).toBeLessThan(1e-10);
  });

  test('is 1 everywhere when no match is asked for', () => {
    expect(curvePoints(matchCurve(0, 10)).every(point => point.probability === 1)).toBe(true);
  });

  test('is s^n when every minimum must be equal', () => {
    expect(matchCurve(10, 10)(0.5)).toBe(2 ** -10);
  });
});

describe('the curve of random selection', () => {
  test('is that of one band when there is one signature', () => {
    expect(selectionCurve(1, 3, 100)(0.6)).toBeCloseTo(0.6 ** 3, 10);
  });

  test('lies below that of independent bands, and nears it as the sketch grows', () => {
    const independent = bandCurve(125, 3)(0.2);
    expect(selectionCurve(125, 3, 100)(0.2)).toBeLessThan(independent);
    expect(selectionCurve(125, 3, 4096)(0.2)).toBeCloseTo(independent, 2);
  });
});

test('points lie at 0, 0.05 … 1, without float noise', () => {
  const points = curvePoints(bandCurve(20, 5));
  expect(points).toHaveLength(21);
  expect(JSON.stringify(points.map(point => point.similarity))).toBe(
    '[0,0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4,0.45,0.5,0.55,0.6,0.65,0.7,0.75,0.8,0.85,0.9,0.95,1]',
  );
});

/** The slow twin: the sum over integers, Σ C(n,k) a^k (64−a)^(n−k) / 64^n, rounded once at the end. */
function exactMatch(matches: number, of: number, sixtyFourths: bigint): number {
  const rest = 64n - sixtyFourths;
  let term = sixtyFourths ** BigInt(of); // k = of, then downwards; each division is exact
  let sum = 0n;
  for (let k = of; k >= matches; k--) {
    sum += term;
    term = (term * BigInt(k) * rest) / (BigInt(of - k + 1) * sixtyFourths);
  }
  const spareBits = Math.max(0, sum.toString(2).length - 64);
  const exponent = spareBits - 6 * of;
  return Number(sum >> BigInt(spareBits)) * 2 ** Math.ceil(exponent / 2) * 2 ** Math.floor(exponent / 2);
}
