/** Documents of shared blocks → what an index without crowds says of them, whatever is found by rare elements. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boilerplateDocuments } from '../../bench/boilerplate.ts';
import type { Document } from '../../src/model.ts';
import type { Store } from '../../src/store/contract.ts';
import type { CrowdLimits } from '../../src/store/crowds/crowds.ts';
import { keyKinds } from '../../src/store/keys.ts';
import { createMemoryStore } from '../../src/store/memory/memory-store.ts';
import type { NearIndex } from '../../src/store/near-index.ts';
import { type GivenOpenOptions, openIndexIn } from '../../src/store/open-index.ts';
import { Entry } from '../../src/store/record.ts';
import { damagesIn, indexAt, noCrowds, openAt, placesWith, smallCrowds } from '../support/indexes.ts';
import { redisForTests } from '../support/redis.ts';

const places = placesWith(redisForTests());

/** A few blocks that many documents have, and words that one or a few have. */
const text = fc
  .record({
    blocks: fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 }),
    own: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 12 }),
    skipped: fc.integer({ min: 3, max: 60 }),
  })
  .map(({ blocks, own, skipped }) => {
    const words = blocks.flatMap(block => Array.from({ length: 14 }, (_, at) => `b${block}w${at}`));
    return [...words.filter((_, at) => at % skipped !== 2), ...own.map(one => `own${one}`)].join(' ');
  });
const id = fc.integer({ min: 0, max: 60 }).map(String);
const operation = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('add' as const), id, text, store: fc.constantFrom('new', 'all') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('put' as const), id, text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('check' as const), id, text }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('search' as const),
      text,
      below: fc.constantFrom(0, 0.05, 0.2),
      limit: fc.constantFrom(1, 3, 100),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'compact' as const }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

/** Every shared minimum makes a candidate, or bands as an index has them. */
const settings = fc.record({
  measure: fc.constantFrom('resemblance', 'containment'),
  threshold: fc.constantFrom(0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1),
  sketch: fc.constantFrom('minhash:128', 'minhash:128', 'super:24', 'simhash:64'),
  lsh: fc.constantFrom('auto', 'bands:128x1'),
  shingle: fc.constantFrom('word:1', 'word:2'),
});
const limits = fc
  .record({ crowdedFrom: fc.constantFrom(1, 2, 4), commonFrom: fc.constantFrom(1, 2, 4) })
  .map(({ crowdedFrom, commonFrom }) => smallCrowds(crowdedFrom, commonFrom));

async function said(index: NearIndex, step: Operation, threshold: number): Promise<unknown> {
  const telling = (error: { code: string }) => error.code;
  switch (step.kind) {
    case 'add':
      return index.add({ id: step.id, text: step.text }, { store: step.store as never }).catch(telling);
    case 'put':
      return index.put({ id: step.id, text: step.text }).catch(telling);
    case 'check':
      return index.check({ id: step.id, text: step.text }).catch(telling);
    case 'remove':
      return index.remove(step.id);
    case 'search':
      return index.search({ text: step.text }, { limit: step.limit, threshold: Math.max(0.1, threshold - step.below) });
    case 'compact':
      return index.compact();
  }
}

describe.each(Object.keys(places))('documents of shared blocks in an index in %s', place => {
  it('get the verdicts they get where every key lists all that have it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 20, maxLength: 60 }),
        settings,
        limits,
        async (steps, { sketch, lsh, ...others }, limits) => {
          const given = { ...others, sketch, ...(sketch.startsWith('minhash') && { lsh }) };
          const location = places[place]!();
          const plain = await openAt('memory:', given, noCrowds);
          let index = await openAt(location, given, limits);
          try {
            for (const step of steps) {
              if (step.kind === 'reopen' && place !== 'memory') {
                await index.close();
                index = await openAt(location, {}, limits);
              } else expect(await said(index, step, given.threshold)).toEqual(await said(plain, step, given.threshold));
            }
            expect(await damagesIn(index)).toEqual([]);
            expect((await index.stats()).verdicts).toEqual((await plain.stats()).verdicts);
          } finally {
            await index.close();
            await plain.close();
          }
        },
      ),
      {
        seed: 5,
        endOnFailure: true,
        numRuns: Number(process.env.NEARDUP_MODEL_RUNS ?? (place === 'memory' ? 60 : 20)),
      },
    );
  }, 300_000);

  it('are decided in one batch as one by one', async () => {
    const texts = fc.sample(text, { seed: 6, numRuns: 80 });
    const given = { shingle: 'word:2', threshold: 0.6 } as const;
    const documents = texts.map((text, at) => ({ id: `d${at}`, text }));
    const index = await openAt(places[place]!(), given, smallCrowds(3));
    onTestFinished(() => index.close());
    const plain = await openAt('memory:', given, noCrowds);
    const outcomes = await Promise.all(documents.map(document => index.add(document, { store: 'all' })));
    for (const [at, document] of documents.entries())
      expect(outcomes[at]).toEqual(await plain.add(document, { store: 'all' }));
    await plain.close();
  });

  if (place === 'memory') return;
  it('are added to an index that was made without crowds', async () => {
    const given = { shingle: 'word:2', threshold: 0.6, store: 'all' } as const;
    const location = places[place]!();
    const plain = await openAt('memory:', given, noCrowds);
    let index = await openAt(location, given, noCrowds);
    const texts = fc.sample(text, { seed: 8, numRuns: 90 });
    for (const [at, text] of texts.entries()) {
      if (at % 30 === 0 && at > 0) {
        await index.close();
        index = await openAt(location, given, smallCrowds(4));
      }
      const document = { id: `d${at}`, text };
      expect(await index.add(document)).toEqual(await plain.add(document));
      expect(await index.search({ text }, { threshold: 0.4 })).toEqual(
        await plain.search({ text }, { threshold: 0.4 }),
      );
    }
    expect(await damagesIn(index)).toEqual([]);
    await index.close();
    await plain.close();
  });
});

