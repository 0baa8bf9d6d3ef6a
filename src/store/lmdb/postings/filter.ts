/**
 * Keys of a run → which keys are certainly not in it: a Bloom filter in buckets of 256 bits.
 *
 * A key has one bucket, and one bit in each of its eight words: one place of memory for each question, and most answers
 * after a word or two. With 12 bits a key, 1 in 200 keys that are not there pass.
 */
import { partOf } from './key-parts.ts';

export const BUCKET_WORDS = 8;
const BITS_PER_KEY = 12;
/** Odd, and unlike one another: each takes another five bits of the key. By names, so that the compiler knows them. */
const SALT_0 = 0x47b6137b;
const SALT_1 = 0x44974d91;
const SALT_2 = 0x8824ad5b;
const SALT_3 = 0xa2b7289d;
const SALT_4 = 0x705495c7;
const SALT_5 = 0x2df1424b;
const SALT_6 = 0x9efc4947;
const SALT_7 = 0x5c6bfb31;
export function bucketsFor(keys: number): number {
  return Math.max(1, Math.ceil((keys * BITS_PER_KEY) / (BUCKET_WORDS * 32)));
}

/** `first` is the word where the block's buckets begin. */
export function addToFilter(words: Uint32Array, first: number, buckets: number, high: number, low: number): void {
  const at = first + partOf(low, buckets) * BUCKET_WORDS;
  const stirred = stir(high, low);
  words[at]! |= 1 << (Math.imul(stirred, SALT_0) >>> 27);
  words[at + 1]! |= 1 << (Math.imul(stirred, SALT_1) >>> 27);
  words[at + 2]! |= 1 << (Math.imul(stirred, SALT_2) >>> 27);
  words[at + 3]! |= 1 << (Math.imul(stirred, SALT_3) >>> 27);
  words[at + 4]! |= 1 << (Math.imul(stirred, SALT_4) >>> 27);
  words[at + 5]! |= 1 << (Math.imul(stirred, SALT_5) >>> 27);
  words[at + 6]! |= 1 << (Math.imul(stirred, SALT_6) >>> 27);
  words[at + 7]! |= 1 << (Math.imul(stirred, SALT_7) >>> 27);
}

/** Four words at once, whatever is in the first: guesses at where to stop are wrong too often. */
export function mayHave(words: Uint32Array, first: number, buckets: number, high: number, low: number): boolean {
  const at = first + partOf(low, buckets) * BUCKET_WORDS;
  const stirred = stir(high, low);
  return (
    ((words[at]! >>> (Math.imul(stirred, SALT_0) >>> 27)) &
      (words[at + 1]! >>> (Math.imul(stirred, SALT_1) >>> 27)) &
      (words[at + 2]! >>> (Math.imul(stirred, SALT_2) >>> 27)) &
      (words[at + 3]! >>> (Math.imul(stirred, SALT_3) >>> 27)) &
      1) !==
      0 &&
    ((words[at + 4]! >>> (Math.imul(stirred, SALT_4) >>> 27)) &
      (words[at + 5]! >>> (Math.imul(stirred, SALT_5) >>> 27)) &
      (words[at + 6]! >>> (Math.imul(stirred, SALT_6) >>> 27)) &
      (words[at + 7]! >>> (Math.imul(stirred, SALT_7) >>> 27)) &
      1) !==
      0
  );
}

function stir(high: number, low: number): number {
  const mixed = Math.imul(high ^ (low >>> 7), 0x9e3779b1) ^ low;
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
}
