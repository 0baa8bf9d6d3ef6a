/** Which item is kept for which → clusters of two or more, with their weakest link to the representative. */
import { kept } from './keeping.ts';

export interface ItemCluster {
  readonly representative: number;
  /** The representative and everything it stands for, in item order. */
  readonly members: Uint32Array;
  /** Smallest resemblance of a member to the representative. */
  readonly minResemblance: number;
}

/** `resemblanceOf` a removed item to the one kept for it. Clusters come in order of their representatives. */
export function* clustersOf(keptBy: Int32Array, resemblanceOf: (item: number) => number): Generator<ItemCluster> {
  // Where the removed items of each representative start, and those items: there may be millions.
  const starts = new Uint32Array(keptBy.length + 1);
  for (const representative of keptBy) if (representative !== kept) starts[representative + 1]!++;
  for (let item = 0; item < keptBy.length; item++) starts[item + 1]! += starts[item]!;
  const removed = new Uint32Array(starts[keptBy.length]!);
  const next = starts.slice(0, -1);
  for (let item = 0; item < keptBy.length; item++) if (keptBy[item] !== kept) removed[next[keptBy[item]!]!++] = item;
  for (let representative = 0; representative < keptBy.length; representative++) {
    const members = removed.subarray(starts[representative], starts[representative + 1]);
    if (members.length === 0) continue;
    let minResemblance = 1;
    for (const item of members) minResemblance = Math.min(minResemblance, resemblanceOf(item));
    yield { representative, members: withInOrder(members, representative), minResemblance };
  }
}

/** Ascending numbers with one more among them. */
function withInOrder(numbers: Uint32Array, one: number): Uint32Array {
  const larger = numbers.findIndex(number => number > one);
  const before = larger < 0 ? numbers.length : larger;
  const all = new Uint32Array(numbers.length + 1);
  all.set(numbers.subarray(0, before));
  all[before] = one;
  all.set(numbers.subarray(before), before + 1);
  return all;
}
