/** Documents → those that stay, those that go with the reason, and the clusters: the library's main call. */
import { kept } from '../cluster/keeping.ts';
import { fail } from '../errors.ts';
import type { Cluster, Document, Pair, Removal } from '../model.ts';
import { type NameOf, plainName } from '../options.ts';
import { createCorpus, type Documents } from './corpus.ts';
import { decisionsOf, pairsOf, type Run } from './decisions.ts';
import { type GivenRunOptions, readExactOptions, readRunOptions } from './run-options.ts';
import { createRunSketcher } from './run-sketcher.ts';

export interface DedupResult {
  /** In input order. */
  readonly kept: readonly Document[];
  readonly removed: readonly Removal[];
  readonly clusters: readonly Cluster[];
  /** Documents whose id came before: the first stays in the run, these are none of it. */
  readonly rejected: readonly RejectedDocument[];
}

export interface RejectedDocument {
  readonly id: string;
  /** Which of the documents it is, counted from 0. */
  readonly index: number;
  readonly reason: string;
}

/** `protect`: documents that are never removed, always win and are not in the result. */
export type GivenDedupOptions = GivenRunOptions & { readonly protect?: Documents };

export async function dedup(documents: Documents, given: GivenDedupOptions = {}): Promise<DedupResult> {
  const { protect = [], ...rest } = given;
  const rejected: RejectedDocument[] = [];
  const run = await openRun(
    eachOnce(documents, reject => rejected.push(reject)),
    eachOnce(protect, failOnRepeated),
    rest,
  );
  return { ...decideRun(run), rejected };
}

export async function findClusters(documents: Documents, given: GivenRunOptions = {}): Promise<readonly Cluster[]> {
  return decideRun(await openRun(eachOnce(documents, failOnRepeated), [], given)).clusters;
}

/** `exact`: provably all pairs at or above the threshold, without LSH. */
export async function* findPairs(
  documents: Documents,
  given: GivenRunOptions & { readonly exact?: boolean } = {},
): AsyncGenerator<Pair> {
  const { exact = false, ...rest } = given;
  yield* pairsOf(await openRun(eachOnce(documents, failOnRepeated), [], rest, plainName, exact), exact);
}

/** Documents as a caller gives them → documents: ids as strings, each once. */
async function* eachOnce(
  documents: Documents,
  onRepeated: (reject: RejectedDocument) => void,
): AsyncGenerator<Document> {
  if (typeof documents === 'string' || !isIterable(documents)) {
    fail('BAD_DOCUMENT', { reason: 'documents are given as an iterable of objects { id, text } or { id, set }' });
  }
  const seen = new Set<string>();
  let index = 0;
  for await (const given of documents) {
    const document = checkedDocument(given, index);
    if (seen.has(document.id))
      onRepeated({ id: document.id, index, reason: `repeated id ${JSON.stringify(document.id)}` });
    else yield document;
    seen.add(document.id);
    index++;
  }
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
}

function checkedDocument(given: unknown, index: number): Document {
  if (typeof given !== 'object' || given === null) {
    return fail('BAD_DOCUMENT', { reason: `document number ${index} is not an object { id, text } or { id, set }` });
  }
  const { id } = given as { id?: unknown };
  if (typeof id === 'string') return given as Document;
  if (typeof id === 'number') return { ...given, id: String(id) };
  return fail('BAD_DOCUMENT', { reason: `document number ${index} has an id that is neither a string nor a number` });
}

function failOnRepeated({ id, index }: RejectedDocument): never {
  return fail('BAD_DOCUMENT', { id, reason: `its id came before (document number ${index})` });
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

function decideRun(run: Run): Omit<DedupResult, 'rejected'> {
  const { protectedCount, keptBy, removed, clusters } = decisionsOf(run);
  const stays = (_: Document, item: number) => item >= protectedCount && keptBy[item] === kept;
  return { kept: run.corpus.documents.filter(stays), removed: [...removed], clusters: [...clusters] };
}
