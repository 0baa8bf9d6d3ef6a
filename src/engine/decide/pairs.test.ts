/** All pairs: without LSH exactly those of brute force; and what each kind of sketch finds of planted ones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bruteForcePairs } from '../../../test/support/run-oracle.ts';
import type { Document, Pair } from '../../model.ts';
import { findPairs } from '../calls/dedup.ts';

const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 14 }).map(list => list.join(' '));
const collection = fc
  .array(text, { maxLength: 16 })
  .map(list => list.map((one, at): Document => ({ id: `d${at}`, text: one })));
const threshold = fc.oneof(
  fc.constantFrom(0.5, 0.6, 2 / 3, 0.75, 0.8, 0.9, 1),
  fc.double({ min: 0.5, max: 1, noNaN: true }),
);

describe('pairs with exact', () => {
  test.each(['resemblance', 'containment'] as const)('are those of brute force, by %s', async measure => {
    await fc.assert(
      fc.asyncProperty(collection, threshold, fc.integer({ min: 1, max: 3 }), async (documents, limit, size) => {
        const given = { exact: true, measure, threshold: limit, shingle: `word:${size}` } as const;
        const found = await all(findPairs(documents, given));
        expect(found).toEqual(bruteForcePairs(documents, { threshold: limit, size, measure }));
      }),
      { numRuns: 150 },
    );
  });

  test('are found at any threshold above 0, where no LSH would reach the recall', async () => {
    const documents = [longText(1, 400), [longText(1, 40), longText(2, 400)].join(' ')].map(asDocument);
    const [pair] = await all(findPairs(documents, { exact: true, threshold: 0.01 }));
    expect(pair!.resemblance).toBeLessThan(0.06);
  });

  test('stay within equal values of --by', async () => {
    const documents = ['en', 'de', 'en'].map((language, at) => ({ id: `${at}`, text: 'the same text', language }));
    expect((await all(findPairs(documents, { exact: true, by: 'language' }))).map(({ a, b }) => a + b)).toEqual(['02']);
  });

  test('know big integers of Parquet as values of --by', async () => {
    const documents = [1n, 2n, 1].map((shard, at) => ({ id: `${at}`, text: 'the same text', shard }));
    expect((await all(findPairs(documents, { by: 'shard' }))).map(({ a, b }) => a + b)).toEqual(['02']);
  });

  test('are also those of sets', async () => {
    const sets = [['x', 'y', 1], ['y', 'x', '1'], ['z']].map((set, at) => ({ id: `${at}`, set }));
    expect(await all(findPairs(sets, { exact: true }))).toEqual([
      { a: '0', b: '1', resemblance: 1, containmentAB: 1, containmentBA: 1 },
    ]);
  });
});

describe('planted near-duplicates', () => {
  // Each text of 300 words has a twin in which 3 words are others: resemblance about 0.9.
  const planted = Array.from({ length: 40 }, (_, seed) => {
    const words = longText(seed, 300).split(' ');
    const twin = words.map((word, at) => (at % 120 === 60 ? `new${seed}` : word)).join(' ');
    return [
      { id: `${seed}a`, text: words.join(' ') },
      { id: `${seed}b`, text: twin },
    ];
  }).flat();

  test.each(['minhash:128', 'oph:256', 'bottom:100', 'mod:8', 'mod:auto', 'super', 'simhash'] as const)(
    'are found by %s, each verified',
    async sketch => {
      const found = await all(findPairs(planted, { sketch, threshold: 0.85 }));
      for (const { a, b, resemblance } of found) {
        expect(b).toBe(a.replace('a', 'b'));
        expect(resemblance).toBeGreaterThan(0.85);
      }
      // Super shingles and SimHash promise no recall; the others miss none of these.
      expect(found.length).toBeGreaterThanOrEqual(sketch === 'super' || sketch === 'simhash' ? 32 : 40);
    },
  );

  test('are found by random selections too', async () => {
    expect(await all(findPairs(planted, { lsh: 'random:60x5', threshold: 0.85 }))).toHaveLength(40);
  });

  test.each(['minhash:128', 'oph:256', 'bottom:100', 'mod:8'] as const)(
    'are estimated by %s with verify sketch',
    async sketch => {
      const found = await all(findPairs(planted, { sketch, threshold: 0.7, verify: 'sketch' }));
      expect(found.length).toBeGreaterThanOrEqual(36);
      for (const pair of found) {
        expect(Object.keys(pair)).toEqual(['a', 'b', 'estimatedResemblance']);
        expect(pair.estimatedResemblance).toBeGreaterThanOrEqual(0.7);
      }
    },
  );
});

async function all(pairs: AsyncIterable<Pair>): Promise<Pair[]> {
  const list: Pair[] = [];
  for await (const pair of pairs) list.push(pair);
  return list;
}

function asDocument(one: string, at: number): Document {
  return { id: `${at}`, text: one };
}

/** Words by a plain linear congruence, another text for each seed. */
function longText(seed: number, length: number): string {
  let state = (seed * 2654435761 + 12345) % 2 ** 32;
  return Array.from({ length }, () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return `w${state >>> 20}`;
  }).join(' ');
}
