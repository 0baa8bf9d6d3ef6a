/** A corpus → all pairs at or above the threshold, sorted by the first, then by the second document. */
import type { Steps } from '../../cluster/steps.ts';
import type { Corpus } from '../memory/corpus.ts';
import type { RunOptions } from '../run-options.ts';
import { bucketSteps, limitOf, rowOf } from './buckets.ts';
import { type Comparable, createCompare, createEvidence, type ItemPair } from './compare-items.ts';
import type { Comparisons } from './comparisons.ts';
import { type CrowdLimits, createCrowd, crowdLimits } from './crowd/crowd.ts';
import { exactCandidates } from './exact-candidates.ts';
import { type VisitCandidates, visitBuckets, visitWithCopies } from './visit-candidates.ts';

export interface FoundPair extends ItemPair {
  readonly a: number;
  readonly b: number;
}

type PairSettings = { limits?: CrowdLimits; comparisons?: Comparisons | undefined };

/** Undefined at each checkpoint. */
export function* allPairSteps(
  corpus: Corpus,
  options: RunOptions,
  exact: boolean,
  { limits = crowdLimits, comparisons }: PairSettings = {},
): Generator<FoundPair | undefined, void> {
  const visit = yield* exact ? exactCandidates(corpus, options) : candidates(corpus, options, limits);
  const pairsWith = createPairing(corpus.documents.length, visit, corpus, options, comparisons);
  for (let a = 0; a < corpus.documents.length; a++) {
    yield;
    yield* pairsWith(a);
  }
}

/** Gives the pairs of an item with those after it, in their order. */
export function createPairing(
  count: number,
  visit: VisitCandidates,
  comparable: Comparable,
  options: RunOptions,
  comparisons?: Comparisons,
): (a: number) => Generator<FoundPair> {
  const { measure, verify, threshold } = options;
  const { decided } = comparable;
  const compare = createCompare(comparable, options, comparisons);
  const evidence = createEvidence(comparable, options, comparisons);
  const seenFor = new Int32Array(count).fill(-1);
  const isEither = measure === 'containment' && verify !== 'none';
  return function* (a) {
    const candidates: number[] = [];
    const see = (b: number) => {
      if (b <= a || seenFor[b] === a) return;
      seenFor[b] = a;
      candidates.push(b);
    };
    visit(a, see);
    if (decided) for (const partner of decided.partnersOf(a)) see(partner);
    for (const b of candidates.sort((x, y) => x - y)) {
      if (decided?.of(a, b) === 'same') {
        yield { a, b, ...evidence(a, b) };
        continue;
      }
      const pair = compare(a, b);
      const reached = isEither ? Math.max(pair.containmentAB, pair.containmentBA) : pair.similarity;
      if (reached >= threshold) yield { a, b, ...pair };
    }
  };
}

function* candidates(corpus: Corpus, options: RunOptions, limits: CrowdLimits): Steps<VisitCandidates> {
  const buckets = yield* bucketSteps(corpus);
  const crowd = createCrowd(buckets, corpus.setOf, options, limits);
  if (corpus.firstOf) return yield* visitWithCopies(buckets, corpus.firstOf, crowd);
  // Each pair of a bucket is a candidate, so a bucket of very many is left out where it may be.
  const isOpen = (bucket: number) => rowOf(buckets.itemsOf, bucket).length <= limitOf(buckets, bucket);
  return yield* visitBuckets(buckets, crowd, isOpen);
}
