/** Documents → those that stay, those that go with the reason, and the clusters: the library's main call. */
import { clustersOf } from '../cluster/clusters.ts';
import { kept as isKept } from '../cluster/keeping.ts';
import type { Cluster, Document, Pair, Removal } from '../model.ts';
import { type NameOf, plainName } from '../options.ts';
import { createCompare, type ItemPair, relationOf } from './compare-items.ts';
import { type Corpus, createCorpus, type Documents } from './corpus.ts';
import { decide } from './decide.ts';
import { allPairs } from './pairs.ts';
import { type GivenRunOptions, type RunOptions, readRunOptions } from './run-options.ts';
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
  const run = await openRun(documents, protect, rest);
  return decideRun(run);
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
  yield* pairsOf(await openRun(documents, [], rest), exact);
}

export interface Run {
  readonly corpus: Corpus;
  readonly options: RunOptions;
}

export async function openRun(
  documents: Documents,
  protect: Documents,
  given: GivenRunOptions,
  nameOf: NameOf = plainName,
): Promise<Run> {
  const options = readRunOptions(given, nameOf);
  const { shingle, sketch, normalise, seed } = given;
  const sketcherGiven = { ...(shingle !== undefined && { shingle }), sketch, normalise, seed };
  const sketcher = await createSketcher(
    options.measure === 'edit' && shingle === undefined ? { ...sketcherGiven, shingle: 'char:5' } : sketcherGiven,
    nameOf,
  );
  return { corpus: await createCorpus(documents, protect, options, sketcher), options };
}

export function decideRun({ corpus, options }: Run): DedupResult {
  const keptBy = decide(corpus, options);
  const compare = createCompare(corpus, { ...options, threshold: 0 });
  const resemblances = new Float64Array(keptBy.length).fill(1);
  const removed: Removal[] = [];
  for (let item = 0; item < keptBy.length; item++) {
    const representative = keptBy[item]!;
    if (representative === isKept) continue;
    const pair = compare(item, representative);
    resemblances[item] = pair.resemblance;
    removed.push(removalOf(corpus, options, item, representative, pair));
  }
  return {
    kept: corpus.documents.filter((_, item) => item >= corpus.protectedCount && keptBy[item] === isKept),
    removed,
    clusters: clustersOf(keptBy, resemblances).map(cluster => clusterOf(corpus, options, cluster)),
  };
}

export function* pairsOf({ corpus, options }: Run, exact: boolean): Generator<Pair> {
  for (const { a, b, resemblance, containmentAB, containmentBA, similarity } of allPairs(corpus, options, exact)) {
    const ids = { a: corpus.documents[a]!.id, b: corpus.documents[b]!.id };
    if (options.verify !== 'exact') yield { ...ids, estimatedResemblance: resemblance };
    else
      yield {
        ...ids,
        resemblance,
        containmentAB,
        containmentBA,
        ...(options.measure === 'edit' && { editSimilarity: similarity }),
      };
  }
}

function removalOf(corpus: Corpus, options: RunOptions, item: number, representative: number, pair: ItemPair): Removal {
  const keptId = corpus.documents[representative]!.id;
  const relation = relationOf(corpus, item, representative, pair, options);
  const values =
    options.verify === 'exact'
      ? { resemblance: pair.resemblance, containment: pair.containmentAB }
      : { estimatedResemblance: pair.resemblance };
  return {
    id: corpus.documents[item]!.id,
    keptId,
    relation,
    ...values,
    cluster: keptId,
    ...(options.measure === 'edit' && { editSimilarity: pair.similarity }),
  };
}

function clusterOf(
  { documents }: Corpus,
  { verify }: RunOptions,
  { representative, members, minResemblance }: ReturnType<typeof clustersOf>[number],
): Cluster {
  const { id } = documents[representative]!;
  return {
    cluster: id,
    size: members.length,
    representative: id,
    members: members.map(member => documents[member]!.id),
    ...(verify === 'exact' ? { minResemblance } : { minEstimatedResemblance: minResemblance }),
  };
}
