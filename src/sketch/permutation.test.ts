/** The black box BB(i, x): bijections that differ, and the permutations that the documents write out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { permutationMultiplier } from '../kernel/hash.ts';
import { createPermutation, firstInOrdering, permuteByTable } from './permutation.ts';

const any64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const index = fc.integer({ min: 0, max: 4095 });
const seed = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

function bitCount(x: bigint): number {
  return x.toString(2).replaceAll('0', '').length;
}

describe('permutation i of the 64-bit numbers', () => {
  it('is undone by its inverse, both ways', () => {
    fc.assert(
      fc.property(any64, index, seed, (x, i, s) => {
        const { apply, invert } = createPermutation(i, s);
        expect(invert(apply(x))).toBe(x);
        expect(apply(invert(x))).toBe(x);
      }),
      { numRuns: 500 },
    );
  });

  it('never repeats an image', () => {
    const { apply } = createPermutation(5, 1);
    const images = new Set<bigint>();
    for (let x = 0n; x < 20_000n; x++) images.add(apply(x)).add(apply(2n ** 64n - 1n - x));
    expect(images.size).toBe(40_000);
  });

  it('stays within 64 bits', () => {
    fc.assert(fc.property(any64, index, (x, i) => createPermutation(i).apply(x) < 2n ** 64n));
  });

  it('differs for each i and each seed', () => {
    const images = [0, 1, 2, 7, 8, 100, 4095].flatMap(i => [0, 1, 2].map(s => createPermutation(i, s).apply(42n)));
    expect(new Set(images).size).toBe(images.length);
    for (const s of [0, 1, 2]) {
      expect(new Set(Array.from({ length: 4096 }, (_, i) => permutationMultiplier(i, s))).size).toBe(4096);
    }
  });

  it('orders numbers differently for different i', () => {
    const orders = [0, 1, 8].map(i => {
      const { apply } = createPermutation(i);
      return [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].sort((x, y) => (apply(x) < apply(y) ? -1 : 1)).join();
    });
    expect(new Set(orders).size).toBe(3);
  });

  it('moves every bit of the image, each about every second time, when any one bit of the number changes', () => {
    const { apply } = createPermutation(3, 9);
    const flips = new Array<number>(64).fill(0);
    for (let input = 0n; input < 64n; input++) {
      let moved = 0;
      for (let x = 1n; x <= 100n; x++) {
        const number = x * 0x2545f4914f6cdd1dn;
        const difference = apply(BigInt.asUintN(64, number)) ^ apply(BigInt.asUintN(64, number) ^ (1n << input));
        moved += bitCount(difference);
        for (let bit = 0; bit < 64; bit++) if ((difference >> BigInt(bit)) & 1n) flips[bit]!++;
      }
      expect(moved / 6400).toBeCloseTo(0.5, 1);
    }
    for (const count of flips) expect(count / 6400).toBeCloseTo(0.5, 1);
  });

  it.each([-1, 4096, 1.5, Number.NaN])('is refused for i = %d', i => {
    expect(() => createPermutation(i)).toThrow('index must be a whole number between 0 and 4095');
  });
});

describe('a permutation written out', () => {
  const table = [2, 4, 3, 1, 7, 6, 5, 0];

  it('π₃ takes A = {2, 4, 6} to {3, 5, 7}, whose minimum is 3, and B = {4, 5, 6} to {5, 6, 7}, whose minimum is 5', () => {
    expect(permuteByTable([2, 4, 6], table)).toEqual([3, 5, 7]);
    expect(permuteByTable([4, 5, 6], table)).toEqual([5, 6, 7]);
    expect(Math.min(...permuteByTable(new Set([2, 4, 6]), table))).toBe(3);
    expect(Math.min(...permuteByTable(new Set([4, 5, 6]), table))).toBe(5);
  });

  it('has equal minima for as many of all permutations as the resemblance says', () => {
    const all = permutationsOf([0, 1, 2, 3, 4]);
    const equal = all.filter(of => permuteByTable([0, 1, 2], of)[0] === permuteByTable([1, 2, 3, 4], of)[0]);
    expect(equal.length / all.length).toBeCloseTo(2 / 5, 12);
  });

  it('must name each number once, and all that are permuted', () => {
    expect(() => permuteByTable([0], [0, 0, 2])).toThrow('permutation must be each of 0 to 2 once, got "0,0,2"');
    expect(() => permuteByTable([3], [2, 1, 0])).toThrow('3 is not one of the 3 numbers permuted');
  });
});

describe('an ordering', () => {
  const document1 = ['mouse', 'dog'];
  const document2 = ['cat', 'mouse'];

  it('round 1, [cat, dog, mouse, banana]: dog and cat', () => {
    const ordering = ['cat', 'dog', 'mouse', 'banana'];
    expect(firstInOrdering(document1, ordering)).toBe('dog');
    expect(firstInOrdering(document2, ordering)).toBe('cat');
  });

  it('round 2, [banana, mouse, cat, dog]: mouse and mouse', () => {
    const ordering = ['banana', 'mouse', 'cat', 'dog'];
    expect(firstInOrdering(document1, ordering)).toBe('mouse');
    expect(firstInOrdering(document2, ordering)).toBe('mouse');
  });

  it('has no first element of an empty set', () => {
    expect(firstInOrdering([], ['cat', 'dog'])).toBeUndefined();
  });

  it('must name each element once', () => {
    expect(() => firstInOrdering(['cat'], ['cat', 'cat'])).toThrow(
      'ordering must be a list that names each element once',
    );
  });
});

function permutationsOf(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => permutationsOf(items.toSpliced(i, 1)).map(rest => [item, ...rest]));
}
