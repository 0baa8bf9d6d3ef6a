/** Which of 1 − measure is a distance: the reason why one may be searched by LSH and the others may not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSets, type Measures } from './measures.ts';

const smallSet = fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 8 });
// Twelve digits: below the smallest gap of such fractions, above the rounding of doubles.
const rounding = 1e-12;

/** d(A,C) − d(A,B) − d(B,C): above zero, the way through B is shorter than the straight one. */
function detour(measure: keyof Measures, a: Iterable<number>, b: Iterable<number>, c: Iterable<number>): number {
  const distance = (left: Iterable<number>, right: Iterable<number>) => 1 - compareSets(left, right)[measure];
  return distance(a, c) - distance(a, b) - distance(b, c);
}

function breaksTriangle(measure: keyof Measures, [a, b, c]: readonly number[][]): boolean {
  return detour(measure, a!, b!, c!) > rounding;
}

describe('the triangle inequality', () => {
  it('holds for 1 − resemblance, whatever three sets are drawn', () => {
    fc.assert(
      fc.property(fc.tuple(smallSet, smallSet, smallSet), sets => !breaksTriangle('resemblance', sets)),
      { numRuns: 2000 },
    );
  });

  it('holds for 1 − resemblance on every three non-empty subsets of four elements', () => {
    const subsets = Array.from({ length: 15 }, (_, bits) => [0, 1, 2, 3].filter(e => ((bits + 1) >> e) & 1));
    for (const a of subsets)
      for (const b of subsets) for (const c of subsets) expect(breaksTriangle('resemblance', [a, b, c])).toBe(false);
  });

  it('fails for 1 − Dice: {1} and {2} are 1 apart, but 1/3 + 1/3 by way of {1,2}', () => {
    expect(detour('dice', [1], [1, 2], [2])).toBeCloseTo(1 / 3, 12);
  });

  it('fails for 1 − overlap: {1} and {2} are 1 apart, but 0 + 0 by way of {1,2}', () => {
    expect(detour('overlap', [1], [1, 2], [2])).toBe(1);
  });

  it.each(['dice', 'overlap'] as const)('is found broken for 1 − %s by a random search', measure => {
    const found = fc.check(
      fc.property(fc.tuple(smallSet, smallSet, smallSet), sets => !breaksTriangle(measure, sets)),
      { seed: 1, numRuns: 5000 },
    );
    expect(found.failed).toBe(true);
    expect(breaksTriangle(measure, found.counterexample![0])).toBe(true);
  });
});
