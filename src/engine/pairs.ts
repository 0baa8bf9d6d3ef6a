/** A corpus → all pairs at or above the threshold, sorted by the first, then by the second document. */
import { type Buckets, createBuckets, rowOf } from './buckets.ts';
import { createCompare, type ItemPair } from './compare-items.ts';
import type { Corpus } from './corpus.ts';
import { prefixKeys } from './exact-join.ts';
import type { RunOptions } from './run-options.ts';

export interface FoundPair extends ItemPair {
  readonly a: number;
  readonly b: number;
}

export function* allPairs(corpus: Corpus, options: RunOptions, exact: boolean): Generator<FoundPair> {
  const { bucketsOf, itemsOf } = exact ? exactBuckets(corpus, options) : createBuckets(corpus);
  const compare = createCompare(corpus, options);
  const seenFor = new Int32Array(corpus.documents.length).fill(-1);
  for (let a = 0; a < corpus.documents.length; a++) {
    const candidates: number[] = [];
    for (const bucket of rowOf(bucketsOf, a)) {
      for (const b of rowOf(itemsOf, bucket)) {
        if (b <= a || seenFor[b] === a) continue;
        seenFor[b] = a;
        candidates.push(b);
      }
    }
    for (const b of candidates.sort((x, y) => x - y)) {
      const pair = compare(a, b);
      const reached =
        options.measure === 'containment' ? Math.max(pair.containmentAB, pair.containmentBA) : pair.similarity;
      if (reached >= options.threshold) yield { a, b, ...pair };
    }
  }
}

/** Containment asks for t·n of the smaller set only, which its own prefix still has to share, wherever it is in the larger. */
function exactBuckets(corpus: Corpus, { threshold, measure }: RunOptions): Buckets {
  const { documents, setOf } = corpus;
  const keys =
    measure === 'containment'
      ? documents.map((_, item) => setOf(item))
      : prefixKeys(documents.length, setOf, threshold);
  return createBuckets({ ...corpus, keys, maxDocumentsOfKey: Number.POSITIVE_INFINITY });
}
