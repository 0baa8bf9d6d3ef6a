/** Descriptions in a Zstandard block → decoding tables: of finite state entropy (FSE), and of Huffman codes. RFC 8878, 4.1 and 4.2. */

// A description that cannot be is told by the address 0. Loads may go past the end of the block; what they got is
// refused afterwards.

/** An entry of an FSE table: symbol | bits to read << 8 | state they are added to << 16. */
@inline
export function symbolOf(entry: u32): u32 {
  return entry & 0xff;
}
@inline
export function bitsOf(entry: u32): u32 {
  return (entry >> 8) & 0xff;
}
@inline
export function baseOf(entry: u32): u32 {
  return entry >> 16;
}

/** Of the description read last: 256 probabilities, −1 for "less than 1", and the table's size as a power of two. */
const PROBABILITIES: usize = memory.data(256 * 2, 16);
let symbolCount: u32 = 0;
export let tableLog: u32 = 0;

/** Reads probabilities and returns the address behind them. */
export function readProbabilities(start: usize, end: usize, maxSymbol: u32, maxLog: u32): usize {
  tableLog = (load<u8>(start) & 15) + 5;
  if (tableLog > maxLog) return 0;
  let bit: u32 = 4;
  let left: u32 = (1 << tableLog) + 1;
  let symbol: u32 = 0;
  while (left > 1) {
    if (symbol > maxSymbol) return 0;
    // A value of 0 … left. The smallest of them take a bit less, as many as the full width has to spare.
    const width: u32 = 32 - clz<u32>(left);
    const spare: u32 = (1 << width) - 1 - left;
    const bits = load<u32>(start + (bit >> 3)) >> (bit & 7);
    let value = bits & ((1 << (width - 1)) - 1);
    if (value < spare) bit += width - 1;
    else {
      value = bits & ((1 << width) - 1);
      if (value >= (<u32>1) << (width - 1)) value -= spare;
      bit += width;
    }
    const probability = <i32>value - 1;
    left -= <u32>abs(probability);
    setProbability(symbol++, probability);
    if (probability != 0) continue;
    for (let more: u32 = 3; more == 3; ) {
      more = (load<u16>(start + (bit >> 3)) >> (bit & 7)) & 3;
      bit += 2;
      for (let i: u32 = 0; i < more && symbol <= maxSymbol; i++) setProbability(symbol++, 0);
      if (symbol > maxSymbol) break;
    }
  }
  symbolCount = symbol;
  const behind = start + ((bit + 7) >> 3);
  return left == 1 && behind <= end ? behind : 0;
}

@inline
function setProbability(symbol: u32, probability: i32): void {
  store<i16>(PROBABILITIES + (symbol << 1), <i16>probability);
}

/** The ones that blocks may refer to without a description. */
export function setProbabilities(from: usize, count: u32, log: u32): void {
  for (let symbol: u32 = 0; symbol < count; symbol++) setProbability(symbol, load<i8>(from + symbol));
  symbolCount = count;
  tableLog = log;
}

const NEXT_STATES: usize = memory.data(256 * 2, 16);

/** Builds the table of the probabilities read last. */
export function buildTable(table: usize): void {
  const size: i32 = 1 << tableLog;
  let high = size - 1;
  for (let symbol: u32 = 0; symbol < symbolCount; symbol++) {
    const probability = load<i16>(PROBABILITIES + (symbol << 1));
    if (probability < 0) store<u32>(table + (high-- << 2), symbol);
    store<u16>(NEXT_STATES + (symbol << 1), <u16>abs<i32>(probability));
  }
  const step = (size >> 1) + (size >> 3) + 3;
  let place: i32 = 0;
  for (let symbol: u32 = 0; symbol < symbolCount; symbol++) {
    for (let i: i32 = load<i16>(PROBABILITIES + (symbol << 1)); i > 0; i--) {
      store<u32>(table + (place << 2), symbol);
      do place = (place + step) & (size - 1);
      while (place > high);
    }
  }
  for (let entry = table; entry < table + (size << 2); entry += 4) {
    const symbol = load<u32>(entry);
    const state = load<u16>(NEXT_STATES + (symbol << 1));
    store<u16>(NEXT_STATES + (symbol << 1), state + 1);
    const bits = tableLog - (31 - clz<u32>(state));
    store<u32>(entry, symbol | (bits << 8) | ((((<u32>state) << bits) - size) << 16));
  }
}

/** A table of one symbol, which takes no bits. */
export function buildSingle(table: usize, symbol: u32): void {
  store<u32>(table, symbol);
  tableLog = 0;
}

/** A table that is there already. */
export function keepLog(log: u32): void {
  tableLog = log;
}

