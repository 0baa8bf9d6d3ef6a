/** A corpus → for each document whether it stays, and if not, for which one it goes. */
import { keepFirstOfEach } from '../../cluster/connected.ts';
import { type Best, clusterDirectSteps } from '../../cluster/direct.ts';
import { kept, type Similarity } from '../../cluster/keeping.ts';
import { finish, type Steps } from '../../cluster/steps.ts';
import { createUnionFind, type UnionFind } from '../../cluster/union-find.ts';
import type { Corpus } from '../memory/corpus.ts';
import type { RunOptions } from '../run-options.ts';
import { type Buckets, bucketSteps, limitOf, rowOf, someShared } from './buckets.ts';
import { createCompare } from './compare-items.ts';
import { Comparisons, type LargestGroup, largestGroup } from './comparisons.ts';
import { type Crowd, type CrowdLimits, createCrowd, crowdLimits } from './crowd/crowd.ts';
import type { Verdicts } from './verdicts.ts';

type DecideSettings = Governed & { readonly limits?: CrowdLimits };

/** With checkpoints. `onMany` is told when there are `many` comparisons. */
export function* decideSteps(
  corpus: Corpus,
  options: RunOptions,
  { limits = crowdLimits, many, onMany }: DecideSettings = {},
): Steps<Decided> {
  const buckets = yield* bucketSteps(corpus);
  const textOf = (item: number) => corpus.documents[item]!.text;
  const comparisons = new Comparisons(many, () => onMany?.(largestGroup(buckets, textOf, options.shingle)));
  const compare = createCompare(corpus, options, comparisons);
  const keptBy = yield* decideBySteps(
    { ...corpus, count: corpus.documents.length },
    buckets,
    (a, b, atLeast) => compare(a, b, atLeast).similarity,
    options,
    limits,
  );
  // A reference document is never removed, not even for another one.
  return { keptBy: keptBy.fill(kept, 0, corpus.protectedCount), comparisons: comparisons.made };
}

export interface Decided {
  readonly keptBy: Int32Array;
  readonly comparisons: number;
}

/** Who wants to know when comparisons are many. */
export interface Governed {
  readonly many?: number | undefined;
  readonly onMany?: ((group: LargestGroup) => void) | undefined;
}

export interface Deciding {
  readonly count: number;
  readonly protectedCount: number;
  /** The items to decide on, the one to keep first. */
  readonly order: Uint32Array;
  /** Equal texts may share the buckets of the first of them, which then stands for them all in there. */
  readonly firstOf?: Uint32Array | undefined;
  /** What people decided on; `similarity` goes by it. An item of it stands for itself alone. */
  readonly decided?: Verdicts | undefined;
  /** To be used before the next one is asked for. */
  setOf(item: number): BigUint64Array;
}

export function decideBy(...given: Parameters<typeof decideBySteps>): Int32Array {
  return finish(decideBySteps(...given));
}

/** A checkpoint at every item, or every bucket. */
function* decideBySteps(
  items: Deciding,
  buckets: Buckets,
  similarity: Similarity,
  options: RunOptions,
  limits = crowdLimits,
): Steps<Int32Array> {
  const { cluster, measure, threshold } = options;
  const crowd = createCrowd(buckets, items.setOf, options, limits);
  if (cluster === 'direct') return yield* direct(items, buckets, similarity, threshold, crowd);
  const isAlike = (a: number, b: number) => similarity(a, b, threshold) >= threshold;
  // Only containment depends on which of the two comes first.
  const areAlike = measure === 'containment' ? (a: number, b: number) => isAlike(a, b) || isAlike(b, a) : isAlike;
  return yield* connected(items, buckets, areAlike, crowd);
}

/** Only kept documents stand in the buckets, so m copies of one cost m − 1 comparisons. */
function* direct(
  items: Deciding,
  buckets: Buckets,
  similarity: Similarity,
  threshold: number,
  crowd: Crowd | undefined,
): Steps<Int32Array> {
  const { bucketsOf } = buckets;
  const keptItems = createKeptItems(buckets);
  const inCrowd = crowd && createKeptInCrowd(crowd, buckets, keptItems);
  const { keptBy } = yield* clusterDirectSteps({
    count: items.count,
    order: items.order,
    prepare(item) {
      if (item < items.protectedCount) return undefined;
      return inCrowd?.prepare(items.firstOf ? items.firstOf[item]! : item);
    },
    visitCandidates(item, see, best) {
      if (item < items.protectedCount) return;
      if (items.decided) for (const partner of items.decided.partnersOf(item)) see(partner);
      const row = items.firstOf ? items.firstOf[item]! : item;
      if (row !== item) see(row);
      const isFiltered = inCrowd?.isWorthIt(row) ?? false;
      for (let i = bucketsOf.starts[row]!; i < bucketsOf.starts[row + 1]!; i++) {
        const bucket = bucketsOf.values[i]!;
        if (!(isFiltered && crowd!.has(bucket))) keptItems.list(bucket, see);
      }
      if (isFiltered) inCrowd!.visit(row, best, see);
    },
    similarity,
    threshold,
    onKept(item) {
      if (items.firstOf && items.firstOf[item] !== item) return;
      for (let i = bucketsOf.starts[item]!; i < bucketsOf.starts[item + 1]!; i++) keptItems.add(item, i);
      inCrowd?.add(item);
    },
  });
  return keptBy;
}

const NONE = -1;
const UNLISTED = -2;

