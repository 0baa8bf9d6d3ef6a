/** Bytes → 64-bit token hashes and a 128-bit content hash, all seeded. */

export const GOLDEN: u64 = 0x9e3779b97f4a7c15;
const MULTIPLIER: u64 = 0xd6e8feb86659fd93;
const SECOND_MULTIPLIER: u64 = 0xa0761d6478bd642f;

/** A bijection on 64 bits in which every output bit depends on every input bit. */
@inline
export function mix(x: u64): u64 {
  x ^= x >> 32;
  x *= MULTIPLIER;
  x ^= x >> 32;
  x *= MULTIPLIER;
  return x ^ (x >> 32);
}

/** Half of `mix`, where more follows. */
@inline
export function stir(x: u64): u64 {
  x *= MULTIPLIER;
  return x ^ (x >> 32);
}

let seedBase: u64 = 0;
/** The start of every token hash. */
export let tokenKey: u64 = 0;

export function setSeed(seed: u64): void {
  seedBase = mix(seed + GOLDEN);
  tokenKey = keyOf(1);
}

/** Independent numbers drawn from the seed. */
export function keyOf(purpose: u32): u64 {
  return mix(seedBase + <u64>purpose * GOLDEN);
}

// Masks of the first and the second lane of a token of 0 … 16 bytes.
const FIRST_MASKS: usize = memory.data<u64>([
  0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff, 0xffffffffffffffff,
  0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
  0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
]);
const SECOND_MASKS: usize = memory.data<u64>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
  0xffffffffffffffff,
]);

// A token is read in lanes of 8 bytes, the last one filled up with zeros, and at least two of them: so nearly all words
// take the same path. The length is added to the last lane. (A shingle of tokens is mixed once more.)

/** The hash of a token of at most 16 bytes. Reads 16 bytes. */
@inline
export function hashShortToken(start: usize, length: usize): u64 {
  const first = load<u64>(start) & load<u64>(FIRST_MASKS + (length << 3));
  const second = load<u64>(start, 8) & load<u64>(SECOND_MASKS + (length << 3));
  return stir((stir(tokenKey ^ first) ^ second) + <u64>length * GOLDEN);
}

/** The hash of a token whose first `before` bytes, a multiple of 8, are already in `state`. Reads up to 7 bytes past `end`. */
export function hashLongToken(state: u64, before: u64, start: usize, end: usize): u64 {
  const length = before + <u64>(end - start);
  if (length <= 8) return hashShortToken(start, <usize>length);
  state = stirLanes(state, start, end);
  start = end - (((end - start - 1) & 7) + 1);
  return stir((state ^ (load<u64>(start) & load<u64>(FIRST_MASKS + ((end - start) << 3)))) + length * GOLDEN);
}

/** Stirs in all lanes of start … end but the last, which has 1 to 8 bytes. */
export function stirLanes(state: u64, start: usize, end: usize): u64 {
  while (end - start > 8) {
    state = stir(state ^ load<u64>(start));
    start += 8;
  }
  return state;
}

/** The hash of an element of a plain set: that of a shingle of one word. */
export function hashElement(start: usize, end: usize): u64 {
  return mix(hashLongToken(tokenKey, 0, start, end));
}

/** What documents that have the element are found by. The twin is src/engine/analyse/element-keys.ts. */
@inline
export function elementKey(element: u64): u64 {
  return mix(element * GOLDEN + 1);
}

/** The hash of one code point as a token of character shingles. */
@inline
export function codePointHash(codePoint: u32): u64 {
  return stir(stir(tokenKey ^ <u64>codePoint));
}

// The content hash: two hashes of 64 bits that share no constant, each over two interleaved lanes of 8 bytes.
let evenA: u64 = 0;
let oddA: u64 = 0;
let evenB: u64 = 0;
let oddB: u64 = 0;
export let contentLow: u64 = 0;
export let contentHigh: u64 = 0;

export function beginContent(): void {
  evenA = keyOf(2);
  oddA = keyOf(3);
  evenB = keyOf(4);
  oddB = keyOf(5);
}

/** Adds whole blocks of 16 bytes. */
export function addContent(start: usize, end: usize): void {
  let a0 = evenA;
  let a1 = oddA;
  let b0 = evenB;
  let b1 = oddB;
  while (start < end) {
    const x0 = load<u64>(start);
    const x1 = load<u64>(start, 8);
    a0 = stir(a0 ^ x0);
    a1 = stir(a1 ^ x1);
    b0 = (b0 + x0) * SECOND_MULTIPLIER;
    b0 ^= b0 >> 29;
    b1 = (b1 + x1) * SECOND_MULTIPLIER;
    b1 ^= b1 >> 29;
    start += 16;
  }
  evenA = a0;
  oddA = a1;
  evenB = b0;
  oddB = b1;
}

/** Adds the last 0 … 15 bytes, padded with zeros in place, and the length of the whole. */
export function finishContent(start: usize, end: usize, length: u64): void {
  if (start < end) {
    v128.store(end, i64x2.splat(0));
    addContent(start, start + 16);
  }
  contentLow = mix(evenA + rotl<u64>(oddA, 32) + length);
  contentHigh = mix(evenB + rotl<u64>(oddB, 32) + length * GOLDEN);
}
