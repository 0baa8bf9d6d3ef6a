/** Decisions that people make, on small random collections, against the slow twin in test/support/run-oracle.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allPairs, decide } from '../../../test/support/in-one-go.ts';
import { bruteForcePairs, decideNaively, type OracleOptions } from '../../../test/support/run-oracle.ts';
import type { Decision, DecisionVerdict } from '../../decisions/decision.ts';
import { DecisionBook } from '../../decisions/decision-book.ts';
import { memoryLog } from '../../decisions/line-log.ts';
import type { Document } from '../../model.ts';
import { createLoggedContent } from '../analyse/logged-content.ts';
import { dedup, findClusters, findPairs } from '../calls/dedup.ts';
import { openRun } from '../memory/corpus.ts';
import { readRunOptions } from '../run-options.ts';
import { preferredFirst } from './preferred-first.ts';

/** With 128 bands of one minimum, a pair at 0.3 goes unseen once in 10²⁰: here every pair is a candidate. */
const everyPair = { shingle: 'word:2', lsh: 'bands:128x1' } as const;

const words = fc.constantFrom('a', 'b', 'c', 'd');
const text = fc.array(words, { maxLength: 7 }).map(list => list.join(' '));
const anyText = fc.oneof({ weight: 8, arbitrary: text }, fc.constantFrom('', '.', 'a b c d', 'a b c d e'));
const collection = fc
  .array(fc.record({ text: anyText, language: fc.constantFrom('en', 'de') }), { minLength: 2, maxLength: 12 })
  .map(list => list.map((one, at): Document => ({ id: `d${at}`, ...one })));
const reference = collection.map(list => list.slice(0, 3).map((one, at) => ({ ...one, id: `r${at}` })));
const id = fc.oneof(
  { weight: 12, arbitrary: fc.nat(11).map(at => `d${at}`) },
  fc.nat(2).map(at => `r${at}`),
);
const decision = fc
  .record({
    a: id,
    b: id,
    verdict: fc.constantFrom<DecisionVerdict>('same', 'same', 'different', 'undecided'),
    of: fc.nat(2),
  })
  .filter(({ a, b }) => a !== b)
  .map(
    ({ of, ...line }): Decision =>
      line.verdict === 'same' && of > 0 ? { ...line, keep: of === 1 ? line.a : line.b } : line,
  );
const decisions = fc.array(decision, { maxLength: 16 });
const threshold = fc.constantFrom(0.3, 0.5, 2 / 3, 1);
const cluster = fc.constantFrom('direct' as const, 'connected' as const);
const measure = fc.constantFrom('resemblance' as const, 'containment' as const);
const by = fc.constantFrom(undefined, 'language');

type Oracle = Omit<OracleOptions, 'size' | 'by'> & { by: string | undefined };
const oracle = fc.record({ threshold, cluster, measure, by, decisions }) as fc.Arbitrary<Oracle>;

function undone(lines: readonly Decision[]): Decision[] {
  return [...lines, ...lines.map(({ a, b }): Decision => ({ a, b, verdict: 'undecided' }))];
}

function withoutCounts<Result extends { readonly decisions?: unknown }>({ decisions: _, ...result }: Result) {
  return result;
}

