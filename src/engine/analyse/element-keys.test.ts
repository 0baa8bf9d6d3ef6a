import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GOLDEN, mix, u64 } from '../../kernel/hash.ts';
import { toElementKeys } from './element-keys.ts';

/** The slow twin. */
const elementKey = (element: bigint) => mix(u64(element * GOLDEN + 1n));

it('gives the keys that plain arithmetic gives, at the ends of both halves and in between', () => {
  const ends = [0n, 1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n];
  // Times GOLDEN this is −1, so that adding 1 carries through all bits.
  const inverse = 0xf1de83e19937733dn;
  const carrying = [u64(-inverse), u64(-inverse * 2n ** 32n)];
  expect(u64(carrying[0]! * GOLDEN)).toBe(2n ** 64n - 1n);
  fc.assert(
    fc.property(fc.array(fc.bigInt(0n, 2n ** 64n - 1n), { maxLength: 50 }), drawn => {
      const elements = [...ends, ...carrying, ...drawn];
      expect([...toElementKeys(BigUint64Array.from(elements))]).toEqual(elements.map(elementKey));
    }),
    { seed: 5, numRuns: 500 },
  );
});
