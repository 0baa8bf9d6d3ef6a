/** Documents → those that stay, those that go with the reason, and the clusters: the library's main call. */
import { kept } from '../cluster/keeping.ts';
import type { Cluster, Document, Pair, Removal } from '../model.ts';
import { type NameOf, plainName } from '../options.ts';
import { createCorpus, type Documents } from './corpus.ts';
import { decisionsOf, pairsOf, type Run } from './decisions.ts';
import { type GivenRunOptions, readExactOptions, readRunOptions } from './run-options.ts';
import { createSketcher } from './sketcher.ts';

export interface DedupResult {
  /** In input order. */
  readonly kept: readonly Document[];
  readonly removed: readonly Removal[];
  readonly clusters: readonly Cluster[];
}

/** `protect`: documents that are never removed, always win and are not in the result. */
export type GivenDedupOptions = GivenRunOptions & { readonly protect?: Documents };

export async function dedup(documents: Documents, given: GivenDedupOptions = {}): Promise<DedupResult> {
  const { protect = [], ...rest } = given;
  return decideRun(await openRun(documents, protect, rest));
}

export async function findClusters(documents: Documents, given: GivenRunOptions = {}): Promise<readonly Cluster[]> {
  return decideRun(await openRun(documents, [], given)).clusters;
}

/** `exact`: provably all pairs at or above the threshold, without LSH. */
export async function* findPairs(
  documents: Documents,
  given: GivenRunOptions & { readonly exact?: boolean } = {},
): AsyncGenerator<Pair> {
  const { exact = false, ...rest } = given;
  yield* pairsOf(await openRun(documents, [], rest, plainName, exact), exact);
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
  const { shingle, sketch, normalise, seed } = given;
  const ofEdit = options.measure === 'edit' ? 'char:5' : undefined;
  const sketcher = await createSketcher({ shingle: shingle ?? ofEdit, sketch, normalise, seed }, nameOf);
  return { corpus: await createCorpus(documents, protect, options, sketcher, { withKeys: !exact }), options };
}

function decideRun(run: Run): DedupResult {
  const { protectedCount, keptBy, removed, clusters } = decisionsOf(run);
  const stays = (_: Document, item: number) => item >= protectedCount && keptBy[item] === kept;
  return { kept: run.corpus.documents.filter(stays), removed: [...removed], clusters: [...clusters] };
}
