/** Sets that reach a threshold share a key, in whatever order of age what is common became so. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { intersectionSize, measuresOf } from '../../similarity/measures.ts';
import { innerPrefixLength, largestPartner, prefixLength } from '../../similarity/prefix-bound.ts';
import { CommonElements, NEVER, sharedByMany } from './common-elements.ts';
import { bitsOf, classBits, outerKeys, postedKeys, probeOf, sizeClass, smallestOf } from './prefix-keys.ts';

const threshold = fc.constantFrom(0.1, 0.3, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.8, 0.9, 0.95, 1);
const setOf = (numbers: Iterable<number>) =>
  BigUint64Array.from(new Set(numbers), number => BigInt.asUintN(64, BigInt(number + 1) * 0x9e3779b97f4a7c15n)).sort();

it('leaves no place out that a pair at the threshold may share first', () => {
  for (const t of [0.1, 0.3, 1 / 3, 0.5, 0.6, 2 / 3, 0.7, 0.75, 0.8, 0.9, 1]) {
    for (let a = 1; a <= 60; a++) {
      for (let b = 1; b <= 60; b++) {
        for (let shared = 1; shared <= Math.min(a, b); shared++) {
          if (measuresOf(a, b, shared).resemblance < t) continue;
          const place = a - shared;
          const isCovered =
            place < prefixLength(a, t) &&
            (b < a || place < innerPrefixLength(a, t)) &&
            b <= largestPartner(a, place, t);
          if (!isCovered) expect.fail(`${t}: sets of ${a} and ${b} that share ${shared}`);
        }
      }
    }
  }
});

it('finds every set that reaches the threshold, and says no less than how much it resembles', () => {
  const element = fc.integer({ min: 0, max: 30 });
  let reached = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(element, { minLength: 1, maxLength: 30 }),
      fc.uniqueArray(element, { maxLength: 6 }),
      fc.nat(6),
      fc.array(fc.tuple(fc.integer({ min: 5, max: 8 }), fc.uniqueArray(element, { maxLength: 12 })), { maxLength: 4 }),
      fc.integer({ min: 6, max: 9 }),
      threshold,
      (own, others, dropped, named, age, t) => {
        const [set, other] = [setOf(own), setOf([...own.slice(dropped), ...others])];
        if (other.length === 0) return;
        const { resemblance } = measuresOf(set.length, other.length, intersectionSize(set, other));
        if (resemblance < t) return;
        reached++;
        // The other was stored when entries before its own had named what they named.
        const commons = new CommonElements();
        commons.add(setOf([]), 5);
        for (const [number, elements] of named.sort(([a], [b]) => a - b)) commons.add(setOf(elements), number);
        const sinceOther = commons.sinceOf(other);
        const bits = bitsOf(at => sinceOther[at]! < age, other.length);
        const posted = new Set(postedKeys(other, bits, t));
        const probe = probeOf(set, commons.sinceOf(set), commons.first, t);
        const bounds = [
          ...Array.from(probe.keys, (key, at) => ({ key, most: (set.length - probe.places[at]!) / set.length })),
          ...outerKeys(probe, t).map(({ key, most }) => ({ key: key[0]!, most })),
        ].flatMap(({ key, most }) => (posted.has(key) ? [most] : []));
        expect(Math.max(...bounds)).toBeGreaterThanOrEqual(resemblance);
      },
    ),
    { seed: 7, numRuns: 20_000 },
  );
  expect(reached).toBeGreaterThan(3000);
});

it('puts sizes in classes, as many from a power of two to the next as the threshold asks for', () => {
  for (const bits of [0.1, 0.6, 0.8, 0.9, 1].map(classBits)) {
    for (let size = 1; size < 5000; size++) {
      const one = sizeClass(size, bits);
      if (smallestOf(one, bits) > size || smallestOf(one + 1, bits) <= size) expect.fail(`${size} in ${bits} bits`);
    }
    expect(smallestOf(sizeClass(2 ** 31 + 5, bits), bits)).toBe(2 ** 31);
  }
  for (let t = 0.3; t < 0.98; t += 0.01) {
    const classes = sizeClass(Math.floor(100_000 / t), classBits(t)) - sizeClass(100_000, classBits(t));
    expect(classes).toBeLessThan(64);
  }
});

it('knows since when an element is common, of thousands', () => {
  const commons = new CommonElements();
  expect(commons.first).toBe(NEVER);
  const all = Array.from({ length: 6000 }, (_, number) => number);
  for (let number = 0; number < 6; number++)
    commons.add(setOf(all.slice(number * 900, number * 900 + 1000)), number + 3);
  expect([commons.size, commons.first]).toEqual([5500, 3]);
  const since = (one: number) => commons.sinceOf(setOf([one]))[0];
  for (const one of all) expect(since(one)).toBe(one >= 5500 ? NEVER : 3 + Math.max(0, Math.ceil((one - 999) / 900)));
});

it('names the elements that so many sets have', () => {
  const sets = [setOf([1, 2, 3]), setOf([2, 3, 4]), setOf([3, 4, 5]), setOf([])];
  expect(sharedByMany(sets, 2)).toEqual(setOf([2, 3, 4]));
  expect(sharedByMany(sets, 3)).toEqual(setOf([3]));
  expect(sharedByMany(sets, 4)).toHaveLength(0);
  expect(sharedByMany([], 1)).toHaveLength(0);
});
