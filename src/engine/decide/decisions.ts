/** A decided corpus → for each document whether it stays, why the others go, and the clusters. */
import { clustersOf, type ItemCluster } from '../../cluster/clusters.ts';
import { kept } from '../../cluster/keeping.ts';
import { finish, type Steps } from '../../cluster/steps.ts';
import type { Cluster, Pair, Relation, Removal } from '../../model.ts';
import type { Corpus } from '../memory/corpus.ts';
import type { Pace } from '../pace.ts';
import type { RunOptions } from '../run-options.ts';
import { createEvidence, relationOf } from './compare-items.ts';
import type { Comparisons } from './comparisons.ts';
import { type Decided, decideSteps, type Governed } from './decide.ts';
import { allPairSteps, type FoundPair } from './pairs.ts';
import type { DecisionCounts } from './settle-decisions.ts';
import type { Verdicts } from './verdicts.ts';

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
  /** Given when the run was given decisions that people made. */
  readonly decisions?: DecisionCounts | undefined;
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
  const relations: Record<Relation, number> = { exact: 0, near: 0, contained: 0, decided: 0 };
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

export function decisionsOf(run: Run): Decisions {
  return finish(evidenceSteps(run, finish(decideSteps(run.corpus, run.options))));
}

/** The same for who has others waiting. */
export async function decisionsAtPace({ corpus, options }: Run, pace: Pace, governed?: Governed): Promise<Decisions> {
  const decided = await pace.finish('decide', decideSteps(corpus, options, governed));
  return pace.finish('evidence', evidenceSteps({ corpus, options }, decided));
}

function* evidenceSteps({ corpus, options }: Run, { keptBy, comparisons }: Decided): Steps<Decisions> {
  const ids = corpus.documents.map(({ id }) => id);
  const compare = createEvidence(corpus, options);
  const resemblances = new Float64Array(keptBy.length).fill(1);
  const removed = new Map<number, Removal>();
  for (let item = 0; item < keptBy.length; item++) {
    const representative = keptBy[item]!;
    if (representative === kept) continue;
    yield;
    const pair = compare(item, representative);
    resemblances[item] = pair.resemblance;
    removed.set(
      item,
      removalOf(options, {
        id: ids[item]!,
        keptId: ids[representative]!,
        isReference: representative < corpus.protectedCount,
        relation: relationOf(
          {
            areEqual: corpus.contents[item] === corpus.contents[representative],
            areDecided: corpus.decided?.of(item, representative) === 'same',
          },
          pair,
          options,
        ),
        resemblance: pair.resemblance,
        containment: pair.containmentAB,
        similarity: pair.similarity,
      }),
    );
  }
  const clusters: Cluster[] = [];
  for (const cluster of clustersOf(keptBy, item => resemblances[item]!)) {
    clusters.push(clusterOf(item => ids[item]!, options, cluster));
    yield;
  }
  const totals = totalsOf(keptBy, item => removed.get(item)!.relation);
  return {
    protectedCount: corpus.protectedCount,
    idOf: item => ids[item]!,
    keptBy,
    totals,
    comparisons,
    removed: [...removed.values()],
    clusters,
    decisions: corpus.decisions,
  };
}

/** Sorted by the first, then by the second document in input order. */
export function* pairsOf({ corpus, options }: Run, exact: boolean, comparisons?: Comparisons): Generator<Pair> {
  for (const pair of pairSteps({ corpus, options }, exact, comparisons)) if (pair) yield pair;
}

/** The same for who has others waiting. */
export async function* pairsAtPace(run: Run, exact: boolean, pace: Pace): AsyncGenerator<Pair> {
  let done = 0;
  for (const pair of pairSteps(run, exact)) {
    if (pair) yield pair;
    else done++;
    if (pace.isDue) await pace.rest({ stage: 'decide', done });
  }
}

/** Undefined at each checkpoint. */
function* pairSteps({ corpus, options }: Run, exact: boolean, comparisons?: Comparisons): Generator<Pair | undefined> {
  const idOf = (item: number) => corpus.documents[item]!.id;
  for (const pair of allPairSteps(corpus, options, exact, { comparisons }))
    yield pair && pairOf(idOf, options, pair, corpus.decided);
}

export function pairOf(
  idOf: (item: number) => string,
  { verify, measure }: Pick<RunOptions, 'verify' | 'measure'>,
  { a, b, resemblance, containmentAB, containmentBA, similarity }: FoundPair,
  decided: Verdicts | undefined,
): Pair {
  const ids = { a: idOf(a), b: idOf(b) };
  const relation = decided?.of(a, b) === 'same' ? ({ relation: 'decided' } as const) : {};
  if (verify !== 'exact') return { ...ids, estimatedResemblance: resemblance, ...relation };
  const values = { resemblance, containmentAB, containmentBA };
  if (measure !== 'edit') return { ...ids, ...values, ...relation };
  return { ...ids, ...values, editSimilarity: similarity, ...relation };
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
  const removal =
    verify === 'exact'
      ? { id, keptId, relation, resemblance, containment, cluster: keptId }
      : { id, keptId, relation, estimatedResemblance: resemblance, cluster: keptId };
  // There are millions of plain ones, and spreading takes longer than the rest.
  if (!isReference && measure !== 'edit') return removal;
  return {
    ...removal,
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
