/** A maker of shingle sets → one that remembers, up to a number of bytes; then the one made longest ago goes. */

const CACHED_BYTES = 512 * 2 ** 20;

export function cacheSets(
  make: (item: number) => BigUint64Array,
  budget = CACHED_BYTES,
): (item: number) => BigUint64Array {
  const sets = new Map<number, BigUint64Array>();
  let bytes = 0;
  return item => {
    const known = sets.get(item);
    if (known) return known;
    const set = make(item);
    sets.set(item, set);
    bytes += set.byteLength;
    for (const [oldest, old] of sets) {
      if (bytes <= budget || oldest === item) break;
      sets.delete(oldest);
      bytes -= old.byteLength;
    }
    return set;
  };
}
