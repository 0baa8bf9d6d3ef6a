/** JSON strings → checked, unescaped, fed to the document under way, or hashed. */
import { hashElement } from './hash';
import { beginDocument, filledTo, finishDocument, PIECE, TEXT, textEnd } from './pieces';
import { putCodePoint, REPLACEMENT } from './utf8';

/** Where a string would end that is none. */
export const BAD: usize = 0;

/** The byte that an escape stands for, UNICODE for `\\u`, 0 when there is no such escape. */
const ESCAPES: usize = memory.data(256, 16);
const UNICODE: u8 = 0xff;

export function fillEscapes(): void {
  for (let same: usize = 0; same < 256; same++)
    if (same == 0x22 || same == 0x5c || same == 0x2f) store<u8>(ESCAPES + same, <u8>same);
  store<u8>(ESCAPES + 0x62, 0x08);
  store<u8>(ESCAPES + 0x66, 0x0c);
  store<u8>(ESCAPES + 0x6e, 0x0a);
  store<u8>(ESCAPES + 0x72, 0x0d);
  store<u8>(ESCAPES + 0x74, 0x09);
  store<u8>(ESCAPES + 0x75, UNICODE);
}

/** A bit for each of 16 bytes that ends a plain run of a string: a quote, a backslash, a control character. */
@inline
function stopBits(bytes: v128): i32 {
  const quote = i8x16.eq(bytes, i8x16.splat(0x22));
  const backslash = i8x16.eq(bytes, i8x16.splat(0x5c));
  const control = i8x16.lt_u(bytes, i8x16.splat(0x20));
  return i8x16.bitmask(v128.or(v128.or(quote, backslash), control));
}

/** From behind the opening quote to behind the closing one; escapes are checked. */
export function scanString(at: usize, end: usize): usize {
  while (at < end) {
    const stops = stopBits(v128.load(at));
    if (stops == 0) {
      at += 16;
      continue;
    }
    at += <usize>ctz(stops);
    if (at >= end) return BAD;
    const byte = load<u8>(at);
    if (byte == 0x22) return at + 1;
    if (byte != 0x5c || at + 1 >= end) return BAD;
    const meaning = load<u8>(ESCAPES + <usize>load<u8>(at, 1));
    if (meaning == 0 || (meaning == UNICODE && (at + 6 > end || hexValue(at + 2) < 0))) return BAD;
    at += meaning == UNICODE ? 6 : 2;
  }
  return BAD;
}

/** Four hex digits → their value; −1 when they are not. */
function hexValue(at: usize): i32 {
  let value: i32 = 0;
  for (let i: usize = 0; i < 4; i++) {
    const byte = <i32>load<u8>(at + i);
    const lower = byte | 0x20;
    let digit = byte - 0x30;
    if (<u32>digit > 9) {
      if (<u32>(lower - 0x61) > 5) return -1;
      digit = lower - 0x57;
    }
    value = (value << 4) | digit;
  }
  return value;
}

let unescapedFrom: usize = 0;
let unescapedHigh: bool = false;

/** The hash of a checked string as an element of a set would have it; of one with escapes, of what it stands for. */
export function hashJsonString(start: usize, end: usize): u64 {
  for (let at = start; at < end; at++) {
    if (load<u8>(at) != 0x5c || end - start > PIECE) continue;
    // The text of the document is done with, so its buffer is free.
    return hashElement(TEXT, unescape(start, end + 1, TEXT, TEXT + PIECE));
  }
  return hashElement(start, end);
}

/** Takes the string behind an opening quote as the text of a document; returns where it ends, or BAD. */
export function feedString(at: usize, end: usize): usize {
  beginDocument();
  while (true) {
    const to = unescape(at, end, textEnd(), TEXT + PIECE);
    at = unescapedFrom;
    if (at == BAD) return BAD;
    filledTo(to, unescapedHigh);
    if (load<u8>(at) == 0x22) break;
  }
  finishDocument();
  return at + 1;
}

/**
 * Unescapes a string to `out` up to its closing quote, or until `outEnd` is passed (by less than 16 bytes, before a code
 * unit that is not a quote). Sets unescapedFrom to where it stopped reading, BAD when this is not a string, and
 * unescapedHigh when a byte ≥ 0x80 may have been written.
 */
export function unescape(at: usize, end: usize, out: usize, outEnd: usize): usize {
  let high = i8x16.splat(0);
  let anyHigh = false;
  unescapedFrom = BAD;
  while (true) {
    const bytes = v128.load(at);
    const stops = stopBits(bytes);
    v128.store(out, bytes);
    high = v128.or(high, bytes);
    if (stops == 0) {
      at += 16;
      out += 16;
    } else {
      const count = <usize>ctz(stops);
      at += count;
      out += count;
      if (at >= end) return out;
      const byte = load<u8>(at);
      if (byte == 0x22) break;
      const meaning = load<u8>(ESCAPES + <usize>load<u8>(at, 1));
      if (byte != 0x5c || meaning == 0 || at + 1 >= end) return out;
      if (meaning != UNICODE) {
        store<u8>(out++, meaning);
        at += 2;
      } else {
        if (at + 6 > end || hexValue(at + 2) < 0) return out;
        const before = out;
        out = unescapeUnicode(at, end, out);
        anyHigh = anyHigh || load<u8>(before) >= 0x80;
        at = unescapedFrom;
        unescapedFrom = BAD;
      }
    }
    if (at >= end) return out;
    if (out >= outEnd && load<u8>(at) != 0x22) break;
  }
  unescapedFrom = at;
  unescapedHigh = anyHigh || i8x16.bitmask(high) != 0;
  return out;
}

/** A `\u` escape, or two that make a surrogate pair; half a pair becomes U+FFFD. */
function unescapeUnicode(at: usize, end: usize, out: usize): usize {
  let codePoint = <u32>hexValue(at + 2);
  at += 6;
  if (codePoint >> 11 == 0x1b) {
    const isPairStart = codePoint < 0xdc00 && at + 6 <= end && load<u16>(at) == 0x755c;
    const second = isPairStart ? hexValue(at + 2) : 0;
    if (second >> 10 == 0x37) {
      codePoint = 0x10000 + ((codePoint & 0x3ff) << 10) + (<u32>second & 0x3ff);
      at += 6;
    } else codePoint = REPLACEMENT;
  }
  unescapedFrom = at;
  return putCodePoint(codePoint, out);
}
