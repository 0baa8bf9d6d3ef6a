import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SharedCounts } from './shared-counts.ts';

/** Small numbers, that lists share, and any. */
const number = fc.oneof({ weight: 5, arbitrary: fc.nat(60) }, { weight: 1, arbitrary: fc.nat(2 ** 32 - 1) });
const list = fc.uniqueArray(number, { maxLength: 80 }).map(numbers => numbers.sort((a, b) => a - b));

it('counts what a Map counts, and of a list of known ones only those', () => {
  const counts = new SharedCounts();
  fc.assert(
    fc.property(fc.array(fc.record({ list, isKnown: fc.boolean() }), { maxLength: 12 }), lists => {
      counts.clear();
      const expected = new Map<number, number>();
      for (const { list, isKnown } of lists) {
        if (isKnown) counts.addKnown(list);
        else counts.add(list);
        for (const one of list) if (!isKnown || expected.has(one)) expected.set(one, (expected.get(one) ?? 0) + 1);
      }
      const counted = Array.from({ length: counts.size }, (_, at) => [counts.numberAt(at), counts.countAt(at)]);
      expect(counted).toEqual([...expected]);
    }),
    { seed: 9, numRuns: 1000 },
  );
});

it('grows', () => {
  const counts = new SharedCounts();
  // Far apart, so that many want the same slot.
  const many = Array.from({ length: 50_000 }, (_, at) => at * 4096);
  counts.add(many.filter((_, at) => at % 2 === 0));
  counts.add(many);
  expect(counts.size).toBe(50_000);
  const twice = Array.from({ length: counts.size }, (_, at) => at).filter(at => counts.countAt(at) === 2);
  expect(twice.map(at => counts.numberAt(at))).toEqual(many.filter((_, at) => at % 2 === 0));
});
