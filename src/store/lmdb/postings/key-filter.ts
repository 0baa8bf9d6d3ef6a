/**
 * All keys of an index → which keys are certainly not in it: one filter in memory over all runs and the tail, so that a
 * key that nobody has, as most have not, is looked up in one place and not in each run.
 *
 * It is made of what is there in the background, a part of all keys after another; what is added meanwhile is put into it
 * at once. It is used when all parts are there.
 */
import { columnsOf } from './block.ts';
import { addToFilter, BUCKET_WORDS, bucketsFor, mayHave } from './filter.ts';
import { halvesBetween, partOf } from './key-parts.ts';
import { damageIn, type StoredBlock } from './run.ts';

/** 512 KB. */
const BUCKETS_PER_PART = 16_384;
/** Room for 178 million keys; with four times as many, one in four that is not there still does not pass. */
const MOST_BYTES = 256 * 2 ** 20;
const FEWEST_KEYS = 2 ** 20;

/** Buckets from one on, and before another, and the high halves of the keys in them. */
export interface FilterPart {
  readonly buckets: number;
  readonly first: number;
  readonly end: number;
  readonly lowest: number;
  readonly highest: number;
}

export class KeyFilter {
  readonly #buckets: number;
  readonly #words: Uint32Array;
  readonly #room: number;
  #keys: number;
  #made = 0;

  /** For so many keys that are there already, and about as many more. */
  constructor(keys: number) {
    const most = MOST_BYTES / (4 * BUCKET_WORDS);
    this.#room = Math.max(FEWEST_KEYS, 2 * keys);
    this.#buckets = Math.min(most, bucketsFor(this.#room));
    this.#words = new Uint32Array(this.#buckets * BUCKET_WORDS);
    this.#keys = keys;
    if (keys === 0) this.#made = this.#buckets;
  }

  get isReady(): boolean {
    return this.#made === this.#buckets;
  }

  get isFull(): boolean {
    return this.#keys > this.#room;
  }

  add(keys: Uint32Array): void {
    this.#keys += keys.length / 2;
    for (let at = 0; at < keys.length; at += 2) addKey(this.#words, 0, this.#buckets, keys[at + 1]!, keys[at]!);
  }

  /** Places of the keys that may be there. */
  passed(halves: Uint32Array): number[] {
    const words = this.#words;
    const buckets = this.#buckets;
    const passed: number[] = [];
    for (let low = 0; low < halves.length; low += 2)
      if (mayHaveKey(words, buckets, halves[low + 1]!, halves[low]!)) passed.push(low >>> 1);
    return passed;
  }

  nextPart(): FilterPart {
    const buckets = this.#buckets;
    const first = this.#made;
    const end = Math.min(buckets, first + BUCKETS_PER_PART);
    return { buckets, first, end, ...halvesBetween(first, end, buckets) };
  }

  partMade({ first, end }: FilterPart, words: Uint32Array): void {
    const place = first * BUCKET_WORDS;
    for (let at = 0; at < words.length; at++) this.#words[place + at]! |= words[at]!;
    this.#made = end;
  }
}

export interface MadePart {
  readonly words: Uint32Array;
  /** What could not be used; then the words are not to be, either. */
  readonly damaged: string | undefined;
}

/** What of these blocks belongs into a part. */
export function makeFilterPart({ buckets, first, end }: FilterPart, blocks: readonly StoredBlock[]): MadePart {
  const words = new Uint32Array((end - first) * BUCKET_WORDS);
  const damaged = damageIn(blocks);
  if (damaged) return { words, damaged };
  for (const { bytes } of blocks) {
    const { high, low, count } = columnsOf(bytes);
    for (let at = 0; at < count; at++) {
      const bucket = partOf(high[at]!, buckets);
      if (bucket >= first && bucket < end) addKey(words, -first * BUCKET_WORDS, buckets, high[at]!, low[at]!);
    }
  }
  return { words, damaged };
}

/** Buckets by the high half, so that those of neighbouring keys are neighbours. */
function addKey(words: Uint32Array, first: number, buckets: number, high: number, low: number): void {
  addToFilter(words, first, buckets, low, high);
}

function mayHaveKey(words: Uint32Array, buckets: number, high: number, low: number): boolean {
  return mayHave(words, 0, buckets, low, high);
}
