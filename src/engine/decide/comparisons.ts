/** Comparisons as they are made → how many, and a word when they are so many that a run takes long. */
import type { ShingleSpec } from '../../model.ts';
import { sharedPassages } from '../../similarity/passages.ts';
import { type Buckets, rowOf } from './buckets.ts';

/** A run of so many takes a quarter of an hour and more. */
export const MANY_COMPARISONS = 1e9;

export class Comparisons {
  made = 0;
  #effort = 0;
  readonly #many: number;
  readonly #onMany: () => void;

  constructor(many = Number.POSITIVE_INFINITY, onMany: () => void = () => {}) {
    this.#many = many;
    this.#onMany = onMany;
  }

  count(): void {
    this.made++;
    this.spend(1);
  }

  /** So many were made elsewhere. */
  add(made: number): void {
    this.made += made;
    this.spend(made);
  }

  /** A comparison that takes longer than others counts as several, but is one. */
  spend(effort: number): void {
    const before = this.#effort;
    this.#effort += effort;
    if (before < this.#many && this.#effort >= this.#many) this.#onMany();
  }
}

/** Why comparisons are many: most documents that share one key, and a passage that two of them share. */
export interface LargestGroup {
  readonly documents: number;
  /** Undefined where they share no words in a row: they may be sets. */
  readonly passage: string | undefined;
}

export function largestGroup(
  buckets: Buckets,
  textOf: (item: number) => string | undefined,
  shingle: ShingleSpec,
): LargestGroup {
  let largest: Uint32Array = new Uint32Array(0);
  for (let bucket = 0; bucket + 1 < buckets.itemsOf.starts.length; bucket++) {
    const items = rowOf(buckets.itemsOf, bucket);
    if (items.length > largest.length) largest = items;
  }
  const [first, last] = [largest.at(0), largest.at(-1)].map(item => (item === undefined ? undefined : textOf(item)));
  return { documents: largest.length, passage: first && last && longestShared(first, last, shingle) };
}

/** Of very long texts, the beginnings. */
const LOOKED_AT = 100_000;

function longestShared(a: string, b: string, shingle: ShingleSpec): string | undefined {
  const start = a.slice(0, LOOKED_AT);
  const passages = sharedPassages(start, b.slice(0, LOOKED_AT), { shingle });
  const lengthOf = ({ a: [from, to] }: (typeof passages)[number]) => to - from;
  const longest = passages.reduce<(typeof passages)[number] | undefined>(
    (best, passage) => (best && lengthOf(best) >= lengthOf(passage) ? best : passage),
    undefined,
  );
  return longest && start.slice(...longest.a);
}
