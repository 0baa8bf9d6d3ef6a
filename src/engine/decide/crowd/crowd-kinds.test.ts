/** Collections built of shared blocks, by every measure and sketch that crowds are searched for: the result is that of comparing all in a bucket. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kindDocuments } from '../../../../bench/boilerplate.ts';
import { allPairs, decide } from '../../../../test/support/in-one-go.ts';
import { finish } from '../../../cluster/steps.ts';
import { createUnionFind } from '../../../cluster/union-find.ts';
import type { Document } from '../../../model.ts';
import { openRun } from '../../memory/corpus.ts';
import { type GivenRunOptions, readRunOptions } from '../../run-options.ts';
import { createBuckets, rowOf } from '../buckets.ts';
import { createCompare } from '../compare-items.ts';
import { linkBucket } from '../decide.ts';
import { createCrowd } from './crowd.ts';

const thresholds = [0.3, 0.5, 2 / 3, 0.8, 0.9, 1];
const [everything, nothing] = [
  { crowd: 0, few: 0 },
  { crowd: Number.POSITIVE_INFINITY, few: 0 },
];
const kinds: readonly GivenRunOptions[] = [
  { measure: 'containment' },
  { measure: 'containment', sketch: 'bottom:40' },
  { sketch: 'bottom:40' },
  { sketch: 'mod:4' },
  { sketch: 'super' },
  { sketch: 'simhash' },
];

/** Blocks of words that most documents have some of, in any order, cut anywhere, with words of their own between. */
const block = fc.tuple(fc.nat(7), fc.nat(30), fc.integer({ min: 5, max: 40 }));
const document = fc.tuple(fc.array(block, { minLength: 1, maxLength: 5 }), fc.array(fc.nat(400), { maxLength: 12 }));
const collection = fc.array(document, { minLength: 12, maxLength: 40 }).map(list =>
  list.map(([blocks, own], at): Document => {
    const shared = blocks.flatMap(([name, from, length]) =>
      Array.from({ length }, (_, i) => `block${name}word${from + i}`),
    );
    return { id: `d${at}`, text: [...shared, ...own.map(word => `own${word}`)].join(' ') };
  }),
);

async function expectSame(documents: readonly Document[], protect: readonly Document[], given: GivenRunOptions) {
  const { corpus, options } = await openRun(documents, protect, readRunOptions(given));
  const [filtered, listed] = [everything, nothing].map(limits => decide(corpus, options, { limits }).keptBy);
  expect(filtered).toEqual(listed);
  expect(allPairs(corpus, options, false, { limits: everything })).toEqual(
    allPairs(corpus, options, false, { limits: nothing }),
  );
}

describe.each(kinds)('with %j', kind => {
  test('collections of shared blocks are decided on alike, whether buckets are crowds or none is', async () => {
    await fc.assert(
      fc.asyncProperty(
        collection,
        fc.nat(6),
        fc.constantFrom(...thresholds),
        fc.constantFrom('direct' as const, 'connected' as const),
        fc.constantFrom('first', 'longest', 'shortest'),
        (documents, reference, threshold, cluster, keep) => {
          const given = { ...kind, shingle: 'word:3', threshold, cluster, keep } as const;
          return expectSame(documents.slice(reference), documents.slice(0, reference), given);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('so are passages, parts of them, and mosaics', async () => {
    const documents = (['passage', 'parts', 'mosaic'] as const).flatMap((corpus, seed) => [
      ...kindDocuments(corpus, 20, seed + 1),
    ]);
    for (const threshold of [0.3, 0.8])
      for (const cluster of ['direct', 'connected'] as const)
        await expectSame(documents, [], { ...kind, threshold, cluster });
  });
});

test('past a limit of parts a crowd leaves out the same items as a bucket that is looked through one by one', async () => {
  await fc.assert(
    fc.asyncProperty(collection, fc.constantFrom(...thresholds), fc.nat(4), async (documents, threshold, limit) => {
      const { corpus, options } = await openRun(
        documents,
        [],
        readRunOptions({ shingle: 'word:3', sketch: 'mod:4', threshold }),
      );
      const buckets = createBuckets(corpus);
      const compare = createCompare(corpus, options);
      const areAlike = (a: number, b: number) => compare(a, b).similarity >= threshold;
      const crowd = createCrowd(buckets, corpus.setOf, options, everything)!;
      const [listed, searched] = [createUnionFind(documents.length), createUnionFind(documents.length)];
      for (let bucket = 0; bucket < buckets.limited; bucket++) {
        linkBucket(rowOf(buckets.itemsOf, bucket), limit, listed, areAlike, () => false);
        finish(crowd.linkLimited(bucket, limit, searched, areAlike));
      }
      for (let a = 0; a < documents.length; a++)
        for (let b = 0; b < a; b++)
          expect(searched.find(a) === searched.find(b)).toBe(listed.find(a) === listed.find(b));
    }),
    { numRuns: 60 },
  );
});
