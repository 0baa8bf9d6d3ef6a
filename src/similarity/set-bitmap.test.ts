import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intersectionSize } from './measures.ts';
import { bitmapOf, mostShared } from './set-bitmap.ts';

const sorted = (elements: bigint[]) => BigUint64Array.from(new Set(elements)).sort();
/** Few different last bits, and many, so that elements share bits. */
const elements = (max: bigint) => fc.array(fc.bigInt({ min: 0n, max }), { maxLength: 300 }).map(sorted);

describe('mostShared', () => {
  it('is never below what two sets share', () => {
    const set = fc.oneof(elements(400n), elements(2n ** 64n - 1n));
    fc.assert(
      fc.property(set, set, elements(2n ** 64n - 1n), (a, b, both) => {
        const [withA, withB] = [sorted([...a, ...both]), sorted([...b, ...both])];
        const most = mostShared(withA.length, bitmapOf(withA), withB.length, bitmapOf(withB));
        expect(most).toBeGreaterThanOrEqual(intersectionSize(withA, withB));
      }),
      { seed: 1 },
    );
  });

  it('is what they share where no two elements have a bit in common', () => {
    const from = (start: number, end: number) =>
      BigUint64Array.from({ length: end - start }, (_, at) => BigInt(start + at) | (0xabcn << 40n));
    const [a, b] = [from(0, 200), from(150, 700)];
    expect(mostShared(a.length, bitmapOf(a), b.length, bitmapOf(b))).toBe(50);
  });
});