/** Where the bits of a stream that is read from its end begin: above the highest bit set is nothing. −1: no bit is set. */
export function streamBits(start: usize, end: usize): i32 {
  if (end <= start) return -1;
  const last = load<u8>(end - 1);
  return last == 0 ? -1 : <i32>((end - start) << 3) - 8 + (31 - clz<u32>(last));
}

/** The `count` bits from `bit` on, at most 32. */
@inline
export function bitsAt(start: usize, bit: i32, count: u32): u32 {
  return <u32>((load<u64>(start + (bit >> 3)) >> (bit & 7)) & (((<u64>1) << count) - 1));
}

/** An entry for each value of `huffmanLog` bits: symbol | bits of its code << 8. */
export const HUFFMAN: usize = memory.data(2048 * 2, 16);
const MAX_HUFFMAN_LOG: u32 = 11;
/** 0: no table yet. */
export let huffmanLog: u32 = 0;

const WEIGHTS: usize = memory.data(256, 16);
const WEIGHT_TABLE: usize = memory.data(64 * 4, 16);
/** The entry at which the next symbol of each weight begins. */
const WEIGHT_STARTS: usize = memory.data(16 * 4, 16);

export function forgetHuffman(): void {
  huffmanLog = 0;
}

/** Reads the weights of a Huffman code, builds its table, and returns the address behind them. */
export function readHuffman(start: usize, end: usize): usize {
  if (start >= end) return 0;
  const head: u32 = load<u8>(start++);
  let count = head - 127;
  let behind = start + ((count + 1) >> 1);
  if (head < 128) {
    behind = start + head;
    if (behind > end) return 0;
    count = readWeights(start, behind);
  } else {
    if (behind > end) return 0;
    for (let i: u32 = 0; i < count; i++) store<u8>(WEIGHTS + i, (load<u8>(start + (i >> 1)) >> (i & 1 ? 0 : 4)) & 15);
  }
  return count > 0 && buildHuffman(count) ? behind : 0;
}

/** The weights are compressed, by two states that take turns. Returns how many there are; 0: they cannot be. */
function readWeights(start: usize, end: usize): u32 {
  const stream = readProbabilities(start, end, 15, 6);
  if (stream == 0) return 0;
  buildTable(WEIGHT_TABLE);
  let bit = streamBits(stream, end) - <i32>tableLog * 2;
  if (bit < 0) return 0;
  let state = bitsAt(stream, bit + tableLog, tableLog);
  let other = bitsAt(stream, bit, tableLog);
  // 255 at most, as the last of 256 symbols has no weight of its own.
  for (let count: u32 = 0; count < 254; ) {
    const entry = load<u32>(WEIGHT_TABLE + (state << 2));
    store<u8>(WEIGHTS + count++, <u8>symbolOf(entry));
    bit -= bitsOf(entry);
    if (bit < 0) {
      store<u8>(WEIGHTS + count++, <u8>symbolOf(load<u32>(WEIGHT_TABLE + (other << 2))));
      return count;
    }
    state = other;
    other = baseOf(entry) + bitsAt(stream, bit, bitsOf(entry));
  }
  return 0;
}

function buildHuffman(count: u32): bool {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const weight: u32 = load<u8>(WEIGHTS + i);
    if (weight > MAX_HUFFMAN_LOG) return false;
    sum += (1 << weight) >> 1;
  }
  if (sum == 0) return false;
  const log: u32 = 32 - clz<u32>(sum);
  // The last weight is what is missing to a power of two.
  const rest: u32 = (1 << log) - sum;
  if (log > MAX_HUFFMAN_LOG || popcnt<u32>(rest) != 1) return false;
  store<u8>(WEIGHTS + count, <u8>(32 - clz<u32>(rest)));
  memory.fill(WEIGHT_STARTS, 0, 64);
  for (let i: u32 = 0; i <= count; i++) {
    const weight: u32 = load<u8>(WEIGHTS + i);
    const next = WEIGHT_STARTS + ((weight + 1) << 2);
    if (weight > 0) store<u32>(next, load<u32>(next) + ((1 << weight) >> 1));
  }
  for (let weight: u32 = 1; weight <= log; weight++) {
    const here = WEIGHT_STARTS + (weight << 2);
    store<u32>(here, load<u32>(here) + load<u32>(here - 4));
  }
  for (let symbol: u32 = 0; symbol <= count; symbol++) {
    const weight: u32 = load<u8>(WEIGHTS + symbol);
    if (weight == 0) continue;
    const entry = symbol | ((log + 1 - weight) << 8);
    const first = load<u32>(WEIGHT_STARTS + (weight << 2));
    const end = first + ((1 << weight) >> 1);
    for (let i = first; i < end; i++) store<u16>(HUFFMAN + (i << 1), <u16>entry);
    store<u32>(WEIGHT_STARTS + (weight << 2), end);
  }
  huffmanLog = log;
  return true;
}
