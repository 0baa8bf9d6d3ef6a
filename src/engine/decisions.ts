/** A decided corpus → for each document whether it stays, why the others go, and the clusters. */
import { clustersOf, type ItemCluster } from '../cluster/clusters.ts';
import { kept } from '../cluster/keeping.ts';
import type { Cluster, Pair, Relation, Removal } from '../model.ts';
import { createCompare, evidenceThreshold, relationOf } from './compare-items.ts';
import type { Comparisons } from './comparisons.ts';
import type { Corpus } from './corpus.ts';
import { decide, type Governed } from './decide.ts';
import { allPairs, type FoundPair } from './pairs.ts';
import type { RunOptions } from './run-options.ts';

/** Items are the documents in input order, after those of the reference set. */
export interface Decisions {
  readonly protectedCount: number;
  idOf(item: number): string;
  /** The item kept in place of this one; −1 (`kept`) if it stays. */
  readonly keptBy: Int32Array;
  readonly totals: Totals;
  /** Of two documents each, to decide. */
  readonly comparisons: number;
  /** In input order; made as they are gone through, since there may be millions. */
  readonly removed: Iterable<Removal>;
  /** In order of their representatives; made when they are gone through. */
  readonly clusters: Iterable<Cluster>;
}

export interface Totals extends Readonly<Record<Relation, number>> {
  readonly removed: number;
  readonly clusters: number;
  /** Documents in clusters, representatives included. */
  readonly clustered: number;
  /** The item that stands for the largest cluster, and its size; undefined when there is none. */
  readonly largest: { readonly representative: number; readonly size: number } | undefined;
}

/** Of two clusters of one size, the one whose representative comes first counts as the largest. */
export function totalsOf(keptBy: Int32Array, relationOf: (item: number) => Relation): Totals {
  const relations: Record<Relation, number> = { exact: 0, near: 0, contained: 0 };
  const sizes = new Uint32Array(keptBy.length);
  let removed = 0;
  for (let item = 0; item < keptBy.length; item++) {
    if (keptBy[item] === kept) continue;
    removed++;
    relations[relationOf(item)]++;
    sizes[keptBy[item]!]!++;
  }
  let clusters = 0;
  let largest: Totals['largest'];
  for (let representative = 0; representative < sizes.length; representative++) {
    if (sizes[representative] === 0) continue;
    clusters++;
    const size = sizes[representative]! + 1;
    if (size > (largest?.size ?? 0)) largest = { representative, size };
  }
  return { ...relations, removed, clusters, clustered: removed + clusters, largest };
}

export interface Run {
  readonly corpus: Corpus;
  readonly options: RunOptions;
}

export function decisionsOf({ corpus, options }: Run, governed?: Governed): Decisions {
  const ids = corpus.documents.map(({ id }) => id);
  const { keptBy, comparisons } = decide(corpus, options, governed);
  const compare = createCompare(corpus, { ...options, threshold: evidenceThreshold(options) });
  const resemblances = new Float64Array(keptBy.length).fill(1);
  const removed = new Map<number, Removal>();
  for (let item = 0; item < keptBy.length; item++) {
    const representative = keptBy[item]!;
    if (representative === kept) continue;
    const pair = compare(item, representative);
    resemblances[item] = pair.resemblance;
    removed.set(
      item,
      removalOf(options, {
        id: ids[item]!,
        keptId: ids[representative]!,
        isReference: representative < corpus.protectedCount,
        relation: relationOf(corpus.contents[item] === corpus.contents[representative], pair, options),
        resemblance: pair.resemblance,
        containment: pair.containmentAB,
        similarity: pair.similarity,
      }),
    );
  }
  const clusters = [...clustersOf(keptBy, item => resemblances[item]!)].map(cluster =>
    clusterOf(item => ids[item]!, options, cluster),
  );
  const totals = totalsOf(keptBy, item => removed.get(item)!.relation);
  return {
    protectedCount: corpus.protectedCount,
    idOf: item => ids[item]!,
    keptBy,
    totals,
    comparisons,
    removed: [...removed.values()],
    clusters,
  };
}

/** Sorted by the first, then by the second document in input order. */
export function* pairsOf({ corpus, options }: Run, exact: boolean, comparisons?: Comparisons): Generator<Pair> {
  const idOf = (item: number) => corpus.documents[item]!.id;
  for (const pair of allPairs(corpus, options, exact, { comparisons })) yield pairOf(idOf, options, pair);
}

export function pairOf(
  idOf: (item: number) => string,
  { verify, measure }: Pick<RunOptions, 'verify' | 'measure'>,
  { a, b, resemblance, containmentAB, containmentBA, similarity }: FoundPair,
): Pair {
  const ids = { a: idOf(a), b: idOf(b) };
  if (verify !== 'exact') return { ...ids, estimatedResemblance: resemblance };
  if (measure !== 'edit') return { ...ids, resemblance, containmentAB, containmentBA };
  return { ...ids, resemblance, containmentAB, containmentBA, editSimilarity: similarity };
}

export function removalOf(
  { verify, measure }: Pick<RunOptions, 'verify' | 'measure'>,
  removed: {
    readonly id: string;
    readonly keptId: string;
    /** Of the kept document. */
    readonly isReference: boolean;
    readonly relation: Relation;
    readonly resemblance: number;
    readonly containment: number;
    readonly similarity: number;
  },
): Removal {
  const { id, keptId, isReference, relation, resemblance, containment, similarity } = removed;
  return {
    id,
    keptId,
    relation,
    ...(verify === 'exact' ? { resemblance, containment } : { estimatedResemblance: resemblance }),
    cluster: keptId,
    ...(isReference && { reference: true }),
    ...(measure === 'edit' && { editSimilarity: similarity }),
  };
}

export function clusterOf(
  idOf: (item: number) => string,
  { verify }: Pick<RunOptions, 'verify'>,
  { representative, members, minResemblance }: ItemCluster,
): Cluster {
  const id = idOf(representative);
  return {
    cluster: id,
    size: members.length,
    representative: id,
    members: Array.from(members, idOf),
    ...(verify === 'exact' ? { minResemblance } : { minEstimatedResemblance: minResemblance }),
  };
}