/** 150 words that all have, and 24 of their own: resemblance 0.75. */
function boilerplate(count: number, seed: number): Document[] {
  return [...boilerplateDocuments('boil75', count, seed)];
}

/** An index in memory, and what it asked its store for: entries read, one by one or in order, and numbers listed. */
async function countedIndex(
  given: GivenOpenOptions = {},
  limits?: CrowdLimits,
): Promise<{ index: NearIndex; count: { read: number; listed: number; crowded: number } }> {
  const store = createMemoryStore();
  const count = { read: 0, listed: 0, crowded: 0 };
  const counting: Store = {
    ...store,
    async *entries(from) {
      for await (const entry of store.entries(from)) {
        count.read++;
        yield entry;
      }
    },
    async find(keys) {
      const lists = await store.find(keys);
      // Of a sampled element a thousand are listed at most, crowd or not.
      for (const [at, { length }] of lists.entries())
        if ((keys[at]! & 3n) !== BigInt(keyKinds.element)) count.listed += length;
      return lists;
    },
    async read(numbers) {
      count.read += numbers.length;
      return store.read(numbers);
    },
    async apply(change) {
      count.crowded += change.additions.filter(
        ({ number, bytes }) => Entry.trusted(number, bytes).commonBits !== undefined,
      ).length;
      return store.apply(change);
    },
  };
  const place = { readMade: async () => undefined, open: async () => counting, abandon: async () => {} };
  const index = await openIndexIn(place, 'counted', given, undefined, undefined, limits);
  onTestFinished(() => index.close());
  return { index, count };
}

const measures = { resemblance: 'boil75', containment: 'boil50' } as const;

it.each(Object.entries(measures))(
  'reads no more for a document with boilerplate when six times as many have it, by %s',
  async (measure, corpus) => {
    const { index, count } = await countedIndex({ measure: measure as keyof typeof measures });
    const added = async (documents: Iterable<Document>) => {
      for await (const outcome of index.addAll(documents)) expect(outcome).toMatchObject({ status: 'new' });
    };
    const perCheck = async (seed: number) => {
      const before = { ...count };
      for (const document of boilerplateDocuments(corpus, 20, seed))
        expect((await index.check(document)).status).toBe('new');
      for (const { text } of boilerplateDocuments(corpus, 20, seed)) expect(await index.search({ text })).toEqual([]);
      return { read: count.read - before.read, listed: count.listed - before.listed };
    };
    await added(boilerplateDocuments(corpus, 500, 1));
    const few = await perCheck(2);
    await added(boilerplateDocuments(corpus, 2500, 3));
    const many = await perCheck(4);
    expect(count.crowded).toBeGreaterThan(2000);
    // What was compared lately need not be read.
    expect(many.read).toBeLessThanOrEqual(few.read + 40);
    expect(many.listed).toBeLessThan(1.5 * few.listed);
  },
  120_000,
);

it('reads few documents of a crowd for a search below the threshold of the index', async () => {
  const { index, count } = await countedIndex();
  for await (const outcome of index.addAll(boilerplate(3000, 1))) expect(outcome).toMatchObject({ status: 'new' });
  const queries = boilerplate(10, 2);
  const before = count.read;
  for (const { text } of queries) {
    const results = await index.search({ text: text! }, { threshold: 0.6, limit: 5 });
    expect(results).toHaveLength(5);
    for (const { resemblance } of results) expect(resemblance).toBeCloseTo(0.75, 1);
    expect(await index.search({ text: text! }, { threshold: 0.77 })).toEqual([]);
  }
  expect(count.crowded).toBeGreaterThan(2000);
  // Band keys list those that came before their crowds: some hundreds.
  expect((count.read - before) / (2 * queries.length)).toBeLessThan(700);
}, 60_000);

it('names the most alike of a crowd that contain as much of a query', async () => {
  const index = await openAt(
    'memory:',
    { measure: 'containment', shingle: 'word:1', lsh: 'bands:128x1' },
    smallCrowds(1),
  );
  onTestFinished(() => index.close());
  const words = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ');
  const part = words('part', 5);
  for (const own of [90, 80, 30, 60])
    await index.add({ id: `with ${own}`, text: `${part} ${words(`own${own}w`, own)}` }, { store: 'all' });
  const [best] = await index.search({ text: part }, { measure: 'containment', limit: 1 });
  expect(best).toEqual({ id: 'with 30', containment: 1, resemblance: 5 / 35 });
});

it('does not take a document for one whose batch was not remembered', async () => {
  const index = await indexAt('memory:');
  const [one, other, third] = boilerplate(3, 5) as [Document, Document, Document];
  const changed = { id: 'changed', text: `${one.text} and a few words more` };
  const failing = { onDecided: () => Promise.reject(new Error('of its own')) };
  await Promise.allSettled([index.add(one, failing), index.add(changed, failing)]);
  const plain = { id: 'plain', text: other.text!.split(' ').toReversed().join(' ') };
  await index.add(plain);
  expect(await index.add({ id: 'again', text: `${plain.text} and more` })).toMatchObject({
    status: 'near',
    of: 'plain',
  });
  expect(await index.check(third)).toMatchObject({ status: 'new' });
});
