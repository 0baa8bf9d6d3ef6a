/** Buckets → for each item, those that share one with it and may be similar. */
import type { Steps } from '../../cluster/steps.ts';
import { type Buckets, limitOf, rowOf, someShared, transposed } from './buckets.ts';
import type { Crowd } from './crowd/crowd.ts';

/** Calls `see` for every candidate of the document, perhaps several times, and perhaps for itself. */
export type VisitCandidates = (item: number, see: (candidate: number) => void) => void;

/**
 * `isOpen`: whether a bucket counts. With a crowd, those of crowded buckets come only where they may reach the threshold; where
 * this is worth it for one item, all are made ready for it. There is a checkpoint at every item.
 */
export function* visitBuckets(
  buckets: Buckets,
  crowd: Crowd | undefined,
  isOpen: (bucket: number) => boolean,
): Steps<VisitCandidates> {
  const { bucketsOf, itemsOf } = buckets;
  const countIn = (bucket: number) => (isOpen(bucket) ? rowOf(itemsOf, bucket).length : 0);
  let first = 0;
  const count = crowd ? bucketsOf.starts.length - 1 : 0;
  for (; first < count && !crowd!.isWorthIt(first, countIn); first++) yield;
  if (first < count) yield* crowd!.addAll();
  return (item, see) => {
    const isFiltered = first < count && (item === first || crowd!.isWorthIt(item, countIn));
    for (const bucket of rowOf(bucketsOf, item)) {
      if (!isOpen(bucket) || (isFiltered && crowd!.has(bucket))) continue;
      for (const candidate of rowOf(itemsOf, bucket)) see(candidate);
    }
    if (!isFiltered) return;
    crowd!.visitAll(item, candidate => {
      if (someShared(buckets, item, candidate, place => isOpen(bucketsOf.values[place]!))) see(candidate);
    });
  };
}

/** The same where only the first of equal texts has keys: the others stand in its buckets with it, and equal texts are pairs, too. */
export function* visitWithCopies(
  buckets: Buckets,
  firstOf: Uint32Array,
  crowd: Crowd | undefined,
): Steps<VisitCandidates> {
  const { length: count } = firstOf;
  const copiesOf = transposed({ starts: Uint32Array.from({ length: count + 1 }, (_, i) => i), values: firstOf }, count);
  const sizeOf = (row: Uint32Array) => row.reduce((sum, item) => sum + rowOf(copiesOf, item).length, 0);
  // Told once for each bucket: it is asked for every two documents that may be alike.
  const open = Uint8Array.from({ length: buckets.itemsOf.starts.length - 1 }, (_, bucket) => {
    const limit = limitOf(buckets, bucket);
    return Number(limit === Number.POSITIVE_INFINITY || sizeOf(rowOf(buckets.itemsOf, bucket)) <= limit);
  });
  const visit = yield* visitBuckets(buckets, crowd, bucket => open[bucket] === 1);
  return (item, see) => {
    const first = firstOf[item]!;
    for (const copy of rowOf(copiesOf, first)) see(copy);
    visit(first, candidate => {
      for (const copy of rowOf(copiesOf, candidate)) see(copy);
    });
  };
}
