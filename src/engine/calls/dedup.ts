/** Documents → those that stay, those that go with the reason, and the clusters: the library's main call. */
import { kept } from '../../cluster/keeping.ts';
import { fail } from '../../errors.ts';
import { SeenIds } from '../../formats/seen-ids.ts';
import type { Cluster, Document, GivenDocument, Pair, Removal } from '../../model.ts';
import { withList } from '../analyse/elements.ts';
import { decisionsAtPace, pairsAtPace } from '../decide/decisions.ts';
import type { DecisionCounts, GivenDecisions } from '../decide/settle-decisions.ts';
import { type Documents, openRun } from '../memory/corpus.ts';
import { type CallSettings, Pace } from '../pace.ts';
import { type GivenRunOptions, readExactOptions, readRunOptions } from '../run-options.ts';

/** What `dedup` found. */
export interface DedupResult<Given extends GivenDocument = Document> {
  /** The caller's own objects, in input order. */
  readonly kept: readonly Given[];
  /** Why each of the other documents is removed, in input order. */
  readonly removed: readonly Removal[];
  /** Groups of two or more near-duplicates, the kept one among them. */
  readonly clusters: readonly Cluster[];
  /** Documents whose id is missing, null, empty or was used before: `removed` and `clusters` name them by position. */
  readonly renamed: readonly RenamedDocument[];
  /** How the given decisions were applied. Undefined when none were given. */
  readonly decisions?: DecisionCounts;
}

/** A document that is named by its position. */
export interface RenamedDocument {
  /** Which of the documents it is, counted from 0. */
  readonly index: number;
  /** `documents:1` is the first. */
  readonly name: string;
}

/** Options of a run, and what every long call takes. */
export type GivenCallOptions = GivenRunOptions &
  CallSettings & {
    /**
     * What people decided about pairs of documents: the lines of a log, in order, or a `DecisionBook`. Pairs called different are
     * never a reason to remove or group. Pairs called same count as similar, whatever their similarity.
     */
    readonly decisions?: GivenDecisions | undefined;
  };

/** Options of `dedup`. */
export type GivenDedupOptions = GivenCallOptions & {
  /** A reference set: documents that are never removed, always win and are not in the result. */
  readonly protect?: Documents<GivenDocument> | undefined;
};

/** Options of `findPairs`. */
export type GivenPairOptions = GivenCallOptions & {
  /** Provably all pairs at or above the threshold, without LSH. Default: false. */
  readonly exact?: boolean | undefined;
};

/**
 * Documents → those that stay, those that go with the reason, and the clusters. By default each removed document itself
 * resembles the one kept for it, and that was verified on their whole sets of shingles.
 *
 * @example
 * ```ts
 * const articles = [{ id: 'a', text: 'one two three' }, { id: 'b', text: 'One, two, three!' }];
 * const { kept, removed } = await dedup(articles, { threshold: 0.8, keep: 'longest' });
 * [kept[0]?.id, removed[0]?.keptId, removed[0]?.resemblance]; // → [ 'b', 'b', 1 ]
 * ```
 */
export async function dedup<Given extends GivenDocument>(
  documents: Documents<Given>,
  given: GivenDedupOptions = {},
): Promise<DedupResult<Given>> {
  const { protect = [], decisions: decided, signal, onProgress, ...rest } = given;
  const pace = new Pace({ signal, onProgress });
  const named = new NamedDocuments(documents, 'documents');
  const reference = new NamedDocuments(protect, 'protect');
  const run = await openRun(named, reference, readRunOptions(rest), false, pace, decided);
  const { protectedCount, keptBy, removed, clusters, decisions } = await decisionsAtPace(run, pace);
  const stays = (_: Given, index: number) => keptBy[protectedCount + index] === kept;
  return {
    kept: named.given.filter(stays),
    removed: [...removed],
    clusters: [...clusters],
    renamed: named.renamed,
    ...(decisions && { decisions }),
  };
}

/**
 * Documents → groups of two or more near-duplicates, each with the document that would be kept.
 *
 * @example
 * ```ts
 * const articles = [{ id: 'a', text: 'one two three' }, { id: 'b', text: 'One, two, three!' }];
 * const clusters = await findClusters(articles, { cluster: 'connected' });
 * clusters[0]?.members; // → [ 'a', 'b' ]
 * ```
 */
export async function findClusters(
  documents: Documents<GivenDocument>,
  given: GivenCallOptions = {},
): Promise<readonly Cluster[]> {
  const { decisions, signal, onProgress, ...rest } = given;
  const pace = new Pace({ signal, onProgress });
  const named = new NamedDocuments(documents, 'documents');
  const run = await openRun(named, [], readRunOptions(rest), false, pace, decisions);
  return [...(await decisionsAtPace(run, pace)).clusters];
}

/**
 * Documents → pairs at or above the threshold, with their exact values, sorted by the first, then by the second document.
 *
 * @example
 * ```ts
 * const sets = [{ id: 'a', set: [1, 2, 3] }, { id: 'b', set: [1, 2, 3, 4] }];
 * const found = [];
 * for await (const { a, b, resemblance } of findPairs(sets, { threshold: 0.5, exact: true })) found.push([a, b, resemblance]);
 * found; // → [ [ 'a', 'b', 0.75 ] ]
 * ```
 */
export async function* findPairs(
  documents: Documents<GivenDocument>,
  given: GivenPairOptions = {},
): AsyncGenerator<Pair> {
  const { exact = false, decisions, signal, onProgress, ...rest } = given;
  const pace = new Pace({ signal, onProgress });
  const options = exact ? readExactOptions(rest) : readRunOptions(rest);
  const run = await openRun(new NamedDocuments(documents, 'documents'), [], options, exact, pace, decisions);
  yield* pairsAtPace(run, exact, pace);
}

/** Documents as a caller gives them → documents with distinct string ids. It can be iterated once. */
class NamedDocuments<Given extends GivenDocument> implements AsyncIterable<Document> {
  readonly given: Given[] = [];
  readonly renamed: RenamedDocument[] = [];
  readonly #documents: Documents<Given>;
  readonly #listName: string;

  constructor(documents: Documents<Given>, listName: string) {
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
      const listed = withList(document);
      if (id !== undefined && seen.add(id)) {
        yield (listed.id === id ? listed : { ...listed, id }) as Document;
        continue;
      }
      const name = `${this.#listName}:${index + 1}`;
      this.renamed.push({ index, name });
      yield { ...listed, id: name } as Document;
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
