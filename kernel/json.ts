/** One line of JSON → where the wanted fields stand in it, and their strings without escapes. Strict: what JSON.parse refuses is refused. */
import { BAD, feedString, scanString, unescape } from './json-strings';
import {
  ARRAY,
  LINE_BLANK,
  LINE_NOT_JSON,
  LINE_NOT_OBJECT,
  LINE_OK,
  LINE_TOO_DEEP,
  LITERAL,
  MISSING,
  NUMBER,
  OBJECT,
  STRING,
} from '../src/kernel/record';

/** Levels below the line's own object, as src/formats/fields.ts has it. */
const MAX_DEPTH: u32 = 499;

/** Each wanted field: name address, name length, then what was found: kind, start, end. Strings are without their quotes. */
export const FIELDS: usize = memory.data(8 * 20, 16);
const FIELD_SIZE: usize = 20;
const NAMES: usize = memory.data(8 * 256, 16);
const KEY: usize = memory.data(1024, 16);
/** One bit for each open bracket: 1 for an object. */
const STACK: usize = memory.data(1024, 16);

let fieldCount: u32 = 0;
/** Whether the string of field 0 is fed to the document as it is scanned. */
let feeding: bool = false;

export function fieldNames(): usize {
  return NAMES;
}

/** The host has written the name, at most 255 bytes, at fieldNames() + 256·field. */
export function setField(field: u32, length: u32): void {
  store<u32>(FIELDS + <usize>field * FIELD_SIZE, <u32>NAMES + field * 256);
  store<u32>(FIELDS + <usize>field * FIELD_SIZE, length, 4);
  fieldCount = field + 1;
}

@inline
export function fieldKind(field: usize): u32 {
  return load<u32>(FIELDS + field * FIELD_SIZE, 8);
}
@inline
export function fieldStart(field: usize): usize {
  return <usize>load<u32>(FIELDS + field * FIELD_SIZE, 12);
}
@inline
export function fieldEnd(field: usize): usize {
  return <usize>load<u32>(FIELDS + field * FIELD_SIZE, 16);
}

// The scanner's position. 0 stands for "not JSON" in the functions below, TOO_DEEP for a nesting past the bound.
const TOO_DEEP: usize = 1;
let valueStart: usize = 0;
let valueEnd: usize = 0;
let valueKind: u32 = 0;

/**
 * Finds the wanted fields of the object in start … end; of a repeated name the last counts. With `feed`, the text of
 * field 0 is taken for a document on the way: one pass over it instead of two.
 */
export function scanLine(start: usize, end: usize, feed: bool): u32 {
  feeding = false;
  for (let field: usize = 0; field < <usize>fieldCount; field++) store<u32>(FIELDS + field * FIELD_SIZE, MISSING, 8);
  let at = skipSpace(start, end);
  if (at == end) return LINE_BLANK;
  if (load<u8>(at) != 0x7b) {
    at = scanValue(at, end);
    return at > TOO_DEEP && skipSpace(at, end) == end
      ? LINE_NOT_OBJECT
      : at == TOO_DEEP
        ? LINE_TOO_DEEP
        : LINE_NOT_JSON;
  }
  at = skipSpace(at + 1, end);
  if (at < end && load<u8>(at) == 0x7d) return skipSpace(at + 1, end) == end ? LINE_OK : LINE_NOT_JSON;
  while (true) {
    if (at >= end || load<u8>(at) != 0x22) return LINE_NOT_JSON;
    const keyStart = at + 1;
    at = scanString(keyStart, end);
    if (at == BAD) return LINE_NOT_JSON;
    const field = wantedField(keyStart, at - 1);
    at = skipSpace(at, end);
    if (at >= end || load<u8>(at) != 0x3a) return LINE_NOT_JSON;
    feeding = feed && field == 0;
    at = scanValue(skipSpace(at + 1, end), end);
    feeding = false;
    if (at == BAD) return LINE_NOT_JSON;
    if (at == TOO_DEEP) return LINE_TOO_DEEP;
    if (field >= 0) {
      const to = FIELDS + <usize>field * FIELD_SIZE;
      store<u32>(to, valueKind, 8);
      store<u32>(to, <u32>valueStart, 12);
      store<u32>(to, <u32>valueEnd, 16);
    }
    at = skipSpace(at, end);
    if (at >= end) return LINE_NOT_JSON;
    const mark = load<u8>(at);
    at = skipSpace(at + 1, end);
    if (mark == 0x7d) return at == end ? LINE_OK : LINE_NOT_JSON;
    if (mark != 0x2c) return LINE_NOT_JSON;
  }
}

@inline
function skipSpace(at: usize, end: usize): usize {
  while (at < end) {
    const byte = load<u8>(at);
    if (byte != 0x20 && byte != 0x0a && byte != 0x0d && byte != 0x09) break;
    at++;
  }
  return at;
}

