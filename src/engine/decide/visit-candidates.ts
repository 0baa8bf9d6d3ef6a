/** Buckets → for each item, those that share one with it and may be similar. */
import { type Buckets, rowOf, someShared } from './buckets.ts';
import type { Crowd } from './crowd/crowd.ts';

/** Calls `see` for every candidate of the document, perhaps several times, and perhaps for itself. */
export type VisitCandidates = (item: number, see: (candidate: number) => void) => void;

/** `isOpen`: whether a bucket counts. With a crowd, those of crowded buckets come only where they may reach the threshold. */
export function visitBuckets(
  buckets: Buckets,
  crowd: Crowd | undefined,
  isOpen: (bucket: number) => boolean,
): VisitCandidates {
  const { bucketsOf, itemsOf } = buckets;
  const countIn = (bucket: number) => (isOpen(bucket) ? rowOf(itemsOf, bucket).length : 0);
  let isReady = false;
  return (item, see) => {
    const isFiltered = crowd?.isWorthIt(item, countIn) ?? false;
    for (const bucket of rowOf(bucketsOf, item)) {
      if (!isOpen(bucket) || (isFiltered && crowd!.has(bucket))) continue;
      for (const candidate of rowOf(itemsOf, bucket)) see(candidate);
    }
    if (!isFiltered) return;
    if (!isReady) crowd!.addAll();
    isReady = true;
    crowd!.visitAll(item, candidate => {
      if (someShared(buckets, item, candidate, place => isOpen(bucketsOf.values[place]!))) see(candidate);
    });
  };
}
