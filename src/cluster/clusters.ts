/** Which item is kept for which → clusters of two or more, with their weakest link to the representative. */
import { kept } from './keeping.ts';

export interface ItemCluster {
  readonly representative: number;
  /** The representative and everything it stands for, in item order. */
  readonly members: readonly number[];
  /** Smallest resemblance of a member to the representative. */
  readonly minResemblance: number;
}

/** `resemblance[item]` is that of a removed item to the one kept for it. Clusters come in order of their representatives. */
export function clustersOf(keptBy: ArrayLike<number>, resemblance: ArrayLike<number>): ItemCluster[] {
  const removedOf = new Map<number, number[]>();
  for (let item = 0; item < keptBy.length; item++) {
    const representative = keptBy[item]!;
    if (representative === kept) continue;
    const removed = removedOf.get(representative);
    if (removed) removed.push(item);
    else removedOf.set(representative, [item]);
  }
  return [...removedOf]
    .sort(([a], [b]) => a - b)
    .map(([representative, removed]) => ({
      representative,
      members: withInOrder(removed, representative),
      minResemblance: removed.reduce((least, item) => Math.min(least, resemblance[item]!), 1),
    }));
}

/** Ascending numbers with one more at its place; no spread, which a cluster of millions would overflow the stack with. */
function withInOrder(numbers: readonly number[], one: number): number[] {
  const place = numbers.findIndex(number => number > one);
  const before = place < 0 ? numbers : numbers.slice(0, place);
  return before.concat(one, place < 0 ? [] : numbers.slice(place));
}
