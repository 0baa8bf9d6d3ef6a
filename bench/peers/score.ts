/** What a tool found, and the exact truth → recall and precision of its pairs and of its removals. */

/** Two ids, in input order. */
export type IdPair = readonly [earlier: string, later: string];

export interface PairScore {
  /** Share of the true pairs that were found. */
  readonly recall: number;
  /** Share of the found pairs that are true. */
  readonly precision: number;
}

export interface RemovalScore {
  /** Of the documents with an earlier partner at or above the threshold, the share that was removed. */
  readonly recall: number;
  /** Of the removed documents, the share that has no partner at or above the threshold at all. */
  readonly withoutPartner: number;
  /** Of the true pairs, the share that is still there, both documents kept: it does not matter which one was to stay. */
  readonly pairsLeft: number;
}

export function scorePairs(found: readonly IdPair[], truth: readonly IdPair[]): PairScore {
  const trueKeys = new Set(truth.map(keyOf));
  const foundKeys = new Set(found.map(keyOf));
  const hits = countOf(foundKeys, key => trueKeys.has(key));
  return { recall: share(hits, trueKeys.size), precision: share(hits, foundKeys.size) };
}

export function scoreRemovals(removed: ReadonlySet<string>, truth: readonly IdPair[]): RemovalScore {
  const withEarlier = new Set(truth.map(([, later]) => later));
  const withAny = new Set(truth.flat());
  return {
    recall: share(
      countOf(withEarlier, id => removed.has(id)),
      withEarlier.size,
    ),
    withoutPartner: removed.size === 0 ? 0 : countOf(removed, id => !withAny.has(id)) / removed.size,
    pairsLeft: truth.length === 0 ? 0 : countOf(truth, pair => !pair.some(id => removed.has(id))) / truth.length,
  };
}

/** The same for both orders of a pair: not every tool keeps to that of the input. */
function keyOf([a, b]: IdPair): string {
  return JSON.stringify(a < b ? [a, b] : [b, a]);
}

function countOf<Item>(items: Iterable<Item>, holds: (item: Item) => boolean): number {
  let count = 0;
  for (const item of items) if (holds(item)) count++;
  return count;
}

/** Nothing missed, or nothing wrong, where there is nothing. */
function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
