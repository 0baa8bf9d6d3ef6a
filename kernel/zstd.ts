/** One block of a Zstandard frame → its bytes, behind those of the blocks before it. RFC 8878, 3.1.1.2 and 3.1.1.3. */
import {
  baseOf,
  bitsAt,
  bitsOf,
  buildSingle,
  buildTable,
  forgetHuffman,
  HUFFMAN,
  huffmanLog,
  keepLog,
  readHuffman,
  readProbabilities,
  setProbabilities,
  streamBits,
  symbolOf,
  tableLog,
} from './zstd-tables';

/** What a block, or the literals of one, may grow to. */
const MOST: u32 = 128 * 1024;
const DAMAGED: i32 = -1;

// Baselines and extra bits of the codes for lengths, and the probabilities that need no description.
const LITERAL_BASES: usize = memory.data<u32>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024,
  2048, 4096, 8192, 16384, 32768, 65536,
]);
const LITERAL_EXTRA: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
]);
const MATCH_BASES: usize = memory.data<u32>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
  34, 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539,
]);
const MATCH_EXTRA: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3,
  3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
]);
const LITERAL_DEFAULTS: usize = memory.data<i8>([
  4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
]);
const MATCH_DEFAULTS: usize = memory.data<i8>([
  1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
]);
const OFFSET_DEFAULTS: usize = memory.data<i8>([
  1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
]);

const LITERAL_TABLE: usize = memory.data(512 * 4, 16);
const OFFSET_TABLE: usize = memory.data(256 * 4, 16);
const MATCH_TABLE: usize = memory.data(512 * 4, 16);
const NO_TABLE: u32 = 0xff;
let literalLog: u32 = NO_TABLE;
let offsetLog: u32 = NO_TABLE;
let matchLog: u32 = NO_TABLE;

let frameStart: usize = 0;
let windowSize: u32 = 0;
let literalBuffer: usize = 0;
/** The offsets used last, latest first. */
let offset1: u32 = 0;
let offset2: u32 = 0;
let offset3: u32 = 0;

/** `buffer`: room for the literals of a block, with slack. */
export function zstdBegin(window: u32, buffer: usize): void {
  windowSize = window;
  literalBuffer = buffer;
  literalLog = NO_TABLE;
  offsetLog = NO_TABLE;
  matchLog = NO_TABLE;
  forgetHuffman();
  offset1 = 1;
  offset2 = 4;
  offset3 = 8;
}

let literals: usize = 0;
let literalsEnd: usize = 0;

/**
 * Decodes a compressed block to `out` and returns its size; −1 if it is damaged. `first` is the address of the oldest byte
 * of the frame that is still there. Reads and writes up to 32 bytes past the ends.
 */
export function zstdBlock(start: usize, end: usize, out: usize, first: usize): i32 {
  frameStart = first;
  const sequences = readLiterals(start, end);
  return sequences == 0 ? DAMAGED : runSequences(sequences, end, out);
}

/** Returns the address behind the literals; 0 if they cannot be. */
function readLiterals(start: usize, end: usize): usize {
  const type = load<u8>(start) & 3;
  const form: u32 = (load<u8>(start) >> 2) & 3;
  if (type < 2) {
    const headSize: u32 = form & 1 ? (form == 1 ? 2 : 3) : 1;
    const size = form & 1 ? (load<u32>(start) >> 4) & (form == 1 ? 0xfff : 0xfffff) : <u32>load<u8>(start) >> 3;
    const at = start + headSize;
    if (size > MOST) return 0;
    literals = type == 0 ? at : literalBuffer;
    literalsEnd = literals + size;
    const behind = at + <usize>(type == 0 ? size : 1);
    if (behind > end) return 0;
    if (type == 1) memory.fill(literals, load<u8>(at), size);
    return behind;
  }
  const width: u32 = form < 2 ? 10 : form == 2 ? 14 : 18;
  const head = load<u64>(start) >> 4;
  const size = <u32>head & ((1 << width) - 1);
  let at = start + (form < 2 ? 3 : form + 2);
  const behind = at + (<u32>(head >> width) & ((1 << width) - 1));
  if (size > MOST || behind > end) return 0;
  if (type == 2) at = readHuffman(at, behind);
  if (at == 0 || huffmanLog == 0) return 0;
  literals = literalBuffer;
  literalsEnd = literals + size;
  const isWhole = form == 0 ? decodeStream(at, behind, literals, size) : decodeFourStreams(at, behind, size);
  return isWhole ? behind : 0;
}

