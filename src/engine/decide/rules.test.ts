/** The rules of a run, on small random collections, against the slow twin in test/support/run-oracle.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideNaively, type OracleOptions } from '../../../test/support/run-oracle.ts';
import type { Document } from '../../model.ts';
import type { GivenValues } from '../../options.ts';
import { dedup, findClusters } from '../calls/dedup.ts';

/** With 128 bands of one minimum, a pair at 0.3 goes unseen once in 10²⁰: here every pair is a candidate. */
const everyPair = { shingle: 'word:2', lsh: 'bands:128x1' } as const;

const words = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const text = fc.array(words, { maxLength: 9 }).map(list => list.join(' '));
// Texts without words are equal or not by their bytes alone.
const anyText = fc.oneof({ weight: 12, arbitrary: text }, fc.constantFrom('', ' ', '.'));
const fields = fc.record({
  text: anyText,
  score: fc.constantFrom<unknown>(undefined, 1, 2, 10, '9'),
  language: fc.constantFrom<unknown>(undefined, 'en', 'de'),
  source: fc.constantFrom('wiki', 'news', 'blog'),
});
const collection = fc
  .array(fields, { maxLength: 14 })
  .map(list => list.map((one, at): Document => ({ id: `d${at}`, ...one })));
const threshold = fc.constantFrom(0.3, 0.5, 2 / 3, 0.8, 1);
const cluster = fc.constantFrom('direct' as const, 'connected' as const);

type Keep = GivenValues['keep'];
type Prefer = OracleOptions['prefer'];
const number = (value: unknown) => (value === undefined ? undefined : Number(value));
const byScore =
  (sign: number): Prefer =>
  (a, b) => {
    const [x, y] = [number(a.score), number(b.score)];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    return sign * (x - y);
  };
const place = ({ source }: Document) => (source === 'news' ? 0 : source === 'wiki' ? 1 : 2);
const policies: readonly (readonly [keep: Keep, prefer: Prefer])[] = [
  ['first', () => 0],
  ['longest', (a, b) => b.text!.length - a.text!.length],
  ['shortest', (a, b) => a.text!.length - b.text!.length],
  ['max:score', byScore(-1)],
  ['min:score', byScore(1)],
  ['prefer:source=news,wiki', (a, b) => place(a) - place(b)],
];

async function expectAsTheOracle(documents: Document[], reference: Document[], keep: Keep, oracle: OracleOptions) {
  const { threshold: limit, cluster: way, by } = oracle;
  const given = { ...everyPair, threshold: limit, cluster: way, keep, ...(by !== undefined && { by }) };
  const { kept, removed, clusters } = await dedup(documents, { ...given, protect: reference });
  const found = { kept: kept.map(({ id }) => id), removed, clusters };
  expect(found).toEqual(decideNaively(documents, reference, oracle));
}

const plain = { size: 2, measure: 'resemblance' } as const;

describe('direct and connected runs', () => {
  test.each(policies)('keep what the rules say, with --keep %s', async (keep, prefer) => {
    await fc.assert(
      fc.asyncProperty(collection, threshold, cluster, (documents, limit, way) =>
        expectAsTheOracle(documents, [], keep, { ...plain, threshold: limit, cluster: way, ...(prefer && { prefer }) }),
      ),
      { numRuns: 60 },
    );
  });

  test('compare only within equal values of --by', async () => {
    await fc.assert(
      fc.asyncProperty(collection, threshold, cluster, (documents, limit, way) =>
        expectAsTheOracle(documents, [], 'first', { ...plain, threshold: limit, cluster: way, by: 'language' }),
      ),
      { numRuns: 60 },
    );
  });

  test('never remove a reference document, and always prefer it', async () => {
    const reference = collection.map(list => list.slice(0, 6).map(one => ({ ...one, id: `r-${one.id}` })));
    await fc.assert(
      fc.asyncProperty(collection, reference, threshold, cluster, (documents, protect, limit, way) =>
        expectAsTheOracle(documents, protect, 'first', { ...plain, threshold: limit, cluster: way }),
      ),
      { numRuns: 60 },
    );
  });

  test('of a collection without documents keep none', async () => {
    expect(await dedup([])).toEqual({ kept: [], removed: [], clusters: [], renamed: [] });
  });
});

