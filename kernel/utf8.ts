/** UTF-8 → folded UTF-8: lowercase letters, a space for each separator, spaces around each word by itself. */

// Code point → what to do with it, in two steps: BLOCK_OF[codePoint >> 7] names a block of 128 entries of FOLDS.
// An entry is 0 for a separator, 1 for a letter that stays, 2 for a word by itself, else a letter moved by SHIFTS[entry].
const BLOCK_OF: usize = memory.data(8704 * 2, 16);
const FOLDS: usize = memory.data(512 * 128, 16);
const SHIFTS: usize = memory.data(256 * 4, 16);
// The same for code points under 0x800, as the two bytes they fold to; 0 is a separator, 0xffff another length.
const PAIRS: usize = memory.data(0x800 * 2, 16);
const SEPARATOR: u32 = 0;
const STAYS: u32 = 1;
const SOLO: u32 = 2;
const OTHER_LENGTH: u32 = 0xffff;

export function blockTable(): usize {
  return BLOCK_OF;
}
export function foldTable(): usize {
  return FOLDS;
}
export function shiftTable(): usize {
  return SHIFTS;
}

/** Called once the tables are filled. */
export function fillPairs(): void {
  for (let codePoint: u32 = 0x80; codePoint < 0x800; codePoint++) {
    const entry = entryOf(codePoint);
    const to = codePoint + load<u32>(SHIFTS + ((<usize>entry) << 2));
    let pair = OTHER_LENGTH;
    if (entry == SEPARATOR) pair = 0;
    else if (to >= 0x80 && to < 0x800) pair = 0xc0 | (to >> 6) | ((0x80 | (to & 63)) << 8);
    store<u16>(PAIRS + ((<usize>codePoint) << 1), <u16>pair);
  }
}

@inline
function entryOf(codePoint: u32): u32 {
  const block = <usize>load<u16>(BLOCK_OF + ((<usize>(codePoint >> 7)) << 1));
  return <u32>load<u8>(FOLDS + (block << 7) + (codePoint & 127));
}

/** Set by `foldText`; the text must then be mended and folded again. */
export let sawInvalid: bool = false;

/** Folds start … end to `out` and returns the end of what it wrote. ASCII letters keep their case: a later step folds it. */
export function foldText(start: usize, end: usize, out: usize, keepCase: bool): usize {
  sawInvalid = false;
  while (start < end) {
    const lead = <u32>load<u8>(start);
    if (lead < 0x80) {
      const bytes = v128.load(start);
      v128.store(out, bytes);
      const high = i8x16.bitmask(bytes);
      const count = min<usize>(high ? <usize>ctz(high) : 16, end - start);
      start += count;
      out += count;
    } else if (lead < 0xe0) {
      const trail = <u32>load<u8>(start, 1);
      if (lead < 0xc2 || (trail & 0xc0) != 0x80 || start + 2 > end) return invalid(out);
      const codePoint = ((lead & 31) << 6) | (trail & 63);
      const pair = <u32>load<u16>(PAIRS + ((<usize>codePoint) << 1));
      if (pair == OTHER_LENGTH) {
        out = putFolded(codePoint, entryOf(codePoint), out, keepCase);
      } else if (pair == 0) {
        store<u8>(out++, 0x20);
      } else {
        store<u16>(out, keepCase ? load<u16>(start) : <u16>pair);
        out += 2;
      }
      start += 2;
    } else if (lead < 0xf0) {
      const bytes = load<u32>(start);
      const second = (bytes >> 8) & 0xff;
      const codePoint = ((lead & 15) << 12) | ((second & 63) << 6) | ((bytes >> 16) & 63);
      // Continuation bytes, no overlong form, no surrogate.
      if ((bytes & 0xc0c000) != 0x808000 || codePoint < 0x800 || codePoint >> 11 == 0x1b || start + 3 > end) {
        return invalid(out);
      }
      const entry = entryOf(codePoint);
      if (entry == SOLO) {
        if (load<u8>(out - 1) != 0x20) store<u8>(out++, 0x20);
        store<u32>(out, (bytes & 0xffffff) | 0x20000000);
        out += 4;
      } else if (entry == STAYS) {
        store<u32>(out, bytes);
        out += 3;
      } else {
        out = putFolded(codePoint, entry, out, keepCase);
      }
      start += 3;
    } else {
      const bytes = load<u32>(start);
      const codePoint =
        ((lead & 7) << 18) | (((bytes >> 8) & 63) << 12) | (((bytes >> 16) & 63) << 6) | ((bytes >> 24) & 63);
      if (
        lead > 0xf4 ||
        (bytes & 0xc0c0c000) != 0x80808000 ||
        codePoint < 0x10000 ||
        codePoint > 0x10ffff ||
        start + 4 > end
      ) {
        return invalid(out);
      }
      out = putFolded(codePoint, entryOf(codePoint), out, keepCase);
      start += 4;
    }
  }
  return out;
}

