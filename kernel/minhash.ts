/**
 * Shingle hashes → the minima of K permutations.
 *
 * Permutation i takes a 64-bit number with halves (high, low) to (high + a·low, low), a bijection for every multiplier a;
 * the first 32 bits of the smallest image are kept. Two permutations are independent of each other because `low` is,
 * so the estimate has the variance of K coin flips. The multipliers of eight neighbours follow one another
 * (a, a+1, … a+7), so seven of eight images cost one addition. Three such neighbours are not independent, so the sketch
 * has the minima in a shuffled order: a band takes its rows from all over.
 */
import { keyOf } from './hash';

const BLOCK: usize = 8;
/** The sketch. */
export const MINIMA: usize = memory.data(4096 * 4, 16);
const UNSORTED: usize = memory.data(4096 * 4, 16);
const ORDER: usize = memory.data(4096 * 4, 16);
const MULTIPLIERS: usize = memory.data(512 * 4, 16);
// The hashes of a piece, halves apart, so that four of them fill a vector.
const HIGHS: usize = memory.data((8192 + 512) * 4, 16);
const LOWS: usize = memory.data((8192 + 512) * 4, 16);

let blocks: usize = 16;
let hashes: usize = 128;

export function setPermutations(count: u32): void {
  hashes = count;
  blocks = (<usize>count + BLOCK - 1) / BLOCK;
  shuffleOrder(<u32>(blocks * BLOCK));
  for (let block: u32 = 0; block < <u32>blocks; block++)
    store<u32>(MULTIPLIERS + ((<usize>block) << 2), firstMultiplier(block));
}

/** The multiplier of permutation 8·block: nine bits of the block keep them apart, the others come from the seed. */
function firstMultiplier(block: u32): u32 {
  return (block << 23) | (<u32>(keyOf(16 + block) >> 32) & 0x7ffff8);
}

/** Place i of the sketch holds the minimum of permutation ORDER[i]: a shuffle drawn from the seed. */
function shuffleOrder(count: u32): void {
  for (let i: u32 = 0; i < count; i++) store<u32>(ORDER + ((<usize>i) << 2), i);
  for (let i = count - 1; i > 0; i--) {
    const other = <usize>(((keyOf(1024 + i) >> 32) * <u64>(i + 1)) >> 32);
    const here = ORDER + ((<usize>i) << 2);
    const there = ORDER + (other << 2);
    const moved = load<u32>(here);
    store<u32>(here, load<u32>(there));
    store<u32>(there, moved);
  }
}

export function beginMinima(): void {
  memory.fill(UNSORTED, 0xff, (blocks * BLOCK) << 2);
}

/** To be called when all hashes are there. */
export function finishMinima(): void {
  for (let i: usize = 0; i < hashes; i++) {
    store<u32>(MINIMA + (i << 2), load<u32>(UNSORTED + ((<usize>load<u32>(ORDER + (i << 2))) << 2)));
  }
}

export function addMinima(hashes: usize, count: usize): void {
  if (count == 0) return;
  const vectors = splitHalves(hashes, count);
  for (let block: usize = 0; block < blocks; block++) addBlock(block, vectors << 4);
}

/** Returns the number of vectors of four; the last one is filled up with the last hash again. */
function splitHalves(hashes: usize, count: usize): usize {
  const last = load<u64>(hashes + ((count - 1) << 3));
  for (let i: usize = 0; i < 3; i++) store<u64>(hashes + ((count + i) << 3), last);
  const vectors = (count + 3) >> 2;
  for (let i: usize = 0; i < vectors; i++) {
    const first = v128.load(hashes + (i << 5));
    const second = v128.load(hashes + (i << 5), 16);
    v128.store(LOWS + (i << 4), i32x4.shuffle(first, second, 0, 2, 4, 6));
    v128.store(HIGHS + (i << 4), i32x4.shuffle(first, second, 1, 3, 5, 7));
  }
  return vectors;
}

/** Eight minima stay in registers over all hashes of the piece. */
function addBlock(block: usize, bytes: usize): void {
  const multiplier = v128.load32_splat(MULTIPLIERS + (block << 2));
  let m0 = i32x4.splat(-1);
  let m1 = m0;
  let m2 = m0;
  let m3 = m0;
  let m4 = m0;
  let m5 = m0;
  let m6 = m0;
  let m7 = m0;
  for (let at: usize = 0; at < bytes; at += 16) {
    const low = v128.load(LOWS + at);
    let image = i32x4.add(v128.load(HIGHS + at), i32x4.mul(multiplier, low));
    m0 = i32x4.min_u(m0, image);
    image = i32x4.add(image, low);
    m1 = i32x4.min_u(m1, image);
    image = i32x4.add(image, low);
    m2 = i32x4.min_u(m2, image);
    image = i32x4.add(image, low);
    m3 = i32x4.min_u(m3, image);
    image = i32x4.add(image, low);
    m4 = i32x4.min_u(m4, image);
    image = i32x4.add(image, low);
    m5 = i32x4.min_u(m5, image);
    image = i32x4.add(image, low);
    m6 = i32x4.min_u(m6, image);
    image = i32x4.add(image, low);
    m7 = i32x4.min_u(m7, image);
  }
  const to = UNSORTED + (block << 5);
  v128.store(to, i32x4.min_u(v128.load(to), acrossLanes(m0, m1, m2, m3)));
  v128.store(to, i32x4.min_u(v128.load(to, 16), acrossLanes(m4, m5, m6, m7)), 16);
}

/** Four vectors → a vector of the smallest lane of each. */
@inline
function acrossLanes(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.min_u(i32x4.shuffle(a, b, 0, 1, 4, 5), i32x4.shuffle(a, b, 2, 3, 6, 7));
  const cd = i32x4.min_u(i32x4.shuffle(c, d, 0, 1, 4, 5), i32x4.shuffle(c, d, 2, 3, 6, 7));
  return i32x4.min_u(i32x4.shuffle(ab, cd, 0, 2, 4, 6), i32x4.shuffle(ab, cd, 1, 3, 5, 7));
}
