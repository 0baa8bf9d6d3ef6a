/**
 * Raw UTF-8 → pieces of folded text → tokens → shingle hashes → a sink, a piece at a time, so that a document of any
 * size needs the same memory. What does not end with the piece is carried: the tail of a code point, the open word,
 * the last K−1 tokens.
 *
 *   TEXT     [ held | new bytes … | room to mend invalid bytes | slack ]     raw text
 *   FOLDED   [ 32 bytes: tail of the open word, right-aligned | DATA … | slack ]   lowercased, separators as spaces
 *   TOKENS   [ K−1 carried | of this piece … ]     64-bit hashes
 *   SHINGLES [ of this piece … ]                   64-bit hashes
 */
import {
  addContent,
  beginContent,
  codePointHash,
  finishContent,
  hashLongToken,
  hashShortToken,
  mix,
  stirLanes,
  tokenKey,
} from './hash';
import { sinkBegin, sinkFinish, sinkShingles } from './sinks';
import { foldText, mendText, sawInvalid } from './utf8';

export const PIECE: usize = 8192;
// Mending writes three bytes for one.
export const TEXT: usize = memory.data(3 * 8192 + 512, 16);
// Folding writes less than two bytes for one: two bytes can become three, and a word by itself gets two spaces.
const FOLDED: usize = memory.data(2 * 8192 + 512, 16);
export const DATA: usize = FOLDED + 32;
// At most one token a byte, 999 carried ones, and some that a mended piece has more.
const TOKENS: usize = memory.data((8192 + 512 + 1000) * 8, 16);
export const SHINGLES: usize = memory.data((8192 + 512) * 8, 16);

const BASE: u64 = 0xd1b54a32d192ed03;
const WORD_UNIT: u32 = 0;

let unit: u32 = 0;
let shingleSize: usize = 5;
let keepCase: bool = false;
/** BASE to the power K−1: the weight of the oldest token. */
let oldestWeight: u64 = 1;

export function setShingle(newUnit: u32, size: u32, newKeepCase: bool): void {
  unit = newUnit;
  shingleSize = size;
  keepCase = newKeepCase;
  oldestWeight = 1;
  for (let i: u32 = 1; i < size; i++) oldestWeight *= BASE;
}

// State of the document under way.
/** Bytes in TEXT. */
let filled: usize = 0;
/** Of those, bytes already in the content hash, and bytes already folded. */
let hashed: usize = 0;
let folded: usize = 0;
export let textLength: u64 = 0;
/** Any byte ≥ 0x80 since the last piece. */
let anyHigh: bool = false;
let tokenCount: usize = 0;
export let wordCount: u32 = 0;
export let shingleCount: u32 = 0;
let openState: u64 = 0;
let openLength: u64 = 0;
let openTail: usize = 0;
let afterWord: bool = false;

export function beginDocument(): void {
  filled = hashed = folded = 0;
  textLength = 0;
  anyHigh = false;
  tokenCount = 0;
  wordCount = shingleCount = 0;
  openState = tokenKey;
  openLength = 0;
  openTail = 0;
  afterWord = false;
  beginContent();
  sinkBegin();
}

/** Adds plain bytes; they may end in the middle of a code point. */
export function addText(start: usize, end: usize): void {
  while (start < end) {
    const room = PIECE - filled;
    const count = min(room, end - start);
    memory.copy(TEXT + filled, start, count);
    filledTo(TEXT + filled + count, hasHigh(start, start + count));
    start += count;
  }
}

/** Adds hashes that were made elsewhere, such as those of a plain set. */
export function addHashes(hashes: usize, count: usize): void {
  while (count > 0) {
    const run = min<usize>(count, 8192);
    memory.copy(SHINGLES, hashes, run << 3);
    emit(run);
    hashes += run << 3;
    count -= run;
  }
}

/** Where the next bytes of text go; at most up to TEXT + PIECE + 16. */
@inline
export function textEnd(): usize {
  return TEXT + filled;
}

/** Says how far TEXT is now written, and whether a byte ≥ 0x80 is among the new ones. */
export function filledTo(end: usize, high: bool): void {
  filled = end - TEXT;
  anyHigh = anyHigh || high;
  if (filled >= PIECE) takePiece(false);
}

export function finishDocument(): void {
  takePiece(true);
  if (tokenCount > 0 && tokenCount < shingleSize && shingleCount == 0) emitShort();
  sinkFinish();
}

