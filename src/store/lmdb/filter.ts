/**
 * Keys of a run → which keys are certainly not in it: a Bloom filter in buckets of 256 bits.
 *
 * A key has one bucket, and one bit in each of its eight words: one place of memory for each question, and most answers
 * after a word or two. With 12 bits a key, 1 in 200 keys that are not there pass.
 */

export const BUCKET_WORDS = 8;
const BITS_PER_KEY = 12;
const HALF = 2 ** 32;
/** Odd, and unlike one another: each takes another five bits of the key. */
const SALTS = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31];

export function bucketsFor(keys: number): number {
  return Math.max(1, Math.ceil((keys * BITS_PER_KEY) / (BUCKET_WORDS * 32)));
}

/** `first` is the word where the block's buckets begin. */
export function addToFilter(words: Uint32Array, first: number, buckets: number, high: number, low: number): void {
  const start = first + bucketOf(low, buckets) * BUCKET_WORDS;
  const stirred = stir(high, low);
  for (let word = 0; word < BUCKET_WORDS; word++) {
    words[start + word]! |= 1 << (Math.imul(stirred, SALTS[word]!) >>> 27);
  }
}

export function mayHave(words: Uint32Array, first: number, buckets: number, high: number, low: number): boolean {
  const start = first + bucketOf(low, buckets) * BUCKET_WORDS;
  const stirred = stir(high, low);
  for (let word = 0; word < BUCKET_WORDS; word++) {
    if ((words[start + word]! & (1 << (Math.imul(stirred, SALTS[word]!) >>> 27))) === 0) return false;
  }
  return true;
}

function bucketOf(low: number, buckets: number): number {
  return Math.floor((low / HALF) * buckets);
}

function stir(high: number, low: number): number {
  const mixed = Math.imul(high ^ (low >>> 7), 0x9e3779b1) ^ low;
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
}
