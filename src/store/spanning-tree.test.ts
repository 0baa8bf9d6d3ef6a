/** The tree of links is the maximum spanning tree where samples are the whole sets, and is found in little time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spanningTree } from './spanning-tree.ts';

const setOf = (elements: Iterable<number>) =>
  new BigUint64Array([...new Set(elements)].sort((a, b) => a - b).map(element => BigInt(element) << 32n));

function resemblance(a: BigUint64Array, b: BigUint64Array): number {
  const shared = a.filter(element => b.includes(element)).length;
  return a.length + b.length === 0 ? 1 : shared / (a.length + b.length - shared);
}

/** Kruskal: the links in falling order, each that joins two parts. */
function greatestSum(sets: readonly BigUint64Array[]): number {
  const links = sets.flatMap((a, at) => sets.slice(0, at).map((b, other) => ({ at, other, value: resemblance(a, b) })));
  const part = sets.map((_, at) => at);
  let sum = 0;
  for (const { at, other, value } of links.sort((x, y) => y.value - x.value)) {
    const [one, two] = [part[at]!, part[other]!];
    if (one === two) continue;
    for (const [place, of] of part.entries()) if (of === two) part[place] = one;
    sum += value;
  }
  return sum;
}

test('connects all by the strongest links', () => {
  fc.assert(
    fc.property(
      fc
        .array(fc.uniqueArray(fc.nat(30), { maxLength: 20 }), { minLength: 1, maxLength: 12 })
        .map(all => all.map(setOf)),
      sets => {
        const links = spanningTree(sets);
        const reached = new Set([0]);
        for (const { parent, child } of links) {
          expect(reached.has(parent)).toBe(true);
          expect(reached.has(child)).toBe(false);
          reached.add(child);
        }
        expect(reached.size).toBe(sets.length);
        const sum = links.reduce((all, { parent, child }) => all + resemblance(sets[parent]!, sets[child]!), 0);
        expect(sum).toBeCloseTo(greatestSum(sets), 9);
      },
    ),
  );
});

test('of nothing and of one there is no link', () => {
  expect(spanningTree([])).toEqual([]);
  expect(spanningTree([setOf([1])])).toEqual([]);
});