/** Any value; sets valueKind, valueStart and valueEnd. */
function scanValue(at: usize, end: usize): usize {
  if (at >= end) return BAD;
  const byte = load<u8>(at);
  valueStart = at;
  if (byte == 0x22) {
    at = feeding ? feedString(at + 1, end) : scanString(at + 1, end);
    valueKind = STRING;
    valueStart++;
    valueEnd = at - 1;
    return at;
  }
  if (byte == 0x7b || byte == 0x5b) {
    const first = at;
    at = scanNested(at, end);
    valueKind = byte == 0x7b ? OBJECT : ARRAY;
    valueStart = first;
  } else {
    valueKind = byte == 0x2d || <u32>(byte - 0x30) < 10 ? NUMBER : LITERAL;
    at = scanScalar(at, end);
  }
  valueEnd = at;
  return at;
}

/** A number or true, false, null. */
function scanScalar(at: usize, end: usize): usize {
  const byte = load<u8>(at);
  if (byte == 0x74) return matches(at, end, 4, 0x65757274) ? at + 4 : BAD;
  if (byte == 0x6e) return matches(at, end, 4, 0x6c6c756e) ? at + 4 : BAD;
  if (byte == 0x66) return matches(at + 1, end, 4, 0x65736c61) ? at + 5 : BAD;
  if (byte == 0x2d) at++;
  if (at < end && load<u8>(at) == 0x30) at++;
  else {
    const digits = at;
    at = skipDigits(at, end);
    if (at == digits) return BAD;
  }
  if (at < end && load<u8>(at) == 0x2e) {
    const digits = at + 1;
    at = skipDigits(digits, end);
    if (at == digits) return BAD;
  }
  if (at < end && (load<u8>(at) | 0x20) == 0x65) {
    at++;
    if (at < end && (load<u8>(at) == 0x2b || load<u8>(at) == 0x2d)) at++;
    const digits = at;
    at = skipDigits(at, end);
    if (at == digits) return BAD;
  }
  return at;
}

@inline
function matches(at: usize, end: usize, length: usize, letters: u32): bool {
  return at + length <= end && load<u32>(at) == letters;
}

@inline
function skipDigits(at: usize, end: usize): usize {
  while (at < end && <u32>load<u8>(at) - 0x30 < 10) at++;
  return at;
}

/** An object or array with all that is in it: an explicit stack of brackets, so that depth cannot overflow anything. */
function scanNested(at: usize, end: usize): usize {
  let depth: u32 = 0;
  // After an opening bracket comes a member or the closing one; after a value a comma or the closing one.
  while (true) {
    const isObject = load<u8>(at) == 0x7b;
    if (depth == MAX_DEPTH) return TOO_DEEP;
    store<u8>(STACK + depth++, isObject ? 1 : 0);
    at = skipSpace(at + 1, end);
    if (at >= end) return BAD;
    let closed = load<u8>(at) == (isObject ? 0x7d : 0x5d);
    if (closed) at++;
    else {
      at = scanMember(at, end, isObject);
      if (at == BAD) return BAD;
      const next = load<u8>(at);
      if (at < end && (next == 0x7b || next == 0x5b)) continue;
      at = scanSimple(at, end);
      if (at == BAD) return BAD;
    }
    while (true) {
      if (closed && --depth == 0) return at;
      at = skipSpace(at, end);
      if (at >= end) return BAD;
      const inObject = load<u8>(STACK + depth - 1) == 1;
      const mark = load<u8>(at);
      closed = mark == (inObject ? 0x7d : 0x5d);
      if (closed) {
        at++;
        continue;
      }
      if (mark != 0x2c) return BAD;
      at = scanMember(skipSpace(at + 1, end), end, inObject);
      if (at == BAD || at >= end) return BAD;
      const next = load<u8>(at);
      if (next == 0x7b || next == 0x5b) break;
      at = scanSimple(at, end);
      if (at == BAD) return BAD;
    }
  }
}

/** In an object, the key and colon before a value; in an array, nothing. */
@inline
function scanMember(at: usize, end: usize, inObject: bool): usize {
  if (!inObject) return at;
  if (at >= end || load<u8>(at) != 0x22) return BAD;
  at = scanString(at + 1, end);
  if (at == BAD) return BAD;
  at = skipSpace(at, end);
  if (at >= end || load<u8>(at) != 0x3a) return BAD;
  return skipSpace(at + 1, end);
}

@inline
function scanSimple(at: usize, end: usize): usize {
  if (at >= end) return BAD;
  return load<u8>(at) == 0x22 ? scanString(at + 1, end) : scanScalar(at, end);
}

/** The number of the wanted field whose name stands at start … end, or −1. */
function wantedField(start: usize, end: usize): i32 {
  let name = start;
  let length = <u32>(end - start);
  for (let at = start; at < end; at++) {
    if (load<u8>(at) != 0x5c) continue;
    // An escape makes a name longer: one that is past six times the longest wanted name is not wanted.
    if (end - start > 6 * 160) return -1;
    name = KEY;
    length = <u32>(unescape(start, end + 1, KEY, KEY + 1000) - KEY);
    break;
  }
  for (let field: u32 = 0; field < fieldCount; field++) {
    const wanted = FIELDS + <usize>field * FIELD_SIZE;
    if (load<u32>(wanted, 4) == length && memory.compare(<usize>load<u32>(wanted), name, <usize>length) == 0)
      return <i32>field;
  }
  return -1;
}
