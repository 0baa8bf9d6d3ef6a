/** Bytes of JSONL → for each line a record: where it is, what it is, its words, content hash and sketch. */
import { bandKeys } from './bands';
import { hashJsonString } from './json-strings';
import { contentHigh, contentLow, elementKey } from './hash';
import {
  CONTENT,
  HEADER_WORDS,
  ID_END,
  ID_HASH,
  ID_KIND,
  ID_START,
  KEYS,
  KIND,
  LENGTH,
  LINE,
  LINE_BLANK,
  LINE_OK,
  NUMBER,
  SHINGLES,
  STRING,
  TEXT_BYTES,
  TEXT_KIND,
  WORDS,
} from '../src/kernel/record';
import { fieldEnd, fieldKind, fieldStart, scanLine } from './json';
import { MINIMA } from './minhash';
import { BINS } from './one-permutation';
import { shingleCount, textLength, wordCount } from './pieces';
import { sortUnique } from './sets';
import { FEW, fewCount, hasMinima, KEEP, keptCount, keptHashes, MINHASH, setSink } from './sinks';

const HEADER: usize = HEADER_WORDS << 2;
const TEXT_FIELD: usize = 0;
const ID_FIELD: usize = 1;

// The rows of each band, band after band; with no band, records hold the sketch itself.
const POSITIONS: usize = memory.data(65536 * 4, 16);
let bandCount: u32 = 0;
let bandRows: u32 = 0;
// How many of its smallest shingles a document of few is found by, for each number of them.
const PREFIXES: usize = memory.data(64, 16);
let longestPrefix: u32 = 0;

/** The host has written bands × rows positions, at most 65,536, at bandPositions(). */
export function setBands(bands: u32, rows: u32): void {
  bandCount = bands;
  bandRows = rows;
}

export function bandPositions(): usize {
  return POSITIONS;
}

/** The host has written a byte for each number of shingles below 64 at prefixLengths(); `longest` is the greatest of them. */
export function setPrefixes(longest: u32): void {
  longestPrefix = longest;
}

export function prefixLengths(): usize {
  return PREFIXES;
}

let consumed: usize = 0;
let linesSeen: u32 = 0;

/** Bytes of whole lines that the last call has used. */
export function consumedBytes(): usize {
  return consumed;
}

/** Lines the last call has passed, blank ones included. */
export function consumedLines(): u32 {
  return linesSeen;
}

/**
 * Reads the lines in start … end and writes a record for each that is not blank, until one of both is used up. A line
 * without its end counts only when `last` is set. Returns the number of records.
 */
export function sketchLines(
  start: usize,
  end: usize,
  last: bool,
  out: usize,
  outEnd: usize,
  sink: u32,
  sketchSize: u32,
): u32 {
  const first = start;
  const size = HEADER + (bandCount ? (<usize>(bandCount + longestPrefix)) << 3 : (<usize>sketchSize) << 2);
  let records: u32 = 0;
  linesSeen = 0;
  while (start < end && out + size <= outEnd) {
    const lineEnd = findNewline(start, end);
    if (lineEnd == end && !last) break;
    linesSeen++;
    const kind = scanLine(start, lineEnd, true);
    if (kind != LINE_BLANK) {
      store<u32>(out, <u32>(start - first));
      store<u32>(out, <u32>(lineEnd - start), LENGTH << 2);
      store<u32>(out, kind, KIND << 2);
      store<u32>(out, linesSeen - 1, LINE << 2);
      if (kind == LINE_OK) writeDocument(first, out, sink, sketchSize);
      out += size;
      records++;
    }
    start = lineEnd + 1;
  }
  consumed = min(start, end) - first;
  return records;
}

function writeDocument(first: usize, out: usize, sink: u32, sketchSize: u32): void {
  const textKind = fieldKind(TEXT_FIELD);
  const idKind = fieldKind(ID_FIELD);
  store<u32>(out, textKind, TEXT_KIND << 2);
  store<u32>(out, idKind, ID_KIND << 2);
  store<u32>(out, <u32>(fieldStart(ID_FIELD) - first), ID_START << 2);
  store<u32>(out, <u32>(fieldEnd(ID_FIELD) - first), ID_END << 2);
  if (textKind != STRING) return;
  store<u32>(out, wordCount, WORDS << 2);
  store<u64>(out, contentLow, CONTENT << 2);
  store<u64>(out, contentHigh, (CONTENT + 2) << 2);
  store<u32>(out, shingleCount, SHINGLES << 2);
  store<u64>(out, textLength, TEXT_BYTES << 2);
  if (idKind == STRING || idKind == NUMBER)
    store<u64>(out, hashJsonString(fieldStart(ID_FIELD), fieldEnd(ID_FIELD)), ID_HASH << 2);
  writeSketch(out + HEADER, sink, sketchSize);
}

/** The sketch of the document that was read last, or its keys. */
function writeSketch(out: usize, sink: u32, sketchSize: u32): void {
  store<u32>(out - HEADER, 0, KEYS << 2);
  if (sketchSize == 0) return;
  const sketch = sink == MINHASH ? MINIMA : BINS;
  if (bandCount) store<u32>(out - HEADER, writeKeys(sketch, out), KEYS << 2);
  else memory.copy(out, sketch, (<usize>sketchSize) << 2);
}

/** Keys of bands, and of the smallest shingles where there are few; returns how many. The twin is src/engine/analyse/candidate-keys.ts. */
function writeKeys(sketch: usize, out: usize): u32 {
  let keys: u32 = 0;
  if (shingleCount == 0) return keys;
  if (hasMinima) {
    bandKeys(sketch, POSITIONS, bandCount, bandRows, out);
    keys = bandCount;
  }
  if (fewCount == 0) return keys;
  const prefix = <u32>load<u8>(PREFIXES + <usize>fewCount);
  for (let at: u32 = 0; at < prefix; at++)
    store<u64>(out + ((<usize>(keys + at)) << 3), elementKey(load<u64>(FEW + ((<usize>at) << 3))));
  return keys + prefix;
}

/** The distinct shingles of the text of one line, sorted, where KEEP writes; how many. -1 if the kernel finds no text in it. */
export function shingleLine(start: usize, end: usize): i32 {
  if (scanLine(start, end, true) != LINE_OK || fieldKind(TEXT_FIELD) != STRING) return -1;
  return <i32>sortUnique(keptHashes(), keptCount());
}

/**
 * The same for `count` lines, whose starts and ends are at `lines`, two words each: the sets go to `to` and behind, each at a
 * multiple of 16, and in place of start and end come the address of the set and its size. Ends before a line in which the kernel
 * finds no text, or when the sets pass `limit`; returns how many lines were done.
 */
export function shingleLines(lines: usize, count: u32, to: usize, limit: usize): u32 {
  for (let done: u32 = 0; done < count; done++) {
    if (to > limit) return done;
    setSink(KEEP, to);
    const size = shingleLine(<usize>load<u32>(lines), <usize>load<u32>(lines, 4));
    if (size < 0) return done;
    store<u32>(lines, <u32>to);
    store<u32>(lines, <u32>size, 4);
    lines += 8;
    to = (to + ((<usize>size) << 3) + 15) & ~15;
  }
  return count;
}

/** The next line feed in start … end, or end. */
export function findNewline(start: usize, end: usize): usize {
  const newline = i8x16.splat(0x0a);
  while (start < end) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(start), newline));
    if (found) return min(start + <usize>ctz(found), end);
    start += 16;
  }
  return end;
}
