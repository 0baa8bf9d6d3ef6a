/** Documents → those that stay, those that go with the reason, and the clusters: the library's main call. */
import { kept } from '../cluster/keeping.ts';
import { fail } from '../errors.ts';
import { SeenIds } from '../formats/ids.ts';
import type { Cluster, Document, Pair, Removal } from '../model.ts';
import { type NameOf, plainName } from '../options.ts';
import { createCorpus, type Documents } from './corpus.ts';
import { decisionsOf, pairsOf, type Run } from './decisions.ts';
import { type GivenRunOptions, readExactOptions, readRunOptions } from './run-options.ts';
import { createRunSketcher } from './run-sketcher.ts';

export interface DedupResult {
  /** The caller's own objects, in input order. */
  readonly kept: readonly Document[];
  readonly removed: readonly Removal[];
  readonly clusters: readonly Cluster[];
  /** Documents whose id is missing, null, empty or was used before: `removed` and `clusters` name them by position. */
  readonly renamed: readonly RenamedDocument[];
}

export interface RenamedDocument {
  /** Which of the documents it is, counted from 0. */
  readonly index: number;
  /** `documents:1` is the first. */
  readonly name: string;
}

/** `protect`: documents that are never removed, always win and are not in the result. */
export type GivenDedupOptions = GivenRunOptions & { readonly protect?: Documents };

export async function dedup(documents: Documents, given: GivenDedupOptions = {}): Promise<DedupResult> {
  const { protect = [], ...rest } = given;
  const named = new NamedDocuments(documents, 'documents');
  const run = await openRun(named, new NamedDocuments(protect, 'protect'), rest);
  const { protectedCount, keptBy, removed, clusters } = decisionsOf(run);
  const stays = (_: Document, index: number) => keptBy[protectedCount + index] === kept;
  return {
    kept: named.given.filter(stays),
    removed: [...removed],
    clusters: [...clusters],
    renamed: named.renamed,
  };
}

export async function findClusters(documents: Documents, given: GivenRunOptions = {}): Promise<readonly Cluster[]> {
  return [...decisionsOf(await openRun(new NamedDocuments(documents, 'documents'), [], given)).clusters];
}

/** `exact`: provably all pairs at or above the threshold, without LSH. */
export async function* findPairs(
  documents: Documents,
  given: GivenRunOptions & { readonly exact?: boolean } = {},
): AsyncGenerator<Pair> {
  const { exact = false, ...rest } = given;
  const named = new NamedDocuments(documents, 'documents');
  yield* pairsOf(await openRun(named, [], rest, plainName, exact), exact);
}

/** Documents as a caller gives them → documents with distinct ids, which are strings. To be gone through once. */
class NamedDocuments implements AsyncIterable<Document> {
  readonly given: Document[] = [];
  readonly renamed: RenamedDocument[] = [];
  readonly #documents: Documents;
  readonly #listName: string;

  constructor(documents: Documents, listName: string) {
    if (typeof documents === 'string' || !isIterable(documents)) {
      fail('BAD_DOCUMENT', { reason: 'documents are given as an iterable of objects { id, text } or { id, set }' });
    }
    this.#documents = documents;
    this.#listName = listName;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Document> {
    const seen = new SeenIds();
    for await (const document of this.#documents) {
      const index = this.given.length;
      const id = givenId(document, index);
      this.given.push(document);
      if (id !== undefined && seen.add(id)) {
        yield document.id === id ? document : { ...document, id };
        continue;
      }
      const name = `${this.#listName}:${index + 1}`;
      this.renamed.push({ index, name });
      yield { ...document, id: name };
    }
  }
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
}

/** Undefined for a document that has none. */
function givenId(document: unknown, index: number): string | undefined {
  if (typeof document !== 'object' || document === null) {
    return fail('BAD_DOCUMENT', { reason: `document number ${index} is not an object { id, text } or { id, set }` });
  }
  const { id } = document as { id?: unknown };
  if (id === undefined || id === null || id === '') return undefined;
  if (typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint') return String(id);
  return fail('BAD_DOCUMENT', { reason: `document number ${index} has an id that is neither a string nor a number` });
}

/** Options are read before the first document is. `exact`: for pairs found without LSH. */
export async function openRun(
  documents: Documents,
  protect: Documents,
  given: GivenRunOptions,
  nameOf: NameOf = plainName,
  exact = false,
): Promise<Run> {
  const options = exact ? readExactOptions(given, nameOf) : readRunOptions(given, nameOf);
  const sketcher = await createRunSketcher(options, given, nameOf);
  return { corpus: await createCorpus(documents, protect, options, sketcher, { withKeys: !exact }), options };
}
