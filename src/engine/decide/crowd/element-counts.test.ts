/** The rarest of many must be those that sorting finds. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rarestOf } from './element-counts.ts';

test('the lowest ranks are those that come first when all are sorted', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(), { maxLength: 200 }), fc.nat(200), (ranks, number) => {
      const wanted = Math.min(number, ranks.length);
      const sorted = Float64Array.from(ranks).sort();
      expect(rarestOf(Float64Array.from(ranks), wanted)).toEqual(sorted.subarray(0, wanted));
    }),
  );
});
