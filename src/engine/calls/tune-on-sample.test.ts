import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finish } from '../../cluster/steps.ts';
import { bandCurve } from '../../lsh/curve.ts';
import { createSketcher } from '../sketcher.ts';
import { findPairs } from './dedup.ts';
import { drawSample } from './draw-sample.ts';
import { overlapSteps } from './overlap-join.ts';
import { tuneOnSample } from './tune-on-sample.ts';

/** Two sets of 100 − shared/2 … elements of which `shared` are in both, 100 in all: their resemblance is shared/100. */
function pairOf(name: string, shared: number): { set: string[] }[] {
  const element = (kind: string, count: number) => Array.from({ length: count }, (_, at) => `${name} ${kind} ${at}`);
  const both = element('both', shared);
  const rest = 100 - shared;
  return [
    { set: [...both, ...element('left', Math.floor(rest / 2))] },
    { set: [...both, ...element('right', Math.ceil(rest / 2))] },
  ];
}

const pairsOf = (count: number, shared: number) =>
  Array.from({ length: count }, (_, at) => pairOf(`${shared}-${at}`, shared)).flat();

describe('tuneOnSample', () => {
  const truth = [
    ...pairsOf(300, 80),
    ...pairsOf(200, 85),
    ...pairsOf(100, 95),
    ...pairsOf(250, 50),
    ...pairsOf(50, 30),
  ];

  test('counts pairs of each resemblance as they are', async () => {
    const { sample } = await tuneOnSample(truth);
    expect(sample).toMatchObject({ documents: truth.length, read: truth.length, floor: 0.1 });
    expect(
      Object.fromEntries(sample.resemblances.filter(({ pairs }) => pairs > 0).map(({ from, pairs }) => [from, pairs])),
    ).toEqual({
      0.3: 50,
      0.5: 250,
      0.8: 300,
      0.85: 200,
      0.95: 100,
    });
    expect(sample.resemblances.map(({ from }) => from)[0]).toBe(0.1);
    expect(sample.resemblances.at(-1)!.to).toBe(1);
  });

  test('keeps the fields of tune, and measures its scheme first, then others of as many hashes', async () => {
    const tuned = await tuneOnSample(truth);
    expect(Object.keys(tuned)).toEqual(['threshold', 'hashes', 'bands', 'rows', 'recall', 'curve', 'sample']);
    expect(tuned.sample.schemes.map(({ bands, rows }) => [bands, rows])).toEqual([
      [25, 5],
      [42, 3],
      [32, 4],
      [21, 6],
      [18, 7],
    ]);
    expect(tuned.sample.schemes[0]!.recall).toBe(tuned.recall);
  });

  test('finds about as many as theory says, above the threshold and below it', async () => {
    // Few bands, so that much is missed and theory has something to be wrong about.
    const { sample } = await tuneOnSample(truth, { bands: 4, rows: 6, hashes: 128 });
    const curve = bandCurve(4, 6);
    const [scheme] = sample.schemes;
    expect(scheme).toMatchObject({ bands: 4, rows: 6, pairs: 600, recall: curve(0.8), belowFloor: 0 });
    const expected = 300 * curve(0.8) + 200 * curve(0.85) + 100 * curve(0.95);
    expect(scheme!.expectedRecall).toBeCloseTo(expected / 600, 10);
    expect(scheme!.expectedFalseCandidates).toBeCloseTo(250 * curve(0.5) + 50 * curve(0.3), 10);
    expect(scheme!.measuredRecall).toBe(scheme!.found / 600);
    // Four standard deviations of that many coins.
    const deviation = Math.sqrt(
      [300, 200, 100].reduce((sum, count, at) => sum + count * variance(curve([0.8, 0.85, 0.95][at]!)), 0),
    );
    expect(Math.abs(scheme!.found - expected)).toBeLessThan(4 * deviation);
    expect(scheme!.found).toBeLessThan(600);
    const falseDeviation = Math.sqrt(250 * variance(curve(0.5)) + 50 * variance(curve(0.3)));
    expect(Math.abs(scheme!.falseCandidates - scheme!.expectedFalseCandidates)).toBeLessThan(4 * falseDeviation);
  });

  test('has nothing to measure where there is no pair', async () => {
    const { sample } = await tuneOnSample([{ text: 'one two three four five six' }, { text: '…' }]);
    expect(sample).toMatchObject({ documents: 1, read: 2 });
    expect(sample.schemes[0]).toMatchObject({ pairs: 0, found: 0, measuredRecall: null, expectedRecall: null });
  });

  test('makes sets of texts as it is told', async () => {
    const texts = ['the cat sat on the mat today', 'THE DOG SAT ON THE MAT TODAY'];
    const resemblance = async (options: object) =>
      (await tuneOnSample(texts, options)).sample.resemblances.find(({ pairs }) => pairs > 0)?.from;
    expect(await resemblance({ shingle: 'word:1' })).toBe(0.7); // 5 of 7 words
    expect(await resemblance({ shingle: 'word:3' })).toBe(0.4); // 3 of 7
    expect(await resemblance({ shingle: 'word:1', normalise: 'keep-case' })).toBeUndefined();
  });

  test('looks below a low threshold too, and refuses one of 0', async () => {
    expect((await tuneOnSample(truth, { threshold: 0.1, recall: 0.9 })).sample.floor).toBe(0.05);
    await expect(tuneOnSample(truth, { threshold: 0, bands: 2, rows: 2 })).rejects.toThrow(
      'every pair is at or above 0',
    );
  });
});

