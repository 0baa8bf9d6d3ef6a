/** A corpus → all pairs at or above the threshold, sorted by the first, then by the second document. */
import { createBuckets, limitOf, rowOf } from './buckets.ts';
import { type CompareItems, createCompare, type ItemPair } from './compare-items.ts';
import type { Comparisons } from './comparisons.ts';
import type { Corpus } from './corpus.ts';
import { type CrowdLimits, createCrowd, crowdLimits } from './crowd.ts';
import { exactCandidates } from './exact-candidates.ts';
import type { RunOptions } from './run-options.ts';
import { type VisitCandidates, visitBuckets } from './visit-candidates.ts';

export interface FoundPair extends ItemPair {
  readonly a: number;
  readonly b: number;
}

export function* allPairs(
  corpus: Corpus,
  options: RunOptions,
  exact: boolean,
  { limits = crowdLimits, comparisons }: { limits?: CrowdLimits; comparisons?: Comparisons | undefined } = {},
): Generator<FoundPair> {
  const visit = exact ? exactCandidates(corpus, options) : candidates(corpus, options, limits);
  const pairsWith = createPairing(corpus.documents.length, visit, createCompare(corpus, options, comparisons), options);
  for (let a = 0; a < corpus.documents.length; a++) yield* pairsWith(a);
}

/** Gives the pairs of an item with those after it, in their order. */
export function createPairing(
  count: number,
  visit: VisitCandidates,
  compare: CompareItems,
  { measure, verify, threshold }: RunOptions,
): (a: number) => Generator<FoundPair> {
  const seenFor = new Int32Array(count).fill(-1);
  const isEither = measure === 'containment' && verify !== 'none';
  return function* (a) {
    const candidates: number[] = [];
    visit(a, b => {
      if (b <= a || seenFor[b] === a) return;
      seenFor[b] = a;
      candidates.push(b);
    });
    for (const b of candidates.sort((x, y) => x - y)) {
      const pair = compare(a, b);
      const reached = isEither ? Math.max(pair.containmentAB, pair.containmentBA) : pair.similarity;
      if (reached >= threshold) yield { a, b, ...pair };
    }
  };
}

function candidates(corpus: Corpus, options: RunOptions, limits: CrowdLimits): VisitCandidates {
  const buckets = createBuckets(corpus);
  // Each pair of a bucket is a candidate, so a bucket of very many is left out where it may be.
  const isOpen = (bucket: number) => rowOf(buckets.itemsOf, bucket).length <= limitOf(buckets, bucket);
  return visitBuckets(buckets, createCrowd(buckets, corpus.setOf, options, limits), isOpen);
}
