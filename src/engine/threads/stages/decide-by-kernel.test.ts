/** What the kernel decides on random sets and buckets, beside the code of the in-memory engine. */
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../../bench/random.ts';
import { runRequest } from '../../../../test/support/run-request.ts';
import { kept } from '../../../cluster/keeping.ts';
import { finish } from '../../../cluster/steps.ts';
import { intersectionSize } from '../../../similarity/measures.ts';
import { rowSteps, transposed } from '../../decide/buckets.ts';
import { createCompare, createEvidence } from '../../decide/compare-items.ts';
import { Comparisons } from '../../decide/comparisons.ts';
import { crowdLimits } from '../../decide/crowd/crowd.ts';
import { decideBy } from '../../decide/decide.ts';
import { aligned, createLineKernel } from '../storage/line-kernel.ts';
import type { WorkerContext } from '../worker-context.ts';
import { decideByKernel } from './decide-by-kernel.ts';
import type { Share } from './share.ts';

const { reading, options: plain } = await runRequest([]);
const lines = await createLineKernel(reading, plain);

/** Sets that are often a few elements away from an earlier one; some have none, some texts are equal. */
function makeShare(random: Random, count: number, bucketSize: number): Share {
  const sets: BigUint64Array[] = [];
  const firstOf = new Uint32Array(count);
  for (let item = 0; item < count; item++) {
    const copied = item > 0 && random.below(5) === 0 ? firstOf[random.below(item)]! : item;
    firstOf[item] = copied;
    const earlier = item > 0 && random.below(4) > 0 ? [...sets[random.below(item)]!] : undefined;
    const elements = new Set(earlier ?? Array.from({ length: random.below(30) }, () => BigInt(random.below(1000))));
    for (let edits = random.below(4); edits > 0; edits--) elements.add(BigInt(random.below(1000)));
    sets.push(copied === item ? BigUint64Array.from(elements).sort() : sets[copied]!);
  }
  const isFirst = (item: number) => firstOf[item] === item;
  const firsts = [...firstOf.keys()].filter(isFirst);
  const buckets = Array.from({ length: count }, () => [
    ...new Set(Array.from({ length: 2 + random.below(bucketSize) }, () => random.pick(firsts))),
  ])
    .map(bucket => bucket.sort((a, b) => a - b))
    .filter(({ length }) => length > 1);
  const itemsOf = finish(rowSteps(buckets));
  const order = Uint32Array.from(firstOf.keys());
  for (let i = count - 1; i > 0; i--) {
    const other = random.below(i + 1);
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
  return {
    items: Uint32Array.from(firstOf.keys()),
    groups: () => undefined,
    protectedCount: random.below(4),
    order,
    // One component: they are told apart only where one has a crowd.
    componentOf: new Uint32Array(count),
    firstOf,
    decided: undefined,
    buckets: { itemsOf, bucketsOf: transposed(itemsOf, count), limited: 0 },
    comparable: {
      contents: firstOf,
      sizeOf: item => sets[item]!.length,
      shared: (a, b) => intersectionSize(sets[a]!, sets[b]!),
      estimate: () => 0,
    },
    sets: { placed: () => place(sets) } as Share['sets'],
    setOf: item => sets[item]!,
    textOf: () => undefined,
    close() {},
  };
}

function place(sets: readonly BigUint64Array[]) {
  const addresses = new Uint32Array(sets.length);
  const sizes = Int32Array.from(sets, ({ length }) => length);
  let end = aligned(lines.input);
  for (const [item, set] of sets.entries()) {
    lines.exports.ensureMemory(end + set.byteLength);
    new BigUint64Array(lines.buffer, end, set.length).set(set);
    addresses[item] = end;
    end = aligned(end + set.byteLength);
  }
  return { addresses, sizes, end };
}

function decideSlowly(share: Share, options: typeof plain) {
  const comparisons = new Comparisons();
  const compare = createCompare(share.comparable, options, comparisons);
  const count = share.items.length;
  const keptBy = decideBy(
    { ...share, count },
    share.buckets,
    (a, b, atLeast) => compare(a, b, atLeast).similarity,
    options,
  );
  const evidence = createEvidence(share.comparable, options);
  const pairs = Array.from(keptBy, (other, item) => (other === kept ? undefined : evidence(item, other)));
  return {
    keptBy,
    comparisons: comparisons.made,
    resemblance: Float64Array.from(pairs, pair => pair?.resemblance ?? 0),
    containment: Float64Array.from(pairs, pair => pair?.containmentAB ?? 0),
  };
}

const onlyWhere = (keptBy: Int32Array, values: Float64Array) =>
  values.map((value, item) => (keptBy[item] === kept ? 0 : value));

// With every bucket a crowd, nothing is left to the kernel.
describe.runIf(crowdLimits.crowd > 100)('the kernel decides as the code of the in-memory engine does', () => {
  it.each([0.2, 0.5, 0.8, 0.9, 1])('at %d', threshold => {
    const options = { ...plain, threshold };
    const random = createRandom(threshold * 10);
    let removed = 0;
    for (let round = 0; round < 60; round++) {
      const share = makeShare(random, 1 + random.below(120), 1 + random.below(12));
      const comparisons = new Comparisons();
      const found = decideByKernel({ lines, options } as WorkerContext, share, comparisons)!;
      const expected = decideSlowly(share, options);
      expect(found.left).toHaveLength(0);
      expect(found.keptBy).toEqual(expected.keptBy);
      expect(onlyWhere(found.keptBy, found.resemblance)).toEqual(expected.resemblance);
      expect(onlyWhere(found.keptBy, found.containment)).toEqual(expected.containment);
      expect(comparisons.made).toBe(expected.comparisons);
      removed += found.keptBy.filter(item => item !== kept).length;
    }
    expect(removed).toBeGreaterThan(100);
  });

  it('and leaves components with a crowd to it', () => {
    const share = makeShare(createRandom(3), 400, 4);
    const crowd = share.firstOf.filter((first, item) => first === item).slice(0, 200);
    const itemsOf = finish(rowSteps([[...crowd], [1, 2]]));
    const componentOf = share.componentOf.map((_, item) => Number(crowd.includes(share.firstOf[item]!)));
    const buckets = { itemsOf, bucketsOf: transposed(itemsOf, 400), limited: 0 };
    const context = { lines, options: plain } as WorkerContext;
    const found = decideByKernel(context, { ...share, componentOf, buckets }, new Comparisons())!;
    expect(found.left).toEqual(share.order.filter(item => componentOf[item] === 1));
    expect([...found.left].every(item => found.keptBy[item] === kept)).toBe(true);
  });
});

it('the kernel decides on nothing that it cannot tell', () => {
  const share = makeShare(createRandom(1), 20, 3);
  const decide = (options: Partial<typeof plain>, other: Partial<Share> = {}) =>
    decideByKernel(
      { lines, options: { ...plain, ...options } } as WorkerContext,
      { ...share, ...other },
      new Comparisons(),
    );
  expect(decide({})).toBeDefined();
  expect(decide({ cluster: 'connected' })).toBeUndefined();
  expect(decide({ measure: 'containment' })).toBeUndefined();
  expect(decide({ verify: 'sketch' })).toBeUndefined();
  expect(decide({}, { sets: { ...share.sets, placed: () => undefined } })).toBeUndefined();
  expect(decide({}, { buckets: { ...share.buckets, limited: 1 } })).toBeUndefined();
});
