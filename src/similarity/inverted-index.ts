/** Fingerprints of documents → the documents that share most of them with a query, without comparing with all. */
import { fail } from '../errors.ts';
import { createPostings, type Postings } from './postings.ts';

export interface InvertedIndexOptions {
  /** A fingerprint in a larger share of the documents is dropped from searches. Default 1: none is. */
  readonly maxDocumentShare?: number;
  /** A fingerprint in more documents than this is dropped from searches, so that one costs a bounded time. Default 100,000. */
  readonly maxPostings?: number;
  /** `idf` gives a fingerprint the less weight the more documents have it; `none` counts each as 1. Default `none`. */
  readonly weighting?: 'none' | 'idf';
}

export interface OverlapSearch {
  /** Results at most. Default 10. */
  readonly limit?: number;
  /** Shared fingerprints at least, dropped ones not counted. Default 1. */
  readonly minShared?: number;
}

export interface OverlapResult {
  readonly id: string;
  /** Fingerprints of the query that this document has, dropped ones not counted. */
  readonly shared: number;
  /** Their weights together; equal to `shared` without weighting. */
  readonly score: number;
}

export interface OverlapResults {
  /** Best first; ties in the order the documents were added. */
  readonly results: readonly OverlapResult[];
  /** Fingerprints of the query that were too common to be looked up. */
  readonly dropped: number;
}

/** Hashes are sets: sorted and distinct, as everywhere. */
export interface InvertedIndex {
  readonly size: number;
  add(id: string, hashes: BigUint64Array): void;
  /** False when there is no such document. */
  remove(id: string): boolean;
  has(id: string): boolean;
  search(hashes: BigUint64Array, options?: OverlapSearch): OverlapResults;
}

interface Entry {
  readonly id: string;
  readonly hashes: BigUint64Array;
}

/**
 * An empty index from fingerprints to the documents that have them.
 *
 * @example
 * ```ts
 * const index = createInvertedIndex();
 * index.add('a', BigUint64Array.of(1n, 2n, 3n));
 * index.search(BigUint64Array.of(2n, 3n, 4n)).results; // → [ { id: 'a', shared: 2, score: 2 } ]
 * ```
 */
export function createInvertedIndex(options: InvertedIndexOptions = {}): InvertedIndex {
  const { maxDocumentShare, maxPostings, weighting } = readIndexOptions(options);
  const entries = new Map<string, number>(); // id → number
  let documents: (Entry | undefined)[] = []; // by number, in the order they were added
  let postings: Postings = createPostings();

  const add = (id: string, hashes: BigUint64Array) => {
    if (entries.has(id)) fail('BAD_DOCUMENT', { id, reason: 'is in the inverted index already' });
    requireSet(hashes, id);
    const number = documents.push({ id, hashes: hashes.slice() }) - 1;
    entries.set(id, number);
    for (const hash of hashes) postings.add(hash, number);
  };

  const remove = (id: string) => {
    const number = entries.get(id);
    if (number === undefined) return false;
    for (const hash of documents[number]!.hashes) postings.remove(hash, number);
    documents[number] = undefined;
    entries.delete(id);
    // Numbers and fingerprints of removed documents stay until they are half of all: each is then paid for once.
    if (documents.length > 2 * entries.size + 64) rebuild();
    return true;
  };

  const rebuild = () => {
    const left = documents.filter(entry => entry !== undefined);
    documents = [];
    postings = createPostings();
    entries.clear();
    for (const { id, hashes } of left) add(id, hashes);
  };

  const isCommon = (count: number) =>
    // What a single document has is not common, however few documents there are.
    count > maxPostings || (count > 1 && count > maxDocumentShare * entries.size);

  const weightOf = (count: number) => (weighting === 'none' ? 1 : inverseFrequency(count, entries.size));

  const search = (hashes: BigUint64Array, { limit = 10, minShared = 1 }: OverlapSearch = {}): OverlapResults => {
    requirePositiveInteger('limit', limit);
    requirePositiveInteger('minShared', minShared);
    requireSet(hashes);
    const shared = new Map<number, { shared: number; score: number }>();
    let dropped = 0;
    for (const hash of hashes) {
      const count = postings.count(hash);
      if (isCommon(count)) dropped++;
      else if (count > 0) addWeight(shared, postings.documents(hash), weightOf(count));
    }
    const results = [...shared]
      .filter(([, found]) => found.shared >= minShared)
      .sort(([numberA, a], [numberB, b]) => b.score - a.score || numberA - numberB)
      .slice(0, limit)
      .map(([number, found]) => ({ id: documents[number]!.id, ...found }));
    return { results, dropped };
  };

  return {
    get size() {
      return entries.size;
    },
    add,
    remove,
    has: id => entries.has(id),
    search,
  };
}

function addWeight(
  shared: Map<number, { shared: number; score: number }>,
  numbers: Iterable<number>,
  weight: number,
): void {
  for (const number of numbers) {
    const found = shared.get(number);
    if (!found) shared.set(number, { shared: 1, score: weight });
    else {
      found.shared++;
      found.score += weight;
    }
  }
}

/** As BM25 has it: near 0 for what every document has, above 0 always, so that any overlap counts for something. */
function inverseFrequency(count: number, documents: number): number {
  return Math.log(1 + (documents - count + 0.5) / (count + 0.5));
}

function readIndexOptions({ maxDocumentShare = 1, maxPostings = 100_000, weighting = 'none' }: InvertedIndexOptions) {
  if (!(maxDocumentShare > 0 && maxDocumentShare <= 1)) {
    const expected = 'a number above 0, at most 1';
    fail('BAD_OPTION', { option: 'maxDocumentShare', expected, got: maxDocumentShare });
  }
  requirePositiveInteger('maxPostings', maxPostings);
  if (weighting !== 'none' && weighting !== 'idf')
    fail('BAD_OPTION', { option: 'weighting', expected: 'none or idf', got: weighting });
  return { maxDocumentShare, maxPostings, weighting };
}

function requirePositiveInteger(option: string, got: number): void {
  if (!Number.isInteger(got) || got < 1) fail('BAD_OPTION', { option, expected: 'a whole number above 0', got });
}

function requireSet(hashes: BigUint64Array, id?: string): void {
  for (let at = 1; at < hashes.length; at++) {
    if (hashes[at - 1]! >= hashes[at]!)
      fail('BAD_DOCUMENT', { ...(id !== undefined && { id }), reason: 'hashes must be sorted and distinct' });
  }
}
