/** Shingle sets by number of the entry, remembered up to a number of bytes; then the one made longest ago goes. */

const CACHED_BYTES = 64 * 2 ** 20;

export class SetCache {
  readonly #budget: number;
  readonly #sets = new Map<number, BigUint64Array>();
  #bytes = 0;

  constructor(budget = CACHED_BYTES) {
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
