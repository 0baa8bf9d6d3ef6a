/** Hashes → sorted distinct sets, and what is found on those: intersection, MOD_m, SimHash. */
import { ensureMemory } from './sinks';

const COUNTS: usize = memory.data(4096 * 4, 16);

/** Sets below this size are sorted by one counting pass, those up to the next by two, larger ones by three. */
const SMALL: u32 = 2048;
const MIDDLE: u32 = 1 << 20;
/** Fewer are inserted one by one. */
const TINY: u32 = 32;

/**
 * Sorts `count` hashes in place and drops repeats; returns how many are left. Counting passes over the first bits, by way
 * of the memory behind the hashes, as many bits as leave one or two hashes that begin alike; then an insertion pass.
 */
export function sortUnique(hashes: usize, count: u32): u32 {
  if (count < TINY) return insertUnique(hashes, count, hashes);
  const size = (<usize>count) << 3;
  const room = hashes + size;
  ensureMemory(room + size + 64);
  if (count < SMALL) {
    const bits = 33 - <u64>clz<u32>(count);
    scatter(hashes, room, size, 64 - bits, ((<u64>1) << bits) - 1);
    return insertUnique(room, count, hashes);
  }
  if (count <= MIDDLE) {
    scatter(hashes, room, size, 42, 2047);
    scatter(room, hashes, size, 53, 2047);
    return insertUnique(hashes, count, hashes);
  }
  scatter(hashes, room, size, 31, 2047);
  scatter(room, hashes, size, 42, 2047);
  scatter(hashes, room, size, 53, 2047);
  return insertUnique(room, count, hashes);
}

/** One stable counting pass over the bits of `mask` from `bit` on. */
function scatter(from: usize, to: usize, size: usize, bit: u64, mask: u64): void {
  const counters = (<usize>mask + 1) << 2;
  memory.fill(COUNTS, 0, counters);
  const end = from + size;
  for (let at = from; at < end; at += 8) {
    const counter = COUNTS + ((<usize>((load<u64>(at) >> bit) & mask)) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  let before: u32 = 0;
  for (let counter = COUNTS; counter < COUNTS + counters; counter += 4) {
    const here = load<u32>(counter);
    store<u32>(counter, before);
    before += here;
  }
  for (let at = from; at < end; at += 8) {
    const hash = load<u64>(at);
    const counter = COUNTS + ((<usize>((hash >> bit) & mask)) << 2);
    const place = load<u32>(counter);
    store<u32>(counter, place + 1);
    store<u64>(to + ((<usize>place) << 3), hash);
  }
}

/** Copies nearly sorted hashes from `from` to `to`, which may be the same place, in order, each once. */
function insertUnique(from: usize, count: u32, to: usize): u32 {
  let end = to;
  for (const last = from + ((<usize>count) << 3); from < last; from += 8) {
    const hash = load<u64>(from);
    let at = end;
    while (at > to && load<u64>(at - 8) > hash) {
      store<u64>(at, load<u64>(at - 8));
      at -= 8;
    }
    if (at > to && load<u64>(at - 8) == hash) {
      // A repeat: what made room for it moves back.
      if (at < end) memory.copy(at, at + 8, end - at);
      continue;
    }
    store<u64>(at, hash);
    end += 8;
  }
  return <u32>((end - to) >> 3);
}

/** Steps of a merge between two looks at what it can still come to. */
const STRETCH: usize = 64;

/**
 * The number of hashes in both of two sorted sets, or some number below `least` when it is below that: a merge without
 * branches that cannot be foreseen.
 */
export function intersectionSize(a: usize, countA: u32, b: usize, countB: u32, least: u32): u32 {
  const endA = a + ((<usize>countA) << 3);
  const endB = b + ((<usize>countB) << 3);
  let shared: u32 = 0;
  let left = min((endA - a) >> 3, (endB - b) >> 3);
  while (left > 0 && shared + <u32>left >= least) {
    // A step goes one hash further in either set or in both.
    for (let step = min(left, STRETCH); step > 0; step--) {
      const x = load<u64>(a);
      const y = load<u64>(b);
      shared += <u32>(x == y);
      a += (<usize>(x <= y)) << 3;
      b += (<usize>(y <= x)) << 3;
    }
    left = min((endA - a) >> 3, (endB - b) >> 3);
  }
  return shared;
}

/** Copies the hashes that are 0 mod `modulus` to `to`; returns how many. */
export function selectMod(hashes: usize, count: u32, modulus: u64, to: usize): u32 {
  const start = to;
  for (const end = hashes + ((<usize>count) << 3); hashes < end; hashes += 8) {
    const hash = load<u64>(hashes);
    if (hash % modulus != 0) continue;
    store<u64>(to, hash);
    to += 8;
  }
  return <u32>((to - start) >> 3);
}

// 64 counters of 16 bits; a run of 32,767 hashes cannot overflow them.
const NARROW: usize = memory.data(64 * 2, 16);
const WIDE: usize = memory.data(64 * 4, 16);

/** Bit i of the SimHash is set when more hashes of the set have bit i than have not. */
export function simhash(hashes: usize, count: u32): u64 {
  memory.fill(WIDE, 0, 64 * 4);
  let left = count;
  while (left > 0) {
    const run = min<u32>(left, 32767);
    countBits(hashes, run);
    hashes += (<usize>run) << 3;
    left -= run;
  }
  let result: u64 = 0;
  for (let bit: u32 = 0; bit < 64; bit++) {
    if (<u64>load<u32>(WIDE + ((<usize>bit) << 2)) * 2 > <u64>count) result |= (<u64>1) << (<u64>bit);
  }
  return result;
}

/** Adds, for each bit, how many of up to 32,767 hashes have it: eight bits to a vector of 16-bit counters. */
function countBits(hashes: usize, count: u32): void {
  memory.fill(NARROW, 0, 64 * 2);
  const bits = i16x8(1, 2, 4, 8, 16, 32, 64, 128);
  const end = hashes + ((<usize>count) << 3);
  for (let byte: usize = 0; byte < 8; byte++) {
    let counters = i16x8.splat(0);
    for (let at = hashes; at < end; at += 8) {
      const set = i16x8.eq(v128.and(i16x8.splat(<i16>load<u8>(at + byte)), bits), bits);
      counters = i16x8.sub(counters, set);
    }
    v128.store(NARROW + (byte << 4), counters);
  }
  for (let bit: usize = 0; bit < 64; bit++) {
    const counter = WIDE + (bit << 2);
    store<u32>(counter, load<u32>(counter) + <u32>load<u16>(NARROW + (bit << 1)));
  }
}
