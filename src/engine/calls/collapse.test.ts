/** Ranked lists → collapsed ones, as by comparing each result with all that stay before it. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { isEmpty } from '../../sketch/sketch.ts';
import { createSketcher } from '../sketcher.ts';
import { type Collapsed, collapse } from './collapse.ts';

interface Result {
  readonly id: number;
  readonly text?: string;
  readonly set?: readonly string[];
}

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const text = fc.array(word, { maxLength: 8 }).map(words => words.join(' '));
const result = fc.oneof(
  fc.record({ text: fc.oneof({ weight: 6, arbitrary: text }, fc.constantFrom('', '.', '!')) }),
  fc.record({ set: fc.array(word, { maxLength: 4 }) }),
  fc.constant({}),
);
const list = fc.array(result, { maxLength: 25 }).map(all => all.map((one, id): Result => ({ id, ...one })));

type Alike = (result: Result, kept: Result) => boolean;

/** The slow twin. */
function collapseNaively(results: readonly Result[], isAlike: Alike): Collapsed<Result>[] {
  const stays: { result: Result; similar: Result[] | undefined }[] = [];
  for (const result of results) {
    const isCompared = result.text !== undefined || result.set !== undefined;
    const first =
      isCompared && stays.find(({ result: kept, similar }) => similar !== undefined && isAlike(result, kept));
    if (first) first.similar!.push(result);
    else stays.push({ result, similar: isCompared ? [] : undefined });
  }
  return stays.map(({ result, similar }) => (similar ? { ...result, similar } : result));
}

const sketcher = await createSketcher({ shingle: 'word:2', sketch: 'minhash:16' });

const areEqual: Alike = (a, b) => {
  if (a.text !== undefined || b.text !== undefined) return a.text === b.text;
  const [setA, setB] = [new Set(a.set), new Set(b.set)];
  return setA.size === setB.size && [...setA].every(element => setB.has(element));
};
const areOfOneKind: Alike = (a, b) => (a.text === undefined) === (b.text === undefined);

describe('a list is collapsed as by comparing each result with all that stay before it', () => {
  const byMeasure = (measure: 'resemblance' | 'containment', threshold: number): Alike => {
    return (a, b) => {
      if (areEqual(a, b)) return true;
      if (!areOfOneKind(a, b)) return false;
      const { resemblance, containmentAB } = sketcher.compare(sketcher.set(a), sketcher.set(b));
      return (measure === 'containment' ? containmentAB : resemblance) >= threshold;
    };
  };

  test.each(['resemblance', 'containment'] as const)('by %s', async measure => {
    await fc.assert(
      fc.asyncProperty(list, fc.constantFrom(0.2, 0.5, 2 / 3, 0.8, 1), async (results, threshold) => {
        const found = await collapse(results, { shingle: 'word:2', measure, threshold });
        expect(found).toEqual(collapseNaively(results, byMeasure(measure, threshold)));
      }),
      { numRuns: 200 },
    );
  });

  test('by equal minima', async () => {
    await fc.assert(
      fc.asyncProperty(list, fc.integer({ min: 1, max: 16 }), async (results, matches) => {
        const isAlike: Alike = (a, b) => {
          if (areEqual(a, b)) return true;
          const [sketchA, sketchB] = [sketcher.sketch(a), sketcher.sketch(b)];
          if (!areOfOneKind(a, b) || isEmpty(sketchA) || isEmpty(sketchB)) return false;
          return [...sketchA.values].filter((value, i) => value === sketchB.values[i]).length >= matches;
        };
        const found = await collapse(results, { shingle: 'word:2', matches, of: 16 });
        expect(found).toEqual(collapseNaively(results, isAlike));
      }),
      { numRuns: 100 },
    );
  });
});

test('results that share a tenth of their words are hardly ever compared', async () => {
  const compared = vi.spyOn(Object.getPrototypeOf(sketcher.kernel), 'intersectionSize');
  const results = Array.from({ length: 2000 }, (_, id) => {
    const words = Array.from({ length: 40 }, (_, at) => `w${(id * 7919 + at * 104_729) % 100_003}`);
    return { id, text: ['the', 'same', 'four', 'words', ...words].join(' ') };
  });
  expect(await collapse(results)).toHaveLength(2000);
  // One by one it would be two million.
  expect(compared.mock.calls.length).toBeLessThan(2000);
  compared.mockRestore();
});
