import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bandKeys } from './bands.ts';
import { buckets, candidatePairs } from './candidates.ts';
import { bandCurve, type Curve, selectionCurve } from './curve.ts';
import { selectionKeys, selectPositions } from './random-selection.ts';

const keys = (...values: number[]) => BigUint64Array.from(values, BigInt);

describe('buckets', () => {
  test('group the items that share a key in the same band, in band order, then by first item', () => {
    expect([...buckets([keys(1, 9), keys(2, 8), keys(1, 8), keys(2, 9), keys(3, 1)])]).toEqual([
      [0, 2],
      [1, 3],
      [0, 3],
      [1, 2],
    ]);
  });

  test('do not mix bands: key 9 of band 0 is not key 9 of band 1', () => {
    expect([...buckets([keys(9, 1), keys(1, 9)])]).toEqual([]);
  });

  test('leave out items without keys', () => {
    expect([...buckets([keys(), keys(1), keys(), keys(1)])]).toEqual([[1, 3]]);
  });
});

describe('candidate pairs', () => {
  test('come once each, sorted, however many bands they share', () => {
    expect(candidatePairs([keys(1, 1), keys(1, 1), keys(2, 1)])).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
  });

  test('are the pairs that comparing everything with everything finds', () => {
    const items = fc.array(
      fc.array(fc.nat(6), { minLength: 3, maxLength: 3 }).map(values => keys(...values)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(items, all => {
        const naive = all.flatMap((left, a) =>
          all.flatMap((right, b) => (a < b && left.some((key, band) => key === right[band]) ? [[a, b]] : [])),
        );
        expect(candidatePairs(all)).toEqual(naive);
      }),
    );
  });
});

describe('the share of pairs that become candidates', () => {
  const similarities = [0.2, 0.4, 0.6, 0.8];

  test.each(similarities)('follows 1 − (1 − s^r)^b for 20 bands of 5 rows at similarity %d', similarity => {
    expectShare(similarity, bandCurve(20, 5), sketch => bandKeys(sketch, 20, 5), 100, 1500);
  });

  test.each([0.1, 0.2, 0.3])('follows its own curve for 125 signatures of 3 at similarity %d', similarity => {
    const selection = selectPositions(125, 3, 128, 1);
    expectShare(similarity, selectionCurve(125, 3, 128), sketch => selectionKeys(sketch, selection), 128, 500);
  });
});

/** Pairs of sketches whose rows agree with probability s; each pair is a small collection of its own. */
function expectShare(
  similarity: number,
  curve: Curve,
  keysOf: (sketch: Uint32Array) => BigUint64Array,
  size: number,
  pairs: number,
): void {
  const random = seededRandom(Math.round(similarity * 1000));
  let found = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const left = Uint32Array.from({ length: size }, () => random() * 2 ** 32);
    const right = left.map(value => (random() < similarity ? value : ~value));
    found += candidatePairs([keysOf(left), keysOf(right)]).length;
  }
  const expected = curve(similarity);
  const standardError = Math.sqrt((expected * (1 - expected)) / pairs);
  // 4 standard errors, and one pair for the shares next to 0 and 1
  expect(Math.abs(found / pairs - expected)).toBeLessThan(4 * standardError + 1 / pairs);
}

/** mulberry32: enough for coin flips. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
