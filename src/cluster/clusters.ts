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
      members: [representative, ...removed].sort((a, b) => a - b),
      minResemblance: removed.reduce((least, item) => Math.min(least, resemblance[item]!), 1),
    }));
}
