/** Query documents, then documents that pass by once → for each query the ones like it, best first. Exact, without LSH. */
import { finish } from '../../cluster/steps.ts';
import { fail } from '../../errors.ts';
import type { Document, SearchResult } from '../../model.ts';
import type { NameOf, Options } from '../../options.ts';
import { cannotReach, measuresOf } from '../../similarity/measures.ts';
import { contentOf, isSet } from '../analyse/content.ts';
import { halvesOf } from '../analyse/key-arrays.ts';
import { rarestElements } from '../decide/exact-join.ts';
import { type Sketcher, sketcherOf } from '../sketcher.ts';

export const scanOptionNames = ['threshold', 'measure', 'shingle', 'normalise', 'seed'] as const;
type ScanOptions = Options<(typeof scanOptionNames)[number]>;
type Content = Pick<Document, 'text' | 'set'>;
/** Sets are compared, no sketch is made. */
const SET_ONLY = { kind: 'minhash', size: 1 } as const;

type Passing = Content & Pick<Document, 'id'>;

/** Keeps at most `limit` results for each query. */
export async function openScan(
  queries: AsyncIterable<Content> | Iterable<Content>,
  options: ScanOptions,
  limit: number,
  nameOf: NameOf,
): Promise<Scan> {
  requireSearchable(options, nameOf);
  const sketcher = await sketcherOf({ ...options, sketch: SET_ONLY });
  const distinct = new Map<string, Query>();
  const asked: Query[] = [];
  for await (const query of queries) {
    const content = `${isSet(query)} ${contentOf(query, sketcher.kernel)}`;
    const known = distinct.get(content) ?? { isSet: isSet(query), set: sketcher.set(query), best: new Best(limit) };
    distinct.set(content, known);
    asked.push(known);
  }
  return new Scan(asked, distinct, sketcher, options);
}

function requireSearchable({ measure, threshold }: ScanOptions, nameOf: NameOf): void {
  if (measure === 'edit')
    fail('BAD_COMBINATION', {
      what: `search with ${nameOf('measure')} edit`,
      why: 'results are found by shared shingles; search by resemblance or containment',
    });
  if (threshold === 0)
    fail('BAD_COMBINATION', { what: `search with ${nameOf('threshold')} 0`, why: 'every document is at or above 0' });
}

interface Query {
  readonly isSet: boolean;
  readonly set: BigUint64Array;
  readonly best: Best;
}

class Scan {
  readonly #asked: readonly Query[];
  /** Equal queries are one; by their contents. */
  readonly #distinct: ReadonlyMap<string, Query>;
  readonly #queries: readonly Query[];
  readonly #seekers: Seekers;
  readonly #sketcher: Sketcher;
  readonly #options: ScanOptions;
  /** Documents seen. */
  #count = 0;

