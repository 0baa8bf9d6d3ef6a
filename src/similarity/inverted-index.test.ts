import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInvertedIndex } from './inverted-index.ts';

const hashes = (...values: (number | bigint)[]) =>
  BigUint64Array.from([...new Set(values.map(BigInt))]).sort((a, b) => (a < b ? -1 : 1));

describe('createInvertedIndex', () => {
  it('puts the document that shares most fingerprints first', () => {
    const index = createInvertedIndex();
    index.add('one', hashes(1, 2, 3));
    index.add('three', hashes(1, 2, 3, 4, 5));
    index.add('none', hashes(7, 8));
    expect(index.search(hashes(3, 4, 5, 6))).toEqual({
      results: [
        { id: 'three', shared: 3, score: 3 },
        { id: 'one', shared: 1, score: 1 },
      ],
      dropped: 0,
    });
  });

  it('breaks ties by the order in which documents were added', () => {
    const index = createInvertedIndex();
    for (const id of ['z', 'a', 'm']) index.add(id, hashes(1, 2));
    expect(index.search(hashes(1, 2)).results.map(result => result.id)).toEqual(['z', 'a', 'm']);
  });

  it('drops fingerprints that too large a share of the documents has, and says how many', () => {
    const index = createInvertedIndex({ maxDocumentShare: 0.5 });
    // Hash 1 is a footer that every page has.
    for (let page = 0; page < 10; page++) index.add(`page ${page}`, hashes(1, 100 + page));
    expect(index.search(hashes(1, 103))).toEqual({ results: [{ id: 'page 3', shared: 1, score: 1 }], dropped: 1 });
  });

  it('never drops what only one document has, however small the index', () => {
    const index = createInvertedIndex({ maxDocumentShare: 0.1 });
    index.add('only', hashes(1, 2));
    expect(index.search(hashes(1, 2))).toEqual({ results: [{ id: 'only', shared: 2, score: 2 }], dropped: 0 });
  });

  it('drops fingerprints with more postings than a search may look at, until documents go', () => {
    const index = createInvertedIndex({ maxPostings: 2 });
    for (const id of ['a', 'b', 'c']) index.add(id, hashes(1));
    expect(index.search(hashes(1))).toEqual({ results: [], dropped: 1 });
    index.remove('b');
    expect(index.search(hashes(1)).results.map(result => result.id)).toEqual(['a', 'c']);
  });

  it('gives common fingerprints little weight with idf: one rare one outweighs three that all have', () => {
    const index = createInvertedIndex({ weighting: 'idf' });
    for (let page = 0; page < 50; page++) index.add(`page ${page}`, hashes(1, 2, 3, 1000 + page));
    index.add('rare', hashes(77));
    const { results } = index.search(hashes(1, 2, 3, 77));
    expect(results[0]!.id).toBe('rare');
    expect(results[1]!.shared).toBe(3);
    expect(results[1]!.score).toBeGreaterThan(0);
    expect(results[1]!.score).toBeLessThan(results[0]!.score);
  });

  it('keeps to limit and minShared', () => {
    const index = createInvertedIndex();
    index.add('a', hashes(1));
    index.add('b', hashes(1, 2));
    index.add('c', hashes(1, 2, 3));
    expect(index.search(hashes(1, 2, 3), { minShared: 2 }).results.map(result => result.id)).toEqual(['c', 'b']);
    expect(index.search(hashes(1, 2, 3), { limit: 1 }).results.map(result => result.id)).toEqual(['c']);
  });

  it('forgets a removed document and takes its id again', () => {
    const index = createInvertedIndex();
    index.add('a', hashes(1, 2));
    expect(index.remove('a')).toBe(true);
    expect(index.remove('a')).toBe(false);
    expect(index.search(hashes(1, 2)).results).toEqual([]);
    index.add('a', hashes(2, 3));
    expect(index.search(hashes(1, 2, 3)).results).toEqual([{ id: 'a', shared: 2, score: 2 }]);
  });

  it('agrees with comparing every document, after any adds and removes', () => {
    const set = fc.uniqueArray(fc.bigInt({ min: 0n, max: 25n }), { maxLength: 12 }).map(values => hashes(...values));
    const step = fc.record({ id: fc.nat(30).map(String), set, remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), set, (steps, query) => {
        const index = createInvertedIndex();
        const naive = new Map<string, BigUint64Array>();
        for (const { id, set, remove } of steps) {
          if (remove) {
            expect(index.remove(id)).toBe(naive.delete(id));
          } else if (!naive.has(id)) {
            index.add(id, set);
            naive.set(id, set);
          }
        }
        const wanted = [...naive]
          .map(([id, set]) => ({ id, shared: [...set].filter(hash => query.includes(hash)).length }))
          .filter(({ shared }) => shared > 0)
          .sort((a, b) => b.shared - a.shared);
        expect(index.size).toBe(naive.size);
        expect(index.search(query, { limit: 1000 }).results.map(({ id, shared }) => ({ id, shared }))).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });

  it('holds many fingerprints that all end in the same bits, as 0 mod m selects them', () => {
    const index = createInvertedIndex();
    for (let page = 0; page < 2000; page++) {
      index.add(String(page), hashes(...Array.from({ length: 10 }, (_, at) => BigInt(page * 10 + at) << 40n)));
    }
    expect(index.search(hashes(12345n << 40n)).results).toEqual([{ id: '1234', shared: 1, score: 1 }]);
  });

  it('rejects a repeated id, an unsorted array and impossible options', () => {
    const index = createInvertedIndex();
    index.add('a', hashes(1));
    expect(() => index.add('a', hashes(2))).toThrow('document "a": is in the inverted index already');
    expect(() => index.add('b', BigUint64Array.of(2n, 1n))).toThrow('sorted and distinct');
    expect(() => index.search(hashes(1), { limit: 0 })).toThrow('limit must be a whole number above 0, got 0');
    expect(() => createInvertedIndex({ maxDocumentShare: 0 })).toThrow('maxDocumentShare must be');
    expect(() => createInvertedIndex({ maxPostings: -1 })).toThrow('maxPostings must be');
    expect(() => createInvertedIndex({ weighting: 'bm25' as never })).toThrow('weighting must be none or idf');
  });
});
