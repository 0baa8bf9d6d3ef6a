/** A few thousand shingle sets → the resemblance of every pair at or above a floor, however low. */
import type { Steps } from '../../cluster/steps.ts';
import { groupSteps, keyedItemSteps, rowOf, rowSteps, transposedSteps } from '../decide/buckets.ts';

/**
 * Shared elements are counted, element by element: no pair is met that shares none, and no set is gone through twice. At a low
 * floor that is faster than looking for candidates and comparing them (`exact-join.ts`), since nearly all elements are needed. There is
 * a checkpoint at every set.
 */
export function* overlapSteps(
  sets: readonly BigUint64Array[],
  floor: number,
  see: (a: number, b: number, resemblance: number) => void,
): Steps<void> {
  const itemsOf = yield* rowSteps(yield* groupSteps(yield* keyedItemSteps(sets), undefined));
  const bucketsOf = yield* transposedSteps(itemsOf, sets.length);
  const shared = new Uint32Array(sets.length);
  for (let a = 0; a < sets.length; a++) {
    yield;
    for (const bucket of rowOf(bucketsOf, a)) {
      // Items ascend, so those after `a` stand at the end.
      const start = itemsOf.starts[bucket]!;
      for (let at = itemsOf.starts[bucket + 1]! - 1; at >= start && itemsOf.values[at]! > a; at--)
        shared[itemsOf.values[at]!]!++;
    }
    for (let b = a + 1; b < sets.length; b++) {
      if (shared[b] === 0) continue;
      const resemblance = shared[b]! / (sets[a]!.length + sets[b]!.length - shared[b]!);
      if (resemblance >= floor) see(a, b, resemblance);
      shared[b] = 0;
    }
  }
}