  constructor(asked: readonly Query[], distinct: ReadonlyMap<string, Query>, sketcher: Sketcher, options: ScanOptions) {
    this.#asked = asked;
    this.#distinct = distinct;
    this.#queries = [...distinct.values()];
    this.#sketcher = sketcher;
    this.#options = options;
    // At resemblance or containment t, a document has at least t · |query| elements of the query, so one of these.
    const rarest = finish(rarestElements(this.#queries.length, query => this.#queries[query]!.set, options.threshold));
    this.#seekers = new Seekers(rarest);
  }

  see(document: Passing): void {
    const number = this.#count++;
    const hashes = this.#hashesOf(document);
    if (hashes.length === 0) {
      // Without words it can only be equal.
      const equal = this.#distinct.get(`${isSet(document)} ${contentOf(document, this.#sketcher.kernel)}`);
      equal?.best.add({ id: document.id, resemblance: 1, containment: 1 }, 1, number);
      return;
    }
    const candidates = this.#seekers.of(hashes);
    // Most documents share nothing with any query, and need no sorted set.
    if (candidates.length > 0) this.#compare(candidates, document, number);
  }

  /** In the order of the queries that were given. */
  *results(): Generator<readonly SearchResult[]> {
    for (const { best } of this.#asked) yield best.results();
  }

  /** With repeats: cheaper than a set. */
  #hashesOf(document: Content): BigUint64Array {
    const { kernel, normalise, set } = this.#sketcher;
    return isSet(document) ? set(document) : kernel.shingleHashes(normalise(document.text!));
  }

  #compare(candidates: readonly number[], document: Passing, number: number): void {
    const { threshold, measure } = this.#options;
    const set = this.#sketcher.set(document);
    for (const candidate of candidates) {
      const query = this.#queries[candidate]!;
      if (query.isSet !== isSet(document)) continue;
      if (measure === 'resemblance' && cannotReach(query.set.length, set.length, threshold)) continue;
      const shared = this.#sketcher.kernel.intersectionSize(query.set, set);
      const { resemblance, containmentAB: containment } = measuresOf(query.set.length, set.length, shared);
      const value = measure === 'containment' ? containment : resemblance;
      if (value >= threshold) query.best.add({ id: document.id, resemblance, containment }, value, number);
    }
  }
}

interface Ranked {
  readonly result: SearchResult;
  readonly value: number;
  /** Which of the documents it is, counted from 0. */
  readonly number: number;
}

/** The best results of a query so far; ties go to the higher resemblance, then to the document that came first. */
class Best {
  readonly #limit: number;
  #found: Ranked[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(result: SearchResult, value: number, number: number): void {
    this.#found.push({ result, value, number });
    // Sorted now and then: each result is sorted a few times at most, whatever the limit.
    if (this.#found.length >= 2 * this.#limit + 64) this.#cut();
  }

  results(): readonly SearchResult[] {
    this.#cut();
    return this.#found.map(({ result }) => result);
  }

  #cut(): void {
    this.#found.sort((a, b) => b.value - a.value || b.result.resemblance - a.result.resemblance || a.number - b.number);
    this.#found = this.#found.slice(0, this.#limit);
  }
}

const NONE = -1;

/** Element → the queries that look for it: a hash table of chains in typed arrays. */
class Seekers {
  /** Eight slots or more for each element, so that one look tells most elements that nobody looks for. */
  readonly #newest: Int32Array;
  readonly #previous: Int32Array;
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  readonly #query: Uint32Array;
  /** The last document that a query was found for, so that it is found once. */
  readonly #foundFor: Float64Array;
  #documents = 0;

  constructor(elements: readonly BigUint64Array[]) {
    const count = elements.reduce((sum, { length }) => sum + length, 0);
    this.#newest = new Int32Array(2 ** Math.min(28, Math.ceil(Math.log2(count + 1)) + 3)).fill(NONE);
    this.#previous = new Int32Array(count);
    this.#low = new Uint32Array(count);
    this.#high = new Uint32Array(count);
    this.#query = new Uint32Array(count);
    this.#foundFor = new Float64Array(elements.length);
    let at = 0;
    for (const [query, set] of elements.entries()) {
      const halves = halvesOf(set);
      for (let low = 0; low < halves.length; low += 2) {
        const slot = halves[low]! & (this.#newest.length - 1);
        this.#low[at] = halves[low]!;
        this.#high[at] = halves[low + 1]!;
        this.#query[at] = query;
        this.#previous[at] = this.#newest[slot]!;
        this.#newest[slot] = at++;
      }
    }
  }

  /** Each query once. */
  of(hashes: BigUint64Array): number[] {
    const found: number[] = [];
    const document = ++this.#documents;
    const halves = halvesOf(hashes);
    const newest = this.#newest;
    const mask = newest.length - 1;
    for (let low = 0; low < halves.length; low += 2) {
      for (let at = newest[halves[low]! & mask]!; at !== NONE; at = this.#previous[at]!) {
        if (this.#low[at] !== halves[low] || this.#high[at] !== halves[low + 1]) continue;
        const query = this.#query[at]!;
        if (this.#foundFor[query] === document) continue;
        this.#foundFor[query] = document;
        found.push(query);
      }
    }
    return found;
  }
}
