/**
 * Records of lines → columns of documents and their keyed items, as a chunk file has them. The twin, for one record at a time, is in
 * src/engine/threads/stages/sketch-chunk.ts.
 */
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
  LINE_OK,
  MISSING,
  NUMBER,
  START,
  STRING,
  TEXT_BYTES,
  TEXT_KIND,
} from '../src/kernel/record';

// Where the columns are; those without a number of their own have an entry for each document.
let starts: usize = 0;
let lengths: usize = 0;
let lines: usize = 0;
let textLengths: usize = 0;
let idStarts: usize = 0;
let contents: usize = 0;
let ids: usize = 0;
let idsEnd: usize = 0;
let keys: usize = 0;
let keysEnd: usize = 0;
let idBytes: usize = 0;
let idBytesEnd: usize = 0;

export function takenIds(): u32 {
  return <u32>((idsEnd - ids) >> 2);
}
export function takenKeys(): u32 {
  return <u32>((keysEnd - keys) >> 2);
}
export function takenIdBytes(): u32 {
  return <u32>(idBytesEnd - idBytes);
}

/** The columns begin at `to`, which is a multiple of 8, and have room for `count` documents; returns where that of keys begins. */
export function placeTaken(to: usize, count: u32): usize {
  const words = (<usize>count) << 2;
  starts = to;
  lengths = starts + 2 * words;
  lines = lengths + words;
  textLengths = lines + words;
  idStarts = textLengths + words;
  contents = idStarts + words;
  ids = contents + 5 * words;
  keys = ids + 3 * words;
  return keys;
}

@inline
function word(record: usize, place: usize): u32 {
  return load<u32>(record + (place << 2));
}

/**
 * Takes the records of up to `count` documents, until one is not plain: that is left to the host. `origin` is where the lines begin
 * in their file, and `base` in memory; `item`, `line` and `idStart` are the numbers of the next document, of the first line, and of
 * the bytes of ids before. Ids go to `newIdBytes`. Returns how many were taken.
 */
export function takeRecords(
  record: usize,
  size: usize,
  count: u32,
  origin: f64,
  base: usize,
  item: u32,
  line: u32,
  idStart: u32,
  newIdBytes: usize,
  maxLength: u32,
): u32 {
  idsEnd = ids;
  keysEnd = keys;
  idBytes = idBytesEnd = newIdBytes;
  for (let taken: u32 = 0; taken < count; taken++) {
    if (word(record, KIND) != LINE_OK || word(record, TEXT_KIND) != STRING || word(record, LENGTH) > maxLength)
      return taken;
    const idFrom = base + <usize>word(record, ID_START);
    const idTo = base + <usize>word(record, ID_END);
    const idKind = word(record, ID_KIND);
    if (!isPlainId(idKind, idFrom, idTo)) return taken;
    const at = (<usize>taken) << 2;
    store<f64>(starts + 2 * at, origin + <f64>word(record, START));
    store<u32>(lengths + at, word(record, LENGTH));
    store<u32>(lines + at, line + word(record, LINE));
    store<u32>(textLengths + at, word(record, TEXT_BYTES));
    store<u32>(idStarts + at, idStart + <u32>(idBytesEnd - idBytes));
    if (idKind != MISSING && idFrom != idTo) takeId(record, idFrom, idTo, item + taken);
    takeContent(contents + 5 * at, record, item + taken);
    takeKeys(record, item + taken);
    record += size;
  }
  return count;
}

/** Absent, a string of ASCII without escapes, or a number of digits: it is shown as it is written. */
function isPlainId(kind: u32, from: usize, to: usize): bool {
  if (kind == MISSING) return true;
  if (kind == NUMBER) {
    if (load<u8>(from) == 0x30 && to - from > 1) return false;
    for (; from < to; from++) if (<u32>load<u8>(from) - 0x30 > 9) return false;
    return true;
  }
  if (kind != STRING) return false;
  for (; from < to; from++) {
    const byte = load<u8>(from);
    if (byte == 0x5c || byte >= 0x80) return false;
  }
  return true;
}

function takeId(record: usize, from: usize, to: usize, item: u32): void {
  store<u64>(idsEnd, load<u64>(record + (ID_HASH << 2)));
  store<u32>(idsEnd, item, 8);
  idsEnd += 12;
  store<u8>(idBytesEnd++, 0x22);
  for (; from < to; from++) store<u8>(idBytesEnd++, load<u8>(from));
}

@inline
function takeContent(to: usize, record: usize, item: u32): void {
  store<u64>(to, load<u64>(record + (CONTENT << 2)));
  store<u32>(to, item, 8);
  store<u64>(to, load<u64>(record + ((CONTENT + 2) << 2)), 12);
}

@inline
function takeKeys(record: usize, item: u32): void {
  let key = record + (HEADER_WORDS << 2);
  for (const end = key + ((<usize>word(record, KEYS)) << 3); key < end; key += 8) {
    store<u64>(keysEnd, load<u64>(key));
    store<u32>(keysEnd, item, 8);
    keysEnd += 12;
  }
}
