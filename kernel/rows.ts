/**
 * Keyed items → rows of two or more items that share a key. A keyed item is the low half of its key, the high half, the item,
 * and of contents two words more, all of which must be equal. The twin is test/support/reference-rows.ts.
 */
import { ensureMemory } from './sinks';

const COUNTS: usize = memory.data(4096 * 4, 16);
const DIGIT: u32 = 12;
/** The first bits of a low half are the same in all keyed items of a part. */
const PART_BITS: u32 = 8;
/** Keyed items that fit the cache of a processor, with their table of slots. */
const SLICE: u32 = 1 << 18;

/**
 * Sorts keyed items by the first bits of their low halves, to `to`; those of a part stay in their order. At `starts` comes how many
 * are in the parts before each, and all of them at the end.
 */
export function sortInParts(from: usize, count: u32, words: u32, to: usize, starts: usize): void {
  const step = (<usize>words) << 2;
  const shift = 32 - PART_BITS;
  const end = from + <usize>count * step;
  memory.fill(COUNTS, 0, 4 << PART_BITS);
  for (let at = from; at < end; at += step) {
    const counter = COUNTS + ((<usize>(load<u32>(at) >> shift)) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  sumCounts(1 << PART_BITS);
  memory.copy(starts, COUNTS, 4 << PART_BITS);
  store<u32>(starts + (4 << PART_BITS), count);
  for (let at = from; at < end; at += step) moveKeyed(at, to, step, COUNTS + ((<usize>(load<u32>(at) >> shift)) << 2));
}

/** Copies a keyed item to the place that the counter names, and counts on. */
@inline
function moveKeyed(at: usize, to: usize, step: usize, counter: usize): void {
  const place = load<u32>(counter);
  store<u32>(counter, place + 1);
  to += <usize>place * step;
  store<u64>(to, load<u64>(at));
  store<u32>(to, load<u32>(at, 8), 8);
  if (step == 20) store<u64>(to, load<u64>(at, 12), 12);
}

/**
 * Copies the keyed items of one chunk to `to`, numbered from `base` on: those marked in `active`, if it is given, and those of
 * sub-part `pass` of as many as `passes`. Returns the end of what it wrote.
 */
export function placeKeyed(
  from: usize,
  count: u32,
  words: u32,
  base: u32,
  to: usize,
  active: usize,
  pass: u32,
  passes: u32,
): usize {
  const step = (<usize>words) << 2;
  for (const end = from + <usize>count * step; from < end; from += step) {
    const item = load<u32>(from, 8);
    store<u64>(to, load<u64>(from));
    store<u32>(to, item + base, 8);
    if (words == 5) store<u64>(to, load<u64>(from, 12), 12);
    // Written first and passed over then: half of them may go, in no order that a processor could foresee.
    const isActive: usize = active ? <usize>load<u8>(active + <usize>item) : 1;
    const isHere: usize = passes == 1 || subPartOf(load<u32>(from), passes) == pass ? 1 : 0;
    to += step * (isActive & isHere);
  }
  return to;
}

/** A number below `passes` that ascends with the key. */
@inline
function subPartOf(low: u32, passes: u32): u32 {
  return <u32>((<u64>(low << PART_BITS) * <u64>passes) >> 32);
}

let startsEnd: usize = 0;
let itemsFirst: usize = 0;
let itemsEnd: usize = 0;

/** Rows are written from now on to `starts` and `items`, of which the host has made room for half as many as keyed items, and as many. */
export function beginRows(starts: usize, items: usize): void {
  store<u32>(starts, 0);
  startsEnd = starts + 4;
  itemsFirst = itemsEnd = items;
}

/** Where the starts end that were written. */
export function rowStartsEnd(): usize {
  return startsEnd;
}

export function rowItemsEnd(): usize {
  return itemsEnd;
}

/** Adds the rows of a part, or of one of as many sub-parts as `passes`, in the order of low halves; memory from `work` on is free for it. */
export function groupKeyed(keyed: usize, count: u32, words: u32, passes: u32, work: usize): void {
  const bits = sliceBits(<u64>count * <u64>passes);
  if (bits == 0) return addSlice(keyed, count, words, work);
  const step = (<usize>words) << 2;
  const sorted = work;
  work = aligned(sorted + <usize>count * step);
  ensureMemory(work + 64);
  const shift = 32 - PART_BITS - bits;
  const mask: u32 = (1 << bits) - 1;
  const end = keyed + <usize>count * step;
  memory.fill(COUNTS, 0, (<usize>mask + 1) << 2);
  for (let at = keyed; at < end; at += step) {
    const counter = COUNTS + ((<usize>((load<u32>(at) >> shift) & mask)) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  sumCounts(mask + 1);
  for (let at = keyed; at < end; at += step)
    moveKeyed(at, sorted, step, COUNTS + ((<usize>((load<u32>(at) >> shift) & mask)) << 2));
  // Sorting a slice counts in the same place, so slices are found by their first bits.
  const sortedEnd = sorted + <usize>count * step;
  for (let first = sorted; first < sortedEnd; ) {
    const slice = (load<u32>(first) >> shift) & mask;
    let last = first;
    while (last < sortedEnd && ((load<u32>(last) >> shift) & mask) == slice) last += step;
    addSlice(first, <u32>((last - first) / step), words, work);
    first = last;
  }
}

function sliceBits(count: u64): u32 {
  let bits: u32 = 0;
  while (bits < DIGIT && count > (<u64>SLICE) << (<u64>bits)) bits++;
  return bits;
}

/** How many come before each, in place of how many there are of each. */
function sumCounts(digits: u32): void {
  let before: u32 = 0;
  for (let counter = COUNTS; counter < COUNTS + ((<usize>digits) << 2); counter += 4) {
    const here = load<u32>(counter);
    store<u32>(counter, before);
    before += here;
  }
}

@inline
function aligned(address: usize): usize {
  return (address + 63) & ~63;
}

/** Memory: a table of slots, then the shared ones as (low half, place) twice, for sorting. */
function addSlice(keyed: usize, count: u32, words: u32, work: usize): void {
  // Four slots and more for each: of unlike keys few then share one.
  let slots: usize = 64;
  while (slots < <usize>count * 4) slots <<= 1;
  const first = work + slots;
  ensureMemory(first + ((<usize>count) << 4) + 128);
  const end = collectShared(keyed, count, words, work, slots - 1, first);
  const second = aligned(end);
  sortByDigit(first, end, second, 32);
  sortByDigit(second, second + (end - first), first, 32 + DIGIT);
  for (let at = first; at < end; ) {
    const low = load<u32>(at, 4);
    let stop = at + 8;
    while (stop < end && load<u32>(stop, 4) == low) stop += 8;
    if (stop - at > 8) addRows(keyed, words, at, stop);
    at = stop;
  }
}

/** Only those whose keys may be shared: most are alone in their slot, and need not be sorted. Returns the end of what it wrote. */
function collectShared(keyed: usize, count: u32, words: u32, table: usize, mask: usize, to: usize): usize {
  const step = (<usize>words) << 2;
  const end = keyed + <usize>count * step;
  memory.fill(table, 0, mask + 1);
  for (let at = keyed; at < end; at += step) {
    const slot = table + (<usize>load<u32>(at, 4) & mask);
    const before = load<u8>(slot);
    store<u8>(slot, before + <u8>(before < 2));
  }
  let place: u64 = 0;
  for (let at = keyed; at < end; at += step) {
    store<u64>(to, ((<u64>load<u32>(at)) << 32) | place);
    place++;
    to += (<usize>(load<u8>(table + (<usize>load<u32>(at, 4) & mask)) == 2)) << 3;
  }
  return to;
}

/** One stable counting pass over twelve bits from `bit` on. */
function sortByDigit(from: usize, end: usize, to: usize, bit: u64): void {
  const mask: u64 = (1 << DIGIT) - 1;
  memory.fill(COUNTS, 0, (<usize>mask + 1) << 2);
  for (let at = from; at < end; at += 8) {
    const counter = COUNTS + ((<usize>((load<u64>(at) >> bit) & mask)) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  sumCounts(<u32>mask + 1);
  for (let at = from; at < end; at += 8) {
    const value = load<u64>(at);
    const counter = COUNTS + ((<usize>((value >> bit) & mask)) << 2);
    const place = load<u32>(counter);
    store<u32>(counter, place + 1);
    store<u64>(to + ((<usize>place) << 3), value);
  }
}

/** A place that is in a row already. */
const TAKEN: u32 = 0xffffffff;

/** Those with one low half → a row for each key. Nearly always it is one key: 32 bits are rarely shared by chance. */
function addRows(keyed: usize, words: u32, at: usize, stop: usize): void {
  const step = (<usize>words) << 2;
  for (; at < stop; at += 8) {
    const place = load<u32>(at);
    if (place == TAKEN) continue;
    const one = keyed + <usize>place * step;
    const row = itemsEnd;
    for (let next = at; next < stop; next += 8) {
      const nextPlace = load<u32>(next);
      const other = keyed + <usize>nextPlace * step;
      if (nextPlace == TAKEN || !hasSameRest(one, other, words)) continue;
      store<u32>(next, TAKEN);
      const item = load<u32>(other, 8);
      // A document may have an element twice, under one key.
      if (itemsEnd > row && item == load<u32>(itemsEnd - 4)) continue;
      store<u32>(itemsEnd, item);
      itemsEnd += 4;
    }
    if (itemsEnd - row < 8) itemsEnd = row;
    else {
      store<u32>(startsEnd, <u32>((itemsEnd - itemsFirst) >> 2));
      startsEnd += 4;
    }
  }
}

@inline
function hasSameRest(a: usize, b: usize, words: u32): bool {
  return load<u32>(a, 4) == load<u32>(b, 4) && (words == 3 || load<u64>(a, 12) == load<u64>(b, 12));
}