/** The kept items of each bucket, as a linked list in keep order; entries are the places in `bucketsOf.values`. */
function createKeptItems(buckets: Buckets) {
  const { bucketsOf, itemsOf } = buckets;
  const first = new Int32Array(itemsOf.starts.length - 1).fill(NONE);
  const last = new Int32Array(itemsOf.starts.length - 1).fill(NONE);
  const next = new Int32Array(bucketsOf.values.length).fill(UNLISTED);
  const itemAt = new Uint32Array(bucketsOf.values.length);
  const counts = new Uint32Array(itemsOf.starts.length - 1);
  return {
    counts,
    add(item: number, entry: number): void {
      const bucket = bucketsOf.values[entry]!;
      if (counts[bucket]! >= limitOf(buckets, bucket)) return;
      counts[bucket]!++;
      itemAt[entry] = item;
      next[entry] = NONE;
      if (last[bucket] === NONE) first[bucket] = entry;
      else next[last[bucket]!] = entry;
      last[bucket] = entry;
    },
    list(bucket: number, see: (item: number) => void): void {
      for (let entry = first[bucket]!; entry !== NONE; entry = next[entry]!) see(itemAt[entry]!);
    },
    /** Whether one of the item's buckets lists the kept one. */
    areTogether(item: number, keptItem: number): boolean {
      return someShared(buckets, item, keptItem, entry => next[entry] !== UNLISTED);
    },
  };
}

type KeptItems = ReturnType<typeof createKeptItems>;

/** Kept items of crowded buckets. They are made ready for the search when it is first worth it. */
function createKeptInCrowd(crowd: Crowd, { bucketsOf }: Buckets, keptItems: KeptItems) {
  const waiting: number[] = [];
  const seenIn = new Uint32Array(bucketsOf.starts.length - 1);
  // Copies of a text ask with the same number, so it is the search that counts.
  let search = 0;
  const { starts, values } = bucketsOf;
  let preparedFor = NONE;
  const isWorthIt = (item: number) => crowd.isWorthIt(item, bucket => keptItems.counts[bucket]!);
  const addWaiting = function* (): Steps<void> {
    yield* crowd.prepare();
    for (const keptItem of waiting) {
      crowd.add(keptItem);
      yield;
    }
    waiting.length = 0;
  };
  return {
    add(item: number): void {
      for (let i = starts[item]!; i < starts[item + 1]!; i++) {
        if (!crowd.has(values[i]!)) continue;
        if (crowd.isReady) crowd.add(item);
        else waiting.push(item);
        return;
      }
    },
    isWorthIt: (item: number) => item === preparedFor || isWorthIt(item),
    /** The first time that a search is worth it, all that is kept so far is added. */
    prepare(item: number): Steps<void> | undefined {
      if (crowd.isReady || !isWorthIt(item)) return undefined;
      preparedFor = item;
      return addWaiting();
    },
    visit(item: number, best: Best, see: (candidate: number) => void): void {
      preparedFor = NONE;
      search++;
      crowd.visit(item, best, candidate => {
        if (seenIn[candidate] === search) return;
        seenIn[candidate] = search;
        if (keptItems.areTogether(item, candidate)) see(candidate);
      });
    },
  };
}

/** Components of the verified pairs; the first in keep order is kept. */
function* connected(
  items: Deciding,
  buckets: Buckets,
  areAlike: (a: number, b: number) => boolean,
  crowd: Crowd | undefined,
): Steps<Int32Array> {
  const { itemsOf } = buckets;
  const linked = createUnionFind(items.count);
  const { same } = items.decided ?? { same: [] };
  for (let at = 0; at < same.length; at += 2) linked.union(same[at]!, same[at + 1]!);
  const left: number[] = [];
  for (let place = 0; place + 1 < itemsOf.starts.length; place++) {
    yield;
    const bucket = buckets.order ? buckets.order[place]! : place;
    const limit = limitOf(buckets, bucket);
    if (limit !== Number.POSITIVE_INFINITY && crowd?.has(bucket)) {
      yield* crowd.linkLimited(bucket, limit, linked, areAlike);
      continue;
    }
    const isCrowd = (compared: number, item: number) =>
      limit === Number.POSITIVE_INFINITY && crowd !== undefined && crowd.isOf(compared, item);
    if (!linkBucket(rowOf(itemsOf, bucket), limit, linked, areAlike, isCrowd)) left.push(bucket);
  }
  if (left.length > 0) {
    const mayLink = (a: number, b: number) =>
      someShared(buckets, a, b, entry => buckets.bucketsOf.values[entry]! >= buckets.limited) && areAlike(a, b);
    yield* crowd!.link(left, linked, mayLink);
  }
  return keepFirstOfEach(items.count, items.order, item => linked.find(items.firstOf ? items.firstOf[item]! : item));
}

/**
 * Each item is compared with the parts of the bucket it is not yet linked to, until one member of a part is alike. Past `limit`
 * parts, items that are in none are left out. False if it was given up, since an item had to be compared with too many.
 */
export function linkBucket(
  items: Uint32Array,
  limit: number,
  linked: UnionFind,
  areAlike: (a: number, b: number) => boolean,
  isCrowd: (compared: number, item: number) => boolean,
): boolean {
  const parts: number[][] = [];
  for (const item of items) {
    let compared = 0;
    const isAlike = (member: number) => {
      compared++;
      return areAlike(member, item);
    };
    let home: number[] | undefined;
    for (let i = parts.length - 1; i >= 0; i--) {
      const part = parts[i]!;
      const isLinked = linked.find(part[0]!) === linked.find(item);
      if (!isLinked && !part.some(isAlike)) continue;
      linked.union(part[0]!, item);
      if (home) {
        for (const member of part) home.push(member);
        parts.splice(i, 1);
      } else home = part;
    }
    if (home) home.push(item);
    else if (parts.length < limit) parts.push([item]);
    if (isCrowd(compared, item)) return false;
  }
  return true;
}
