/**
 * Shingle hashes → what is wanted of them: nothing, a MinHash sketch, a one-permutation sketch, or the hashes themselves.
 *
 * On the way to a MinHash sketch the distinct hashes of a document that has few are kept, since they tell more than the
 * sketch does. Where even fewer are enough, no minima are made.
 */
import { addMinima, beginMinima, finishMinima } from './minhash';
import { addToBins, beginBins, densify } from './one-permutation';
import { sortUnique } from './sets';

export const COUNT_ONLY: u32 = 0;
export const MINHASH: u32 = 1;
export const ONE_PERMUTATION: u32 = 2;
export const KEEP: u32 = 3;

let sink: u32 = COUNT_ONLY;
let kept: usize = 0;
let keptEnd: usize = 0;

/** Where KEEP writes; the rest of the memory is its room, and grows. */
export function setSink(newSink: u32, keepAt: usize): void {
  sink = newSink;
  kept = keepAt;
}

export function keptHashes(): usize {
  return kept;
}

export function keptCount(): u32 {
  return <u32>((keptEnd - kept) >> 3);
}

/** Hashes held back until it is known whether they are few; behind them room to sort. */
const HELD: u32 = 64;
export const FEW: usize = memory.data(3 * 64 * 8, 16);
let fewLimit: u32 = 0;
let minimaFrom: u32 = 0;
let held: u32 = 0;
let isHolding: bool = false;
/** The distinct hashes of the last document, at FEW and sorted, if they are below the limit; else 0. */
export let fewCount: u32 = 0;
export let hasMinima: bool = true;

/** Fewer than `limit` distinct hashes are few, at most 64; of fewer than `minima` there is no sketch. */
export function setFew(limit: u32, minima: u32): void {
  fewLimit = min(limit, HELD);
  minimaFrom = minima;
}

export function sinkBegin(): void {
  keptEnd = kept;
  held = 0;
  fewCount = 0;
  hasMinima = true;
  isHolding = sink == MINHASH && fewLimit != 0;
  if (sink == MINHASH) beginMinima();
  else if (sink == ONE_PERMUTATION) beginBins();
}

/** Leaves the sketch complete. */
export function sinkFinish(): void {
  if (isHolding) finishHolding();
  if (sink == MINHASH) {
    if (hasMinima) finishMinima();
  } else if (sink == ONE_PERMUTATION) densify();
}

function finishHolding(): void {
  const count = sortUnique(FEW, held);
  if (count < fewLimit) fewCount = count;
  hasMinima = count >= minimaFrom;
  if (hasMinima) addMinima(FEW, <usize>count);
}

const SEEN: usize = memory.data(256, 16);

/** No more than there are distinct ones among those held back: by their last bits, which is faster than to sort them. */
function leastDistinct(): u32 {
  memory.fill(SEEN, 0, 256);
  let distinct: u32 = 0;
  for (let at = FEW; at < FEW + ((<usize>held) << 3); at += 8) {
    const seen = SEEN + <usize>load<u8>(at);
    distinct += 1 - <u32>load<u8>(seen);
    store<u8>(seen, 1);
  }
  return distinct;
}

/** Returns how many were taken; when they are too many, all that were held back go on to the minima. */
function hold(shingles: usize, count: usize): usize {
  let taken: usize = 0;
  while (taken < count) {
    const some = min(<usize>(HELD - held), count - taken);
    memory.copy(FEW + ((<usize>held) << 3), shingles + (taken << 3), some << 3);
    held += <u32>some;
    taken += some;
    if (held < HELD) break;
    const areMany = leastDistinct() >= fewLimit;
    if (!areMany) held = sortUnique(FEW, held);
    if (areMany || held >= fewLimit) {
      addMinima(FEW, <usize>held);
      isHolding = false;
      break;
    }
  }
  return taken;
}

export function sinkShingles(shingles: usize, count: usize): void {
  if (isHolding) {
    const taken = hold(shingles, count);
    shingles += taken << 3;
    count -= taken;
    if (count == 0) return;
  }
  if (sink == MINHASH) addMinima(shingles, count);
  else if (sink == ONE_PERMUTATION) addToBins(shingles, count);
  else if (sink == KEEP) {
    ensureMemory(keptEnd + (count << 3) + 64);
    memory.copy(keptEnd, shingles, count << 3);
    keptEnd += count << 3;
  }
}

/** Grows the memory to at least `end` bytes, by an eighth more than asked; traps when there is no more to be had. */
export function ensureMemory(end: usize): void {
  const have = (<usize>memory.size()) << 16;
  if (end <= have) return;
  const pages = (end - have + 0xffff) >> 16;
  if (memory.grow(<i32>(pages + (memory.size() >> 3))) < 0 && memory.grow(<i32>pages) < 0) unreachable();
}
