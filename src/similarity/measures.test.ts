import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cannotReach, compareSets, intersectionSize, measuresOf } from './measures.ts';

const hashSet = fc
  .uniqueArray(fc.bigInt({ min: 0n, max: 40n }), { maxLength: 30 })
  .map(hashes => BigUint64Array.from(hashes).sort());

describe('measuresOf', () => {
  it('gives 3/8 for three shared elements in a union of eight', () => {
    expect(measuresOf(5, 6, 3)).toEqual({
      resemblance: 3 / 8,
      containmentAB: 3 / 5,
      containmentBA: 3 / 6,
      dice: 6 / 11,
      overlap: 3 / 5,
    });
  });

  it('says 0 everywhere when a set has no elements, even against another empty set', () => {
    const zero = { resemblance: 0, containmentAB: 0, containmentBA: 0, dice: 0, overlap: 0 };
    expect(measuresOf(0, 7, 0)).toEqual(zero);
    expect(measuresOf(7, 0, 0)).toEqual(zero);
    expect(measuresOf(0, 0, 0)).toEqual(zero);
  });

  it('says 1 everywhere for a set and itself', () => {
    expect(Object.values(measuresOf(9, 9, 9))).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('intersectionSize', () => {
  it('counts what a Set would count', () => {
    fc.assert(
      fc.property(hashSet, hashSet, (a, b) => {
        const elementsB = new Set(b);
        expect(intersectionSize(a, b)).toBe([...a].filter(hash => elementsB.has(hash)).length);
      }),
    );
  });

  it('tells hashes apart that differ only in the last of 64 bits', () => {
    const high = 2n ** 64n - 2n;
    expect(intersectionSize(BigUint64Array.of(high), BigUint64Array.of(high + 1n))).toBe(0);
    expect(intersectionSize(BigUint64Array.of(high, high + 1n), BigUint64Array.of(high + 1n))).toBe(1);
  });
});

describe('compareSets', () => {
  it('gives 2/5 = 0.4 for the boolean columns 0,1,1,0,1,0 and 1,0,1,0,1,1', () => {
    const rowsWithOne = (column: number[]) => column.flatMap((bit, row) => (bit === 1 ? [row] : []));
    expect(compareSets(rowsWithOne([0, 1, 1, 0, 1, 0]), rowsWithOne([1, 0, 1, 0, 1, 1])).resemblance).toBe(0.4);
  });

  it('takes a number as its decimal string and counts a repeated element once', () => {
    expect(compareSets([1, '1', 2.5], ['2.5', 1, 1]).resemblance).toBe(1);
  });

  it('reads any iterable', () => {
    expect(compareSets(new Set(['x', 'y']), new Map([['x', 0]]).keys()).containmentBA).toBe(1);
  });
});

describe('cannotReach', () => {
  it('lets a subset reach its exact share of the whole, at every threshold of two decimals', () => {
    for (let percent = 1; percent <= 100; percent++)
      for (let whole = 1; whole <= 800; whole++) {
        const part = Math.round((percent / 100) * whole);
        const { resemblance } = measuresOf(part, whole, part);
        if (cannotReach(part, whole, percent / 100)) expect(resemblance).toBeLessThan(percent / 100);
        else expect(resemblance).toBeGreaterThanOrEqual(percent / 100);
      }
  });
});
