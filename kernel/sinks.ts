/** Shingle hashes → what is wanted of them: nothing, a MinHash sketch, a one-permutation sketch, or the hashes themselves. */
import { addMinima, beginMinima, finishMinima } from './minhash';
import { addToBins, beginBins, densify } from './one-permutation';

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

export function sinkBegin(): void {
  keptEnd = kept;
  if (sink == MINHASH) beginMinima();
  else if (sink == ONE_PERMUTATION) beginBins();
}

/** Leaves the sketch complete. */
export function sinkFinish(): void {
  if (sink == MINHASH) finishMinima();
  else if (sink == ONE_PERMUTATION) densify();
}

export function sinkShingles(shingles: usize, count: usize): void {
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
