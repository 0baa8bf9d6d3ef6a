import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mix, unmix } from '../kernel/hash.ts';
import { bandKeys } from './bands.ts';
import { selectionKeys, selectPositions, signatureOf } from './random-selection.ts';

const sketchOf = (length: number) => fc.uint32Array({ minLength: length, maxLength: length });

describe('mix', () => {
  test('can be undone step by step, so no two numbers share an image', () => {
    fc.assert(fc.property(fc.bigInt(0n, 2n ** 64n - 1n), value => unmix(mix(value)) === value));
  });
});

describe('band keys', () => {
  test('stay what they are: stored indexes depend on them', () => {
    const sketch = Uint32Array.from({ length: 6 }, (_, row) => row * 0x1234567);
    expect([...bandKeys(sketch, 2, 3)].map(key => key.toString(16))).toMatchInlineSnapshot(`
      [
        "f94c3573b59f0fe5",
        "b794eda9226a064a",
      ]
    `);
  });

  test('are equal exactly where all rows of a band are equal', () => {
    const changes = fc.uniqueArray(fc.nat(19), { maxLength: 6 });
    fc.assert(
      fc.property(sketchOf(20), changes, (sketch, changed) => {
        const other = sketch.map((value, row) => (changed.includes(row) ? value ^ 1 : value));
        const equal = zipEqual(bandKeys(sketch, 5, 4), bandKeys(other, 5, 4));
        expect(equal).toEqual(Array.from({ length: 5 }, (_, band) => !changed.some(row => row >> 2 === band)));
      }),
    );
  });

  test('differ between bands of equal rows', () => {
    expect(new Set(bandKeys(new Uint32Array(128).fill(7), 25, 5)).size).toBe(25);
  });

  test('leave the rows past the last band unread', () => {
    const sketch = Uint32Array.from({ length: 128 }, (_, row) => row);
    expect(bandKeys(sketch, 25, 5)).toEqual(bandKeys(sketch.subarray(0, 125), 25, 5));
  });
});

describe('random selection', () => {
  test('chooses 125 signatures of 3 distinct positions, the same for the same seed', () => {
    const selection = selectPositions(125, 3, 100, 1);
    expect(selection).toHaveLength(125);
    for (const positions of selection) {
      expect(new Set(positions).size).toBe(3);
      expect(Math.max(...positions)).toBeLessThan(100);
    }
    expect(selectPositions(125, 3, 100, 1)).toEqual(selection);
    expect(selectPositions(125, 3, 100, 2)).not.toEqual(selection);
  });

  test('chooses each position about equally often', () => {
    const counts = new Array<number>(50).fill(0);
    for (const positions of selectPositions(5000, 3, 50, 1)) for (const position of positions) counts[position]!++;
    // 300 expected, standard deviation 16.8
    for (const count of counts) expect(Math.abs(count - 300)).toBeLessThan(5 * 16.8);
  });

  test('takes the whole sketch when a signature is as long as it', () => {
    expect([...selectPositions(1, 8, 8, 3)[0]!]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('gives a key that depends on its own positions only', () => {
    const selection = selectPositions(40, 3, 30, 9);
    fc.assert(
      fc.property(sketchOf(30), fc.nat(29), (sketch, changed) => {
        const other = sketch.map((value, row) => (row === changed ? value ^ 0x8000_0000 : value));
        const equal = zipEqual(selectionKeys(sketch, selection), selectionKeys(other, selection));
        expect(equal).toEqual(selection.map(positions => !positions.includes(changed)));
      }),
    );
  });
});

describe('a readable signature', () => {
  const document1 = ['horse', 'mouse', 'ant', 'dog'];
  const document2 = ['cat', 'mouse', 'ice', 'shoe'];

  test('joins the chosen minima as in the lecture', () => {
    expect(signatureOf(document1, [1, 3, 4])).toBe('horse-ant-dog');
    expect(signatureOf(document1, [2, 3, 4])).toBe('mouse-ant-dog');
    expect(signatureOf(document2, [1, 3, 4])).toBe('cat-ice-shoe');
    expect(signatureOf(document2, [2, 3, 4])).toBe('mouse-ice-shoe');
  });

  test('refuses a position that is not there', () => {
    expect(() => signatureOf(document1, [0])).toThrow('position must be between 1 and 4, got 0');
    expect(() => signatureOf(document1, [5])).toThrow('got 5');
  });
});

function zipEqual(left: BigUint64Array, right: BigUint64Array): boolean[] {
  return Array.from(left, (key, band) => key === right[band]);
}