describe('a direct run', () => {
  test('never removes through a chain: what goes is itself at or above the threshold of what stays', async () => {
    await fc.assert(
      fc.asyncProperty(collection, threshold, async (documents, limit) => {
        const { kept, removed } = await dedup(documents, { ...everyPair, threshold: limit });
        const ids = new Set(kept.map(({ id }) => id));
        for (const { keptId, resemblance } of removed) {
          expect(ids.has(keptId)).toBe(true);
          expect(resemblance).toBeGreaterThanOrEqual(limit);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('names the most similar kept document, on a tie the earlier in keep order', async () => {
    const documents = [
      { id: 'far', text: 'a b c d x y z w' },
      { id: 'near', text: 'a b c d e f g x' },
      { id: 'first of two', text: 'p q r s t 1' },
      { id: 'second of two', text: 'p q r s t 2' },
      { id: 'one', text: 'a b c d e f g h' },
      { id: 'two', text: 'p q r s t 3' },
    ];
    const { removed } = await dedup(documents, { ...everyPair, threshold: 0.6 });
    expect(removed.map(({ id, keptId }) => [id, keptId])).toEqual([
      ['second of two', 'first of two'],
      ['one', 'near'],
      ['two', 'first of two'],
    ]);
  });
});

describe('evidence', () => {
  const removal = async (texts: string[], options: object) =>
    (
      await dedup(
        texts.map((one, at) => ({ id: `${at}`, text: one })),
        { ...everyPair, ...options },
      )
    ).removed[0]!;

  test('has its fields in the order of the contract', async () => {
    const line = JSON.stringify(await removal(['a b c d', 'a b c d'], {}));
    expect(line).toBe('{"id":"1","keptId":"0","relation":"exact","resemblance":1,"containment":1,"cluster":"0"}');
  });

  test('is near, not exact, when the shingles are equal and the bytes are not', async () => {
    expect(await removal(['a b c d', 'A b, c d!'], {})).toMatchObject({ relation: 'near', resemblance: 1 });
  });

  test.each(['sketch', 'none'] as const)('names an estimate so with --verify %s', async verify => {
    const line = await removal(['a b c d e f g', 'a b c d e f h'], { verify, threshold: 0.4 });
    expect(Object.keys(line)).toEqual(['id', 'keptId', 'relation', 'estimatedResemblance', 'cluster']);
    const clusters = await findClusters(
      [
        { id: '1', text: 'a b' },
        { id: '2', text: 'a b' },
      ],
      { verify },
    );
    expect(clusters[0]).toEqual({
      cluster: '1',
      size: 2,
      representative: '1',
      members: ['1', '2'],
      minEstimatedResemblance: 1,
    });
  });

  test('of --measure edit ends with the edit similarity', async () => {
    const line = await removal(['the quick brown fox jumps', 'the quick brown fax jumps'], {
      measure: 'edit',
      shingle: undefined,
      lsh: undefined,
    });
    expect(Object.keys(line).at(-1)).toBe('editSimilarity');
    expect(line.editSimilarity).toBe(1 - 1 / 25);
  });
});

describe('--keep max:FIELD', () => {
  test('takes numbers by value, also from CSV, before other values, before none', async () => {
    const scores = ['x', undefined, '9', 10, '', 'y'];
    const documents = scores.map((score, at) => ({ id: `${at}`, text: 'the same', score }));
    const { kept } = await dedup(documents, { keep: 'max:score' });
    expect(kept.map(({ id }) => id)).toEqual(['3']);
    const { kept: ofText } = await dedup(
      documents.filter(({ id }) => '015'.includes(id)),
      { keep: 'max:score' },
    );
    expect(ofText.map(({ id }) => id)).toEqual(['5']);
  });
});
