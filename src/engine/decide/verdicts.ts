/** Pairs of items that people decided on → what they said of any two. */

/** Plain numbers, which go to workers as they are. A pair is two entries. */
export interface DecidedPairs {
  readonly same: Uint32Array;
  readonly different: Uint32Array;
}

export type PairVerdict = 'same' | 'different';

export class Verdicts {
  /** Called same: two entries a pair. */
  readonly same: Uint32Array;
  readonly #byItem = new Map<number, Map<number, PairVerdict>>();

  constructor({ same, different }: DecidedPairs) {
    this.same = same;
    this.#add(same, 'same');
    this.#add(different, 'different');
  }

  /** In either order; undefined for two that nobody decided on. */
  of(a: number, b: number): PairVerdict | undefined {
    return this.#byItem.get(a)?.get(b);
  }

  /** Those that are called the same as this one: they are candidates, whatever keys they have. */
  *partnersOf(item: number): Generator<number> {
    for (const [partner, verdict] of this.#byItem.get(item) ?? []) if (verdict === 'same') yield partner;
  }

  /** All that something was said of. */
  items(): Iterable<number> {
    return this.#byItem.keys();
  }

  #add(pairs: Uint32Array, verdict: PairVerdict): void {
    for (let at = 0; at < pairs.length; at += 2) {
      this.#put(pairs[at]!, pairs[at + 1]!, verdict);
      this.#put(pairs[at + 1]!, pairs[at]!, verdict);
    }
  }

  #put(item: number, partner: number, verdict: PairVerdict): void {
    const partners = this.#byItem.get(item) ?? new Map<number, PairVerdict>();
    partners.set(partner, verdict);
    this.#byItem.set(item, partners);
  }
}
