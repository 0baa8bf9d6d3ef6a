/** What the host may call. One instance serves one thread; it keeps the state of one document at a time. */
import { contentHigh, contentLow, setSeed } from './hash';
import { fillEscapes } from './json-strings';
import { MINIMA, setPermutations } from './minhash';
import { BINS, filledBins, setBins } from './one-permutation';
import { wordCount } from './pieces';
import { FEW, fewCount } from './sinks';
import { fillPairs } from './utf8';

export { bandKeys } from './bands';
export { decideBytes, decideDirect } from './decide';
export { editDistance, editWork } from './edit';
export { countBlockEdits, countGrams, placeGrams } from './edit-blocks';
export { hashElement } from './hash';
export { fieldNames, setField } from './json';
export {
  bandPositions,
  consumedBytes,
  consumedLines,
  findNewline,
  prefixLengths,
  setBands,
  setPrefixes,
  shingleLine,
  shingleLines,
  sketchLines,
} from './lines';
export { addHashes, addText, beginDocument, finishDocument, setShingle } from './pieces';
export { beginRows, groupKeyed, placeKeyed, rowItemsEnd, rowStartsEnd, sortInParts } from './rows';
export { intersectionSize, selectMod, simhash, sortUnique } from './sets';
export { ensureMemory, keptCount, setFew, setSink } from './sinks';
export { placeTaken, takenIdBytes, takenIds, takenKeys, takeRecords } from './take';
export { blockTable, foldTable, shiftTable } from './utf8';
export { xxhAdd, xxhBegin, xxhFinish } from './xxhash';
export { zstdBegin, zstdBlock } from './zstd';

/** Called once, when the host has filled the Unicode tables. */
export function finishTables(): void {
  fillPairs();
  fillEscapes();
}

/** Seed and sketch size; to be called before anything is hashed. */
export function setSketch(seed: u64, size: u32): void {
  setSeed(seed);
  setPermutations(size);
  setBins(size);
}

export function minima(): usize {
  return MINIMA;
}
export function bins(): usize {
  return BINS;
}
export function binsFilled(): u32 {
  return filledBins;
}
export function few(): usize {
  return FEW;
}
export function countOfFew(): u32 {
  return fewCount;
}
export function words(): u32 {
  return wordCount;
}
export function contentHashLow(): u64 {
  return contentLow;
}
export function contentHashHigh(): u64 {
  return contentHigh;
}
/** The first address that is free for the host. */
export function heapStart(): usize {
  return (__heap_base + 63) & ~63;
}
