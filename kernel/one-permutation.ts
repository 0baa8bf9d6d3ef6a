/** Shingle hashes → one minimum in each of K bins; an empty bin borrows from one that both documents would try next. */
import { GOLDEN, mix } from './hash';

export const BINS: usize = memory.data(4096 * 4, 16);
const FILLED: usize = memory.data(4096, 16);
const EMPTY: u32 = 0xffffffff;

let binCount: u32 = 128;
/** Bins that had a hash of their own before the others borrowed. */
export let filledBins: u32 = 0;

export function setBins(count: u32): void {
  binCount = count;
}

export function beginBins(): void {
  memory.fill(BINS, 0xff, (<usize>binCount) << 2);
}

/** The first 32 bits choose the bin, the others are the value. */
export function addToBins(hashes: usize, count: usize): void {
  const bins = <u64>binCount;
  for (const end = hashes + (count << 3); hashes < end; hashes += 8) {
    const hash = load<u64>(hashes);
    const bin = BINS + <usize>((((hash >> 32) * bins) >> 32) << 2);
    // EMPTY is not a value: the largest gives way.
    const value = min<u32>(<u32>hash, EMPTY - 1);
    // Without a branch: half of the hashes of a short document lower their bin.
    store<u32>(bin, min<u32>(value, load<u32>(bin)));
  }
}

/** Optimal densification: each empty bin tries the others in an order of its own, the same for every document. */
export function densify(): void {
  filledBins = 0;
  for (let bin: u32 = 0; bin < binCount; bin++) {
    const isFilled = load<u32>(BINS + ((<usize>bin) << 2)) != EMPTY;
    store<u8>(FILLED + bin, isFilled ? 1 : 0);
    if (isFilled) filledBins++;
  }
  if (filledBins == 0 || filledBins == binCount) return;
  for (let bin: u32 = 0; bin < binCount; bin++) {
    if (load<u8>(FILLED + bin)) continue;
    let donor = bin;
    for (let attempt: u32 = 1; !load<u8>(FILLED + donor); attempt++) donor = donorOf(bin, attempt);
    store<u32>(BINS + ((<usize>bin) << 2), load<u32>(BINS + ((<usize>donor) << 2)));
  }
}

function donorOf(bin: u32, attempt: u32): u32 {
  const hash = mix((((<u64>bin) << 32) | <u64>attempt) * GOLDEN);
  return <u32>(((hash >> 32) * <u64>binCount) >> 32);
}