function invalid(out: usize): usize {
  sawInvalid = true;
  return out;
}

function putFolded(codePoint: u32, entry: u32, out: usize, keepCase: bool): usize {
  if (entry == SEPARATOR) {
    store<u8>(out, 0x20);
    return out + 1;
  }
  if (entry != SOLO)
    return putCodePoint(keepCase ? codePoint : codePoint + load<u32>(SHIFTS + ((<usize>entry) << 2)), out);
  store<u8>(out, 0x20);
  out = putCodePoint(codePoint, out + 1);
  store<u8>(out, 0x20);
  return out + 1;
}

/** Writes one code point as UTF-8 and returns the end of it. */
export function putCodePoint(codePoint: u32, out: usize): usize {
  if (codePoint < 0x80) {
    store<u8>(out, <u8>codePoint);
    return out + 1;
  }
  if (codePoint < 0x800) {
    store<u8>(out, <u8>(0xc0 | (codePoint >> 6)));
    store<u8>(out, <u8>(0x80 | (codePoint & 63)), 1);
    return out + 2;
  }
  if (codePoint < 0x10000) {
    store<u8>(out, <u8>(0xe0 | (codePoint >> 12)));
    store<u8>(out, <u8>(0x80 | ((codePoint >> 6) & 63)), 1);
    store<u8>(out, <u8>(0x80 | (codePoint & 63)), 2);
    return out + 3;
  }
  store<u8>(out, <u8>(0xf0 | (codePoint >> 18)));
  store<u8>(out, <u8>(0x80 | ((codePoint >> 12) & 63)), 1);
  store<u8>(out, <u8>(0x80 | ((codePoint >> 6) & 63)), 2);
  store<u8>(out, <u8>(0x80 | (codePoint & 63)), 3);
  return out + 4;
}

export const REPLACEMENT: u32 = 0xfffd;

/** Copies UTF-8 to `out` with U+FFFD for each maximal part of an invalid sequence, as the platform's decoder does. */
export function mendText(start: usize, end: usize, out: usize): usize {
  while (start < end) {
    const length = sequenceLength(start, end);
    if (length > 0) {
      memory.copy(out, start, <usize>length);
      out += <usize>length;
      start += <usize>length;
    } else {
      out = putCodePoint(REPLACEMENT, out);
      start += <usize>-length;
    }
  }
  return out;
}

/** The length of the sequence at `start`; of an invalid one, minus the length of the part to replace. */
function sequenceLength(start: usize, end: usize): i32 {
  const lead = <u32>load<u8>(start);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const need = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  // The second byte has a narrower range after some leads: no overlong form, no surrogate, nothing past U+10FFFF.
  let low: u32 = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  let high: u32 = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  for (let i = 1; i < need; i++) {
    if (start + i >= end) return -i;
    const byte = <u32>load<u8>(start + i);
    if (byte < low || byte > high) return -i;
    low = 0x80;
    high = 0xbf;
  }
  return need;
}