describe('a run with decisions', () => {
  test('removes and groups what the rules say', async () => {
    await fc.assert(
      fc.asyncProperty(collection, reference, oracle, async (documents, protect, { by: field, ...rest }) => {
        const own = { ...rest, ...(field !== undefined && { by: field }) };
        const { kept, removed, clusters } = await dedup(documents, { ...everyPair, ...own, protect });
        const found = { kept: kept.map(one => one.id), removed, clusters };
        expect(found).toEqual(decideNaively(documents, protect, { ...own, size: 2 }));
      }),
      { numRuns: 400 },
    );
  });

  test('takes texts without words for equally small, whatever stands in them', async () => {
    const documents = ['', '', '.'].map((text, at): Document => ({ id: `d${at}`, text }));
    const decisions: Decision[] = [{ a: 'd2', b: 'd0', verdict: 'same' }];
    const own = { threshold: 0.3, cluster: 'direct', measure: 'containment', decisions } as const;
    const { kept, removed } = await dedup(documents, { ...everyPair, ...own });
    expect({ kept: kept.map(one => one.id), removed }).toMatchObject({ kept: ['d0'], removed: [{}, {}] });
    expect(decideNaively(documents, [], { ...own, size: 2 })).toMatchObject({ kept: ['d0'], removed });
  });

  test.each([false, true])('lists the pairs that the rules say (exact: %s)', async exact => {
    await fc.assert(
      fc.asyncProperty(collection, oracle, async (documents, { by: field, cluster: _, ...rest }) => {
        const own = { ...rest, ...(field !== undefined && { by: field }) };
        const given = exact ? { shingle: everyPair.shingle, exact } : everyPair;
        const pairs = await allOf(findPairs(documents, { ...given, ...own }));
        expect(pairs).toEqual(bruteForcePairs(documents, { ...own, size: 2 }));
      }),
      { numRuns: 150 },
    );
  });

  test('never removes a whole group: what goes, goes for one that stays', async () => {
    await fc.assert(
      fc.asyncProperty(collection, reference, oracle, async (documents, protect, rest) => {
        const { kept, removed, clusters } = await dedup(documents, { ...everyPair, ...rest, protect });
        const staying = new Set([...kept, ...protect].map(one => one.id));
        expect(kept.length + removed.length).toBe(documents.length);
        for (const { keptId } of removed) expect(staying.has(keptId)).toBe(true);
        for (const { members } of clusters) expect(members.some(member => staying.has(member))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('gives back what it gave before when all is undone, and when nothing applies', async () => {
    await fc.assert(
      fc.asyncProperty(collection, oracle, async (documents, { decisions: lines = [], ...rest }) => {
        const before = JSON.stringify(await dedup(documents, { ...everyPair, ...rest }));
        const elsewhere = lines.map(line => ({ ...line, a: `x${line.a}`, ...(line.keep && { keep: line.b }) }));
        const old = lines.map(line => ({ ...line, contents: ['0'.repeat(32), null] as const }));
        for (const given of [
          [],
          undone(lines),
          elsewhere,
          old.filter(({ a }) => documents.some(one => one.id === a)),
        ]) {
          const after = withoutCounts(await dedup(documents, { ...everyPair, ...rest, decisions: given }));
          expect(JSON.stringify(after)).toBe(before);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('finds the same where every bucket is a crowd', async () => {
    const crowded = { limits: { crowd: 0, few: 0 } };
    await fc.assert(
      fc.asyncProperty(collection, reference, oracle, async (documents, protect, { decisions: lines, ...rest }) => {
        const options = readRunOptions({ ...everyPair, ...rest });
        const { corpus } = await openRun(documents, protect, options, false, undefined, lines);
        expect(decide(corpus, options, crowded).keptBy).toEqual(decide(corpus, options).keptBy);
        expect(allPairs(corpus, options, false, crowded)).toEqual(allPairs(corpus, options, false));
      }),
      { numRuns: 150 },
    );
  });
});

const texts = (...list: readonly string[]) => list.map((one, at) => ({ id: `${at}`, text: one }));

describe('a pair called same', () => {
  const unlike = texts('one two three four five six', 'seven eight nine ten eleven twelve');

  test('is removed without sharing a key, with its own values as evidence', async () => {
    const { removed } = await dedup(unlike, { decisions: [{ a: '1', b: '0', verdict: 'same' }] });
    expect(removed).toEqual([
      { id: '1', keptId: '0', relation: 'decided', resemblance: 0, containment: 0, cluster: '0' },
    ]);
  });

  test.each([
    { measure: 'edit', threshold: 0.9 },
    { measure: 'containment' },
    { verify: 'sketch' },
    { verify: 'none' },
    { sketch: 'simhash' },
    { cluster: 'connected' },
  ] as const)('goes whatever its value with %j, and keep says which', async given => {
    const decisions = [{ a: '0', b: '1', verdict: 'same', keep: '1' }] as const;
    const { kept, removed } = await dedup(unlike, { ...given, decisions });
    expect(kept).toEqual([unlike[1]]);
    expect(removed).toMatchObject([{ id: '0', keptId: '1', relation: 'decided' }]);
    if ('measure' in given && given.measure === 'edit') expect(removed[0]!.editSimilarity).toBeLessThan(0.5);
    expect(await allOf(findPairs(unlike, { ...given, decisions }))).toMatchObject([
      { a: '0', b: '1', relation: 'decided' },
    ]);
  });

  test('gives way to a kept document that is more similar', async () => {
    const documents = texts('a b c d e f g', 'x y z', 'a b c d e f g h');
    const given = { ...everyPair, threshold: 0.5, decisions: [{ a: '1', b: '2', verdict: 'same' as const }] };
    const { removed } = await dedup(documents, given);
    expect(removed).toMatchObject([{ id: '2', keptId: '0', relation: 'near' }]);
  });

  test('whose keep was named stays, though the policy and a third document would have it go', async () => {
    const documents = texts('a b c d e f g', 'a b c d e f g h', 'x y z');
    const decisions = [{ a: '1', b: '2', verdict: 'same' as const, keep: '1' }];
    const { kept, removed } = await dedup(documents, { ...everyPair, threshold: 0.5, keep: 'shortest', decisions });
    expect(kept.map(one => one.id)).toEqual(['1']);
    expect(removed.map(one => [one.id, one.relation])).toEqual([
      ['0', 'near'],
      ['2', 'decided'],
    ]);
  });

  test('in different groups of --by is ignored and counted', async () => {
    const documents = unlike.map((one, at) => ({ ...one, group: at }));
    const { kept, decisions } = await dedup(documents, {
      by: 'group',
      decisions: [{ a: '0', b: '1', verdict: 'same' }],
    });
    expect(kept).toHaveLength(2);
    expect(decisions).toEqual({ applied: 0, stale: 0, unknown: 0, apart: 1 });
  });
});

describe('a pair called different', () => {
  test('of equal texts: both stay, and a third copy goes for either', async () => {
    const documents = texts('a b c', 'a b c', 'a b c');
    const decisions: Decision[] = [
      { a: '0', b: '1', verdict: 'different' },
      { a: '2', b: '0', verdict: 'different' },
    ];
    const { kept, removed } = await dedup(documents, { decisions });
    expect(kept.map(one => one.id)).toEqual(['0', '1']);
    expect(removed).toMatchObject([{ id: '2', keptId: '1', relation: 'exact' }]);
  });

  test('is no link of a connected cluster, but does not cut a chain through others', async () => {
    const documents = texts('a b c', 'a b c', 'a b c');
    const decisions: Decision[] = [{ a: '0', b: '1', verdict: 'different' }];
    expect(await findClusters(documents.slice(0, 2), { cluster: 'connected', decisions })).toEqual([]);
    const [chained] = await findClusters(documents, { cluster: 'connected', decisions });
    expect(chained!.members).toEqual(['0', '1', '2']);
  });
});

describe('what a caller gives as decisions', () => {
  const documents = texts('a b c', 'a b c');

  test('may be a book that has read a log', async () => {
    const log = memoryLog();
    await log.append(JSON.stringify({ a: '0', b: '1', verdict: 'different' }));
    const book = new DecisionBook(log);
    await book.catchUp();
    expect((await dedup(documents, { decisions: book })).kept).toHaveLength(2);
  });

  test('is refused when a line is wrong', async () => {
    const wrong = [{ a: '0', b: '1', verdict: 'maybe' }] as unknown as Decision[];
    await expect(dedup(documents, { decisions: wrong })).rejects.toThrow(
      'verdict must be same, different or undecided',
    );
  });

  test.each([1, 7])('is ignored and counted when a text is another now, with seed %i', async seed => {
    const content = await createLoggedContent(1);
    const now = content({ text: 'a b c' });
    const line = { a: '0', b: '1', verdict: 'different' } as const;
    const stale = await dedup(documents, { seed, decisions: [{ ...line, contents: [now, content({ text: 'a' })] }] });
    expect(stale.kept).toHaveLength(1);
    expect(stale.decisions).toEqual({ applied: 0, stale: 1, unknown: 0, apart: 0 });
    const valid = await dedup(documents, { seed, decisions: [{ ...line, contents: [now, now] }] });
    expect(valid.kept).toHaveLength(2);
    expect(valid.decisions).toEqual({ applied: 1, stale: 0, unknown: 0, apart: 0 });
  });

  test('names documents of the inputs, and of the reference set where these have none of the name', async () => {
    const protect = texts('a b c', 'p q r', 's t u').slice(0, 3);
    const decisions: Decision[] = [
      { a: '0', b: '2', verdict: 'different' },
      { a: 'nobody', b: '0', verdict: 'same' },
    ];
    const result = await dedup(texts('s t u', 'v w x'), { protect, decisions });
    expect(result.kept.map(one => one.id)).toEqual(['0', '1']);
    expect(result.decisions).toEqual({ applied: 1, stale: 0, unknown: 1, apart: 0 });
  });
});

test('a chain of decisions of any length, or a circle, has an order', () => {
  const count = 200_000;
  const order = Uint32Array.from({ length: count }, (_, item) => item);
  const chain = Uint32Array.from({ length: 2 * (count - 1) }, (_, at) => (at % 2 === 0 ? (at >> 1) + 1 : at >> 1));
  expect(preferredFirst(order, chain, 0)).toEqual(order.toReversed());
  const circle = Uint32Array.of(0, 1, 1, 2, 2, 0);
  expect([...preferredFirst(order.subarray(0, 4), circle, 0)].sort()).toEqual([0, 1, 2, 3]);
});

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