function decodeFourStreams(start: usize, end: usize, size: u32): bool {
  const second = start + 6 + load<u16>(start);
  const third = second + load<u16>(start, 2);
  const fourth = third + load<u16>(start, 4);
  const part = (size + 3) >> 2;
  if (fourth > end || part * 3 > size) return false;
  return (
    decodeStream(start + 6, second, literals, part) &&
    decodeStream(second, third, literals + part, part) &&
    decodeStream(third, fourth, literals + part * 2, part) &&
    decodeStream(fourth, end, literals + part * 3, size - part * 3)
  );
}

/** Whether the stream holds just so many symbols. */
function decodeStream(start: usize, end: usize, out: usize, size: u32): bool {
  let bit = streamBits(start, end);
  if (bit < 0) return false;
  const log = huffmanLog;
  const mask: u64 = (1 << log) - 1;
  const outEnd = out + size;
  // Four codes of at most 11 bits are in one load.
  while (bit >= 44 && outEnd - out >= 4) {
    const from = bit - 44;
    const bits = load<u64>(start + (from >> 3)) >> (from & 7);
    let left: u32 = 44;
    for (let i: usize = 0; i < 4; i++) {
      const entry: u32 = load<u16>(HUFFMAN + ((<usize>((bits >> (left - log)) & mask)) << 1));
      store<u8>(out + i, <u8>entry);
      left -= entry >> 8;
    }
    bit = from + left;
    out += 4;
  }
  while (out < outEnd) {
    if (bit <= 0) return false;
    // The last codes may be shorter than what is looked at: zeros follow.
    const index = bit >= <i32>log ? bitsAt(start, bit - log, log) : bitsAt(start, 0, bit) << (log - bit);
    const entry: u32 = load<u16>(HUFFMAN + (index << 1));
    store<u8>(out++, <u8>entry);
    bit -= entry >> 8;
  }
  return bit == 0;
}

function runSequences(at: usize, end: usize, out: usize): i32 {
  const outStart = out;
  const outEnd = out + MOST;
  if (at >= end) return DAMAGED;
  let count: u32 = load<u8>(at++);
  if (count == 255) {
    count = <u32>load<u16>(at) + 0x7f00;
    at += 2;
  } else if (count > 127) count = ((count - 128) << 8) + load<u8>(at++);
  if (count > 0) {
    at = readTables(at, end);
    if (at == 0) return DAMAGED;
    out = copySequences(at, end, count, out, outEnd);
    if (out == 0) return DAMAGED;
  } else if (at != end) return DAMAGED;
  const rest = literalsEnd - literals;
  if (rest > outEnd - out) return DAMAGED;
  memory.copy(out, literals, rest);
  return <i32>(out + rest - outStart);
}

function readTables(at: usize, end: usize): usize {
  if (at >= end) return 0;
  const modes: u32 = load<u8>(at++);
  if (modes & 3) return 0;
  at = readTable(modes >> 6, at, end, LITERAL_TABLE, literalLog, LITERAL_DEFAULTS, 36, 36, 6, 9);
  literalLog = tableLog;
  if (at == 0) return 0;
  at = readTable((modes >> 4) & 3, at, end, OFFSET_TABLE, offsetLog, OFFSET_DEFAULTS, 29, 32, 5, 8);
  offsetLog = tableLog;
  if (at == 0) return 0;
  at = readTable((modes >> 2) & 3, at, end, MATCH_TABLE, matchLog, MATCH_DEFAULTS, 53, 53, 6, 9);
  matchLog = tableLog;
  return at;
}

/** Leaves the log of the table in `tableLog`. */
function readTable(
  mode: u32,
  at: usize,
  end: usize,
  table: usize,
  presentLog: u32,
  defaults: usize,
  defaultCount: u32,
  symbols: u32,
  defaultLog: u32,
  maxLog: u32,
): usize {
  if (mode == 3) {
    keepLog(presentLog);
    return presentLog == NO_TABLE ? 0 : at;
  }
  if (mode == 1) {
    const symbol: u32 = load<u8>(at++);
    buildSingle(table, symbol);
    return symbol < symbols && at <= end ? at : 0;
  }
  if (mode == 0) setProbabilities(defaults, defaultCount, defaultLog);
  else at = readProbabilities(at, end, symbols - 1, maxLog);
  if (at != 0) buildTable(table);
  return at;
}