function hasHigh(start: usize, end: usize): bool {
  let seen = i8x16.splat(0);
  while (start + 16 <= end) {
    seen = v128.or(seen, v128.load(start));
    start += 16;
  }
  if (i8x16.bitmask(seen)) return true;
  for (; start < end; start++) if (load<u8>(start) >= 0x80) return true;
  return false;
}

function takePiece(last: bool): void {
  let length: usize;
  if (anyHigh) {
    let whole = last ? filled : wholeCodePoints();
    length = foldText(TEXT + folded, TEXT + whole, DATA, keepCase) - DATA;
    if (sawInvalid) {
      const held = filled - whole;
      memory.copy(DATA, TEXT + folded, filled - folded);
      const mended = mendText(DATA, DATA + (whole - folded), TEXT + folded);
      memory.copy(mended, DATA + (whole - folded), held);
      whole = mended - TEXT;
      filled = whole + held;
      length = foldText(TEXT + folded, mended, DATA, keepCase) - DATA;
    }
    addTokens(DATA, length, last);
    folded = whole;
  } else {
    length = filled - folded;
    const from = TEXT + folded;
    folded = filled;
    addTokens(from, length, last);
  }
  takeContent(last);
  if (!last) keepTail();
  addShingles();
}

/** The length of TEXT without a code point that is cut off at its end. */
function wholeCodePoints(): usize {
  for (let back: usize = 1; back <= min<usize>(3, filled - folded); back++) {
    const byte = load<u8>(TEXT + filled - back);
    if (byte >= 0xc0) {
      const need: usize = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return need > back ? filled - back : filled;
    }
    if (byte < 0x80) break;
  }
  return filled;
}

/** Hashes the folded text in whole blocks; only text that is known to be valid UTF-8 may be hashed. */
function takeContent(last: bool): void {
  const blocks = hashed + ((folded - hashed) & ~15);
  addContent(TEXT + hashed, TEXT + blocks);
  textLength += blocks - hashed;
  hashed = blocks;
  if (!last) return;
  textLength += folded - hashed;
  finishContent(TEXT + hashed, TEXT + folded, textLength);
}

/** Moves what is not yet hashed or folded to the front of TEXT. */
function keepTail(): void {
  const drop = hashed;
  memory.copy(TEXT, TEXT + drop, filled - drop);
  filled -= drop;
  folded -= drop;
  hashed = 0;
  anyHigh = folded < filled;
}

@inline
function addTokens(from: usize, length: usize, last: bool): void {
  if (unit == WORD_UNIT) addWords(from, length, last);
  else addCharacters(from, length);
}

/** Lowercases 16 bytes from `from` to `to`; the result has a bit for each byte of a word. */
@inline
function wordBits(from: usize, to: usize, caseBit: v128): u64 {
  const bytes = v128.load(from);
  // A range that ends at 0x7f is tested by one signed comparison: each range is moved there first.
  const letter = i8x16.gt_s(
    i8x16.add(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x7f - 0x7a)),
    i8x16.splat(0x7f - 26),
  );
  const digit = i8x16.gt_s(i8x16.add(bytes, i8x16.splat(0x7f - 0x39)), i8x16.splat(0x7f - 10));
  const underscore = i8x16.eq(bytes, i8x16.splat(0x5f));
  v128.store(to, v128.or(bytes, v128.and(letter, caseBit)));
  // The mask takes the first bit of each byte, so bytes ≥ 0x80 count as they are.
  return <u64>i8x16.bitmask(v128.or(v128.or(letter, digit), v128.or(underscore, bytes)));
}