describe('the sample', () => {
  const collection = pairsOf(3000, 90);

  test('is of bounded size and keeps near-duplicates together', async () => {
    const { sample } = await tuneOnSample(collection);
    expect(sample).toMatchObject({ documents: 2000, read: 6000 });
    // A third of the documents: of the 3,000 pairs, 0.9/3 of them and a few more; single documents would have left 333.
    expect(sample.schemes[0]!.pairs).toBeGreaterThan(850);
    expect(sample.schemes[0]!.pairs).toBeLessThan(1000);
  });

  test('is the same for the same documents, in whatever order they come', async () => {
    const sketcher = await createSketcher();
    const contents = async (documents: typeof collection) =>
      (await drawSample(documents, sketcher, 500)).documents.map(({ set }) => set.join()).sort();
    const drawn = await contents(collection);
    expect(drawn).toHaveLength(500);
    expect(await contents(collection.toReversed())).toEqual(drawn);
  });

  test('has of equal documents one, and none without words', async () => {
    const sketcher = await createSketcher();
    const copies = Array.from({ length: 5000 }, () => ({ text: 'a text that very many documents have' }));
    const { documents, read } = await drawSample([...copies, { text: '!' }, { text: 'one more' }], sketcher, 100);
    expect([documents.length, read]).toEqual([2, 5002]);
  });

  test('has the shares of large and small documents that the collection has', async () => {
    const sketcher = await createSketcher();
    const ofSize = (size: number) =>
      Array.from({ length: 1000 }, (_, at) => ({ set: Array.from({ length: size }, (_, e) => `${size} ${at} ${e}`) }));
    const { documents } = await drawSample([...ofSize(5), ...ofSize(200)], sketcher, 400);
    // 200 expected, standard deviation 9.
    expect(Math.abs(documents.filter(({ set }) => set.length === 5).length - 200)).toBeLessThan(45);
  });
});

describe('overlapSteps', () => {
  const sets = fc.array(fc.uniqueArray(fc.nat(30), { maxLength: 12 }), { maxLength: 12 });

  test('gives the resemblance of every pair that shares an element, and no other', () => {
    fc.assert(
      fc.property(sets, fc.constantFrom(1e-9, 0.1, 0.3, 0.5, 1), (given, floor) => {
        const found: [number, number, number][] = [];
        const arrays = given.map(set =>
          BigUint64Array.from(
            set.toSorted((a, b) => a - b),
            element => BigInt(element) << 29n,
          ),
        );
        finish(overlapSteps(arrays, floor, (...pair) => found.push(pair)));
        const expected: [number, number, number][] = [];
        for (const [a, left] of given.entries())
          for (const [b, right] of given.entries()) {
            const shared = left.filter(element => right.includes(element)).length;
            const resemblance = shared / (left.length + right.length - shared);
            if (b > a && shared > 0 && resemblance >= floor) expected.push([a, b, resemblance]);
          }
        expect(found).toEqual(expected);
      }),
    );
  });

  test('agrees with the exact join of pairs on texts', async () => {
    const words = Array.from({ length: 40 }, (_, at) => `w${at}`);
    const texts = Array.from({ length: 60 }, (_, at) =>
      words
        .slice(at % 7, 40 - (at % 5))
        .concat(`x${at % 11}`, words.slice(0, at % 13))
        .join(' '),
    );
    const sketcher = await createSketcher();
    const distinct = [...new Set(texts)];
    const found: string[] = [];
    finish(
      overlapSteps(
        distinct.map(text => sketcher.set(text)),
        0.2,
        (a, b, resemblance) => found.push(`${a} ${b} ${resemblance}`),
      ),
    );
    const expected: string[] = [];
    const documents = distinct.map((text, id) => ({ id: String(id), text }));
    for await (const { a, b, resemblance } of findPairs(documents, { threshold: 0.2, exact: true }))
      expected.push(`${a} ${b} ${resemblance}`);
    expect(found.length).toBeGreaterThan(100);
    expect(found).toEqual(expected);
  });
});

function variance(chance: number): number {
  return chance * (1 - chance);
}