/** Returns the address behind what was written; 0 if the sequences cannot be. */
function copySequences(start: usize, end: usize, count: u32, out: usize, outEnd: usize): usize {
  let bit = streamBits(start, end) - <i32>(literalLog + offsetLog + matchLog);
  if (bit < 0) return 0;
  let literalState = bitsAt(start, bit + matchLog + offsetLog, literalLog);
  let offsetState = bitsAt(start, bit + matchLog, offsetLog);
  let matchState = bitsAt(start, bit, matchLog);
  let from = literals;
  for (;;) {
    const literalEntry = load<u32>(LITERAL_TABLE + (literalState << 2));
    const offsetEntry = load<u32>(OFFSET_TABLE + (offsetState << 2));
    const matchEntry = load<u32>(MATCH_TABLE + (matchState << 2));
    const offsetCode = symbolOf(offsetEntry);
    const literalCode = symbolOf(literalEntry);
    const matchCode = symbolOf(matchEntry);
    const literalExtra: u32 = load<u8>(LITERAL_EXTRA + literalCode);
    const matchExtra: u32 = load<u8>(MATCH_EXTRA + matchCode);
    bit -= offsetCode;
    const offsetValue = ((<u32>1) << offsetCode) + bitsAt(start, bit, offsetCode);
    bit -= matchExtra;
    const matchLength = load<u32>(MATCH_BASES + (matchCode << 2)) + bitsAt(start, bit, matchExtra);
    bit -= literalExtra;
    const literalLength = load<u32>(LITERAL_BASES + (literalCode << 2)) + bitsAt(start, bit, literalExtra);
    const offset = nextOffset(offsetValue, literalLength == 0);
    if (bit < 0 || literalLength > <u32>(literalsEnd - from) || literalLength + matchLength > <u32>(outEnd - out))
      return 0;

    copyApart(out, from, literalLength);
    from += literalLength;
    out += literalLength;
    if (offset - 1 >= min(windowSize, <u32>(out - frameStart))) return 0;
    copyMatch(out, offset, matchLength);
    out += matchLength;

    if (--count == 0) break;
    bit -= bitsOf(literalEntry);
    literalState = baseOf(literalEntry) + bitsAt(start, bit, bitsOf(literalEntry));
    bit -= bitsOf(matchEntry);
    matchState = baseOf(matchEntry) + bitsAt(start, bit, bitsOf(matchEntry));
    bit -= bitsOf(offsetEntry);
    offsetState = baseOf(offsetEntry) + bitsAt(start, bit, bitsOf(offsetEntry));
    if (bit < 0) return 0;
  }
  literals = from;
  return bit == 0 ? out : 0;
}

/** The values 1 to 3 stand for offsets used before; without literals in between, for others of them. */
function nextOffset(value: u32, isNext: bool): u32 {
  if (value > 3) {
    offset3 = offset2;
    offset2 = offset1;
    offset1 = value - 3;
    return offset1;
  }
  const which = value + u32(isNext);
  if (which == 1) return offset1;
  const offset = which == 2 ? offset2 : which == 3 ? offset3 : offset1 - 1;
  if (which > 2) offset3 = offset2;
  offset2 = offset1;
  offset1 = offset;
  return offset;
}

/** Copies by 16 bytes, past the end. */
@inline
function copyApart(to: usize, from: usize, size: u32): void {
  for (let i: usize = 0; i < <usize>size; i += 16) v128.store(to + i, v128.load(from + i));
}

/** What is copied may be written by this very copy: an offset of 1 repeats a byte. */
@inline
function copyMatch(to: usize, offset: u32, size: u32): void {
  const from = to - offset;
  if (offset >= 16) copyApart(to, from, size);
  else if (offset >= 8) {
    for (let i: usize = 0; i < <usize>size; i += 8) store<u64>(to + i, load<u64>(from + i));
  } else if (offset == 1) memory.fill(to, load<u8>(from), size);
  else for (let i: usize = 0; i < <usize>size; i++) store<u8>(to + i, load<u8>(from + i));
}