/** Words → TOKENS: 64 bytes become one mask of word bytes, word ends are found by counting zeros. */
function addWords(from: usize, length: usize, last: bool): void {
  const caseBit = i8x16.splat(keepCase ? 0 : 0x20);
  const end = DATA + length;
  const shift = from - DATA;
  for (let pad: usize = 0; pad < 80; pad += 16) v128.store(from + length + pad, i8x16.splat(0x20));
  let out = TOKENS + (tokenCount << 3);
  let open: u64 = openTail != 0 ? 1 : 0;
  let start = DATA - openTail;
  for (let at = DATA; at <= end; at += 64) {
    const word =
      wordBits(at + shift, at, caseBit) |
      (wordBits(at + shift + 16, at + 16, caseBit) << 16) |
      (wordBits(at + shift + 32, at + 32, caseBit) << 32) |
      (wordBits(at + shift + 48, at + 48, caseBit) << 48);
    const before = (word << 1) | open;
    let starts = word & ~before;
    let ends = ~word & before;
    if (!last && end - at < 64) ends &= ~((<u64>1) << (<u64>(end - at)));
    if (open) {
      if (ends == 0) continue;
      store<u64>(out, hashLongToken(openState, openLength, start, at + <usize>ctz(ends)));
      openState = tokenKey;
      openLength = 0;
      out += 8;
      ends &= ends - 1;
    }
    while (ends) {
      start = at + <usize>ctz(starts);
      const size = at + <usize>ctz(ends) - start;
      store<u64>(out, size <= 16 ? hashShortToken(start, size) : hashLongToken(tokenKey, 0, start, start + size));
      out += 8;
      starts &= starts - 1;
      ends &= ends - 1;
    }
    open = starts ? 1 : 0;
    if (starts) start = at + <usize>ctz(starts);
  }
  const count = (out - TOKENS) >> 3;
  wordCount += <u32>(count - tokenCount);
  tokenCount = count;
  openTail = 0;
  if (open) keepOpenWord(start, end);
}

/** A word that goes on in the next piece: its full lanes are hashed, its last 1 … 8 bytes stay right before DATA. */
function keepOpenWord(start: usize, end: usize): void {
  openState = stirLanes(openState, start, end);
  openTail = ((end - start - 1) & 7) + 1;
  openLength += <u64>(end - start - openTail);
  store<u64>(DATA - 8, load<u64>(end - 8));
}

/** Code points of the words, joined by single spaces → TOKENS. */
function addCharacters(from: usize, length: usize): void {
  const end = from + length;
  let out = TOKENS + (tokenCount << 3);
  let inWord = openTail != 0;
  while (from < end) {
    let codePoint = <u32>load<u8>(from++);
    if (codePoint < 0x80) {
      if (codePoint - 0x41 < 26 && !keepCase) codePoint |= 0x20;
      const isWord = (codePoint | 0x20) - 0x61 < 26 || codePoint - 0x30 < 10 || codePoint == 0x5f;
      if (!isWord) {
        inWord = false;
        continue;
      }
    } else if (codePoint < 0xe0) {
      codePoint = ((codePoint & 31) << 6) | (load<u8>(from) & 63);
      from += 1;
    } else if (codePoint < 0xf0) {
      codePoint = ((codePoint & 15) << 12) | ((<u32>load<u8>(from) & 63) << 6) | (load<u8>(from, 1) & 63);
      from += 2;
    } else {
      codePoint =
        ((codePoint & 7) << 18) |
        ((<u32>load<u8>(from) & 63) << 12) |
        ((<u32>load<u8>(from, 1) & 63) << 6) |
        (load<u8>(from, 2) & 63);
      from += 3;
    }
    if (!inWord) {
      wordCount++;
      if (afterWord) {
        store<u64>(out, codePointHash(0x20));
        out += 8;
      }
    }
    inWord = afterWord = true;
    store<u64>(out, codePointHash(codePoint));
    out += 8;
  }
  openTail = inWord ? 1 : 0;
  tokenCount = (out - TOKENS) >> 3;
}

/** TOKENS → SHINGLES: a rolling polynomial over the last K tokens, mixed; the last K−1 tokens stay. */
function addShingles(): void {
  if (tokenCount < shingleSize) return;
  const keep = shingleSize - 1;
  let sum: u64 = 0;
  for (let i: usize = 0; i < keep; i++) sum = sum * BASE + load<u64>(TOKENS + (i << 3));
  const weight = oldestWeight;
  const end = TOKENS + (tokenCount << 3);
  const behind = keep << 3;
  let out = SHINGLES;
  for (let at = TOKENS + behind; at < end; at += 8) {
    sum = sum * BASE + load<u64>(at);
    store<u64>(out, mix(sum));
    out += 8;
    sum -= weight * load<u64>(at - behind);
  }
  memory.copy(TOKENS, end - behind, behind);
  tokenCount = keep;
  emit((out - SHINGLES) >> 3);
}

/** A text of fewer than K tokens is one shingle of them all. */
function emitShort(): void {
  let sum: u64 = 0;
  for (let i: usize = 0; i < tokenCount; i++) sum = sum * BASE + load<u64>(TOKENS + (i << 3));
  store<u64>(SHINGLES, mix(sum));
  emit(1);
}

function emit(count: usize): void {
  shingleCount += <u32>count;
  sinkShingles(SHINGLES, count);
}
