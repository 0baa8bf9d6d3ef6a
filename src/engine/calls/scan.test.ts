import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../index.ts';
import type { Document, SearchResult } from '../../model.ts';
import { plainName, readOptions } from '../../options.ts';
import { compareSets } from '../../similarity/measures.ts';
import { createSketcher } from '../sketcher.ts';
import { openScan, scanOptionNames } from './scan.ts';

const words = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `w${from + i}`).join(' ');

async function scanned(
  queries: readonly Document[],
  documents: readonly Document[],
  options: object = {},
  limit = 1000,
): Promise<SearchResult[][]> {
  const scan = await openScan(queries, readOptions(scanOptionNames, options), limit, plainName);
  for (const document of documents) scan.see(document);
  return Array.from(scan.results(), results => [...results]);
}

/** The slow twin: every document against every query, on sets of strings. */
function compared(
  queries: readonly Document[],
  documents: readonly Document[],
  by: 'resemblance' | 'containment',
  threshold: number,
): SearchResult[][] {
  return queries.map(query =>
    documents
      .map(document => {
        const { resemblance, containmentAB } = compareSets(query.set!, document.set!);
        const areBothEmpty = query.set!.length === 0 && document.set!.length === 0;
        return areBothEmpty
          ? { id: document.id, resemblance: 1, containment: 1 }
          : { id: document.id, resemblance, containment: containmentAB };
      })
      .filter(result => result[by] >= threshold)
      // Sorting is stable, so ties stay in the order of the documents.
      .sort((a, b) => b[by] - a[by] || b.resemblance - a.resemblance),
  );
}

describe('a scan', () => {
  const element = fc.integer({ min: 0, max: 30 });
  const sets = fc.array(fc.array(element, { maxLength: 20 }), { maxLength: 12 });
  const numbered = (given: readonly number[][], name: string): Document[] =>
    given.map((set, i) => ({ id: `${name}${i}`, set }));

  it('finds what comparing everything with everything finds, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(
        sets,
        sets,
        fc.constantFrom('resemblance' as const, 'containment' as const),
        fc.constantFrom(0.05, 0.3, 0.5, 0.8, 1),
        fc.integer({ min: 1, max: 4 }),
        async (queries, documents, measure, threshold, limit) => {
          const [asked, passing] = [numbered(queries, 'q'), numbered(documents, 'd')];
          const all = compared(asked, passing, measure, threshold);
          expect(await scanned(asked, passing, { measure, threshold })).toEqual(all);
          const best = all.map(results => results.slice(0, limit));
          expect(await scanned(asked, passing, { measure, threshold }, limit)).toEqual(best);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('keeps the best of thousands of results, the first of equal ones', async () => {
    const query = { id: 'q', text: words(0, 100) };
    const passing = Array.from({ length: 3000 }, (_, i) => ({ id: `d${i}`, text: words(i % 10, 100) }));
    const [results] = await scanned([query], passing, {}, 302);
    expect(results!.slice(0, 3).map(({ id }) => id)).toEqual(['d0', 'd10', 'd20']);
    expect(results!.slice(299).map(({ id }) => id)).toEqual(['d2990', 'd1', 'd11']);
    expect(results).toHaveLength(302);
  });

  it('answers as an index of all the documents does', async () => {
    const documents = Array.from({ length: 60 }, (_, i) => ({ id: `d${i}`, text: words(i * 7, i * 7 + 120) }));
    const wordless = [
      { id: 'blank', text: '…' },
      { id: 'other blank', text: '!' },
    ];
    const all = [...documents, ...wordless];
    for (const options of [
      { threshold: 0.8 },
      { threshold: 0.5, measure: 'containment' },
      { threshold: 0.6, shingle: 'char:4', normalise: 'stem:en', seed: 7 },
    ] as const) {
      const index = await openIndex('memory:', { ...options, store: 'all' });
      for (const document of all) await index.add(document);
      const found = await scanned(all, all, options, 10);
      for (const [at, { text }] of all.entries())
        expect(found[at]).toEqual(await index.search({ text }, { limit: 10 }));
      await index.close();
    }
  });

  it('compares no text with a set', async () => {
    const { kernel } = await createSketcher();
    // A text of one word hashes as an element of that word does.
    expect(kernel.shingleSet('seven')).toEqual(kernel.elementSet(['seven']));
    const queries = [
      { id: 'text', text: 'seven' },
      { id: 'set', set: ['seven'] },
    ];
    const found = await scanned(queries, queries);
    expect(found.map(results => results.map(({ id }) => id))).toEqual([['text'], ['set']]);
    const empty = [
      { id: 'text', text: '' },
      { id: 'set', set: [] },
    ];
    expect((await scanned(empty, empty)).map(results => results.map(({ id }) => id))).toEqual([['text'], ['set']]);
  });

  it('names what it cannot do', async () => {
    await expect(scanned([], [], { measure: 'edit' })).rejects.toThrow(/measure edit/);
    await expect(scanned([], [], { threshold: 0 })).rejects.toThrow(/threshold 0/);
  });
});
