import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clustersOf } from './clusters.ts';
import { keepFirstOfEach } from './connected.ts';
import { clusterDirectSteps, type DirectClustering } from './direct.ts';
import { finish } from './steps.ts';
import { createUnionFind } from './union-find.ts';

const clusterDirect = (clustering: DirectClustering) => finish(clusterDirectSteps(clustering));
const inputOrder = (count: number) => Array.from({ length: count }, (_, item) => item);

/** Items on a line: the closer, the more similar. 1, 0.9 and 0.8 make a chain whose ends are 0.8 alike. */
const onLine = (positions: number[]) => (a: number, b: number) => 1 - Math.abs(positions[a]! - positions[b]!);

interface Case {
  count: number;
  order: number[];
  buckets: number[][];
  similarity: (a: number, b: number) => number;
  threshold: number;
}

/** Similarities of few values, so that ties and values at the threshold come often; a ≠ b may differ from b ≠ a. */
const anyCase: fc.Arbitrary<Case> = fc.integer({ min: 1, max: 9 }).chain(count =>
  fc
    .record({
      order: fc.shuffledSubarray(inputOrder(count), { minLength: count }),
      buckets: fc.array(fc.uniqueArray(fc.nat(count - 1)), { maxLength: 8 }),
      tenths: fc.array(fc.integer({ min: 5, max: 10 }), { minLength: count * count, maxLength: count * count }),
      threshold: fc.constantFrom(0.6, 0.8, 1),
    })
    .map(({ order, buckets, tenths, threshold }) => {
      const similarity = (a: number, b: number) => tenths[a * count + b]! / 10;
      return { count, order, buckets, similarity, threshold };
    }),
);

const candidatesIn = (buckets: number[][]) => (item: number) => buckets.filter(bucket => bucket.includes(item)).flat();
const visiting =
  (candidatesOf: (item: number) => number[]): DirectClustering['visitCandidates'] =>
  (item, see) =>
    candidatesOf(item).forEach(see);

/** The contract's sentence, word for word. */
function naiveDirect({ order, buckets, similarity, threshold, count }: Case): number[] {
  const keptBy = new Array<number>(count).fill(-1);
  const keptItems: number[] = [];
  for (const item of order) {
    const values = keptItems
      .filter(other => buckets.some(bucket => bucket.includes(item) && bucket.includes(other)))
      .map(other => ({ other, value: similarity(item, other) }))
      .filter(({ value }) => value >= threshold);
    const highest = Math.max(...values.map(({ value }) => value));
    const winner = values.find(({ value }) => value === highest);
    if (winner) keptBy[item] = winner.other;
    else keptItems.push(item);
  }
  return keptBy;
}

describe('clusterDirectSteps', () => {
  it('agrees with the rule of the contract on any buckets, orders and ties', () => {
    fc.assert(
      fc.property(anyCase, given => {
        const { keptBy, similarity } = clusterDirect({
          ...given,
          visitCandidates: visiting(candidatesIn(given.buckets)),
        });
        expect([...keptBy]).toEqual(naiveDirect(given));
        keptBy.forEach((representative, item) => {
          expect(similarity[item]).toBe(representative < 0 ? 1 : given.similarity(item, representative));
        });
      }),
      { numRuns: 500 },
    );
  });

  it('does not let a chain remove what does not itself resemble the kept document', () => {
    const chain = [0, 0.15, 0.3, 0.45];
    const { keptBy } = clusterDirect({
      count: 4,
      order: inputOrder(4),
      visitCandidates: visiting(() => inputOrder(4)),
      similarity: onLine(chain),
      threshold: 0.8,
    });
    expect([...keptBy]).toEqual([-1, 0, -1, 2]);
  });

  it('compares a bucket of m copies m − 1 times', () => {
    let comparisons = 0;
    const { keptBy } = clusterDirect({
      count: 500,
      order: inputOrder(500),
      visitCandidates: visiting(() => inputOrder(500)),
      similarity: () => {
        comparisons++;
        return 1;
      },
      threshold: 0.8,
    });
    expect(comparisons).toBe(499);
    expect(keptBy.every((representative, item) => representative === (item === 0 ? -1 : 0))).toBe(true);
  });

  it('compares two items once, however many buckets they share', () => {
    const compared: [number, number][] = [];
    clusterDirect({
      count: 2,
      order: [1, 0],
      visitCandidates: visiting(() => [0, 1, 1, 0, 1]),
      similarity: (item, keptItem) => {
        compared.push([item, keptItem]);
        return 0;
      },
      threshold: 0.5,
    });
    expect(compared).toEqual([[0, 1]]);
  });

  it('tells the caller what is kept, so that buckets need hold nothing else', () => {
    fc.assert(
      fc.property(anyCase, given => {
        const listAll = candidatesIn(given.buckets);
        const keptItems = new Set<number>();
        const onlyKept = clusterDirect({
          ...given,
          visitCandidates: visiting(item => listAll(item).filter(other => keptItems.has(other))),
          onKept: item => keptItems.add(item),
        });
        expect([...onlyKept.keptBy]).toEqual(naiveDirect(given));
      }),
    );
  });
});

describe('keepFirstOfEach', () => {
  it('agrees with walking the pairs from item to item', () => {
    const pairs = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 14 });
    fc.assert(
      fc.property(pairs, fc.shuffledSubarray(inputOrder(12), { minLength: 12 }), (pairs, order) => {
        const linked = createUnionFind(12);
        for (const [a, b] of pairs) linked.union(a, b);
        const keptBy = keepFirstOfEach(12, order, linked.find);
        for (const item of order) {
          const reached = walk(item, pairs);
          const first = order.find(other => reached.has(other))!;
          expect(keptBy[item]).toBe(first === item ? -1 : first);
        }
      }),
    );
  });
});

function walk(start: number, pairs: [number, number][]): Set<number> {
  const reached = new Set([start]);
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const [a, b] of pairs) if (reached.has(a) || reached.has(b)) reached.add(a).add(b);
  }
  return reached;
}

describe('clustersOf', () => {
  it('lists clusters of two or more by representative, members in item order, with the least resemblance', () => {
    const keptBy = Int32Array.of(2, -1, -1, 2, 1, -1);
    const resemblance = [0.9, 1, 1, 0.85, 0.95, 1];
    expect([...clustersOf(keptBy, item => resemblance[item]!)]).toEqual([
      { representative: 1, members: Uint32Array.of(1, 4), minResemblance: 0.95 },
      { representative: 2, members: Uint32Array.of(0, 2, 3), minResemblance: 0.85 },
    ]);
  });

  it('finds nothing to list when everything is kept', () => {
    expect([...clustersOf(Int32Array.of(-1, -1), () => 1)]).toEqual([]);
  });
});

describe('createUnionFind', () => {
  it('says whether a link joined anything, and how many components are left', () => {
    const linked = createUnionFind(4);
    expect(linked.union(0, 1)).toBe(true);
    expect(linked.union(2, 3)).toBe(true);
    expect(linked.union(1, 0)).toBe(false);
    expect(linked.components).toBe(2);
    expect(linked.find(0)).toBe(linked.find(1));
    expect(linked.find(0)).not.toBe(linked.find(2));
  });

  it('stays fast on a chain of a million links', () => {
    const linked = createUnionFind(1_000_000);
    for (let item = 1; item < 1_000_000; item++) linked.union(item - 1, item);
    expect(linked.components).toBe(1);
    expect(linked.find(0)).toBe(linked.find(999_999));
  });
});
