/** Band keys of each item → the groups, and the pairs, of items that share one. */

/**
 * Groups of two or more item numbers with the same key in the same band: band by band, then by first item.
 * An item without keys (a document without words) is in no group.
 *
 * @example
 * ```ts
 * const keys = [[7n, 1n], [7n, 2n], [9n, 2n]].map(of => BigUint64Array.from(of));
 * [...buckets(keys)]; // → [ [ 0, 1 ], [ 1, 2 ] ]
 * ```
 */
export function* buckets(keys: readonly BigUint64Array[]): Generator<readonly number[]> {
  const bandCount = Math.max(0, ...new Set(keys.map(itemKeys => itemKeys.length)));
  for (let band = 0; band < bandCount; band++) {
    const itemsOfKey = new Map<bigint, number[]>();
    for (const [item, itemKeys] of keys.entries()) {
      const key = itemKeys[band];
      if (key === undefined) continue;
      const items = itemsOfKey.get(key);
      if (items) items.push(item);
      else itemsOfKey.set(key, [item]);
    }
    for (const items of itemsOfKey.values()) if (items.length > 1) yield items;
  }
}

/**
 * Each pair of items that shares a bucket, once, the lower number first, sorted.
 *
 * @example
 * ```ts
 * const keys = [[7n, 1n], [7n, 2n], [9n, 2n]].map(of => BigUint64Array.from(of));
 * candidatePairs(keys); // → [ [ 0, 1 ], [ 1, 2 ] ]
 * ```
 */
export function candidatePairs(keys: readonly BigUint64Array[]): [first: number, second: number][] {
  const count = keys.length;
  const pairs = new Set<number>();
  for (const items of buckets(keys)) {
    // Items of a bucket ascend, so the first of two is always the lower number.
    for (const [at, first] of items.entries())
      for (const second of items.slice(at + 1)) pairs.add(first * count + second);
  }
  return Array.from(Float64Array.from(pairs).sort(), pair => [Math.floor(pair / count), pair % count]);
}
