/** Shingle sets, or other arrays, by number, remembered up to a number of bytes; then the one made longest ago goes. */

const CACHED_BYTES = 512 * 2 ** 20;

export class SetCache<Item extends { readonly byteLength: number } = BigUint64Array> {
  readonly #budget: number;
  readonly #sets = new Map<number, Item>();
  #bytes = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get(number: number): Item | undefined {
    return this.#sets.get(number);
  }

  clear(): void {
    this.#sets.clear();
    this.#bytes = 0;
  }

  put(number: number, set: Item): Item {
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

/** A maker of sets, or other arrays → one that remembers. */
export function cacheSets<Item extends { readonly byteLength: number }>(
  make: (item: number) => Item,
  budget = CACHED_BYTES,
): (item: number) => Item {
  const cache = new SetCache<Item>(budget);
  return item => cache.get(item) ?? cache.put(item, make(item));
}
