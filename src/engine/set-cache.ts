/** Shingle sets by number, remembered up to a number of bytes; then the one made longest ago goes. */

const CACHED_BYTES = 512 * 2 ** 20;

export class SetCache {
  readonly #budget: number;
  readonly #sets = new Map<number, BigUint64Array>();
  #bytes = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get(number: number): BigUint64Array | undefined {
    return this.#sets.get(number);
  }

  put(number: number, set: BigUint64Array): BigUint64Array {
    if (this.#sets.has(number)) return set;
    this.#sets.set(number, set);
    this.#bytes += set.byteLength;
    for (const [oldest, old] of this.#sets) {
      if (this.#bytes <= this.#budget || oldest === number) break;
      this.#sets.delete(oldest);
      this.#bytes -= old.byteLength;
    }
    return set;
  }
}

/** A maker of sets → one that remembers. */
export function cacheSets(
  make: (item: number) => BigUint64Array,
  budget = CACHED_BYTES,
): (item: number) => BigUint64Array {
  const cache = new SetCache(budget);
  return item => cache.get(item) ?? cache.put(item, make(item));
}
