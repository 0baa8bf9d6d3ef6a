/**
 * Two texts and a limit → for each block of 256 rows, edits that every path within the limit makes in it.
 *
 * A block with e edits keeps at least 256 − q + 1 − q · e of its runs of q symbols (grams), all on diagonals that are at
 * most e apart. So the grams that a block shares with the columns are counted by bins of diagonals:
 *
 *   columns of the noted text →        bin = (column − row − first diagonal) >> shift
 *   ┌──────────────────────────┐
 *   │ ╲   ╲   ╲   ╲   ╲   ╲   ╲│       a band is two neighbouring bins: diagonals that are at most a bin
 *   │  ╲ 0 ╲ 1 ╲ 2 ╲ 3 ╲ 4 ╲ 5 │       apart are together in one of them
 *   └──────────────────────────┘
 *
 * A band with h shared grams costs at least (256 − q + 1 − h) / q edits. The bands that share most are looked at closely: the
 * least distance of the block from any part of their columns. The least of all bands is the bound.
 */
import { addWork, clearMasks, MASKS_OF_SYMBOL, STRIP, setMasks } from './edit';

const BASE: u64 = 0x9e3779b97f4a7c15;
const SPREAD: u64 = 0xd6e8feb86659fd93;

/** Bands of a block that are looked at closely; a repetitive text has many. */
const MOST_BANDS: i32 = 4;
/** What looking up a gram takes besides the shared ones, in blocks of 64 cells. */
const BLOCKS_PER_ROW: i32 = 16;

@inline
function gramAt(text: usize, at: i32, length: i32, bits: i32): usize {
  let hash: u64 = 0;
  for (let i = 0; i < length; i++) hash = hash * BASE + load<u32>(text + ((<usize>(at + i)) << 2));
  return <usize>((hash * SPREAD) >> (64 - bits));
}

/**
 * Counts the grams of a text in 2^bits + 1 words, all 0 before. Grams that share a word only seem to be shared more often,
 * which makes the bound smaller. Returns how many grams a gram equals on average, itself included.
 */
export function countGrams(text: usize, count: i32, length: i32, starts: usize, bits: i32): f64 {
  for (let at = 0; at + length <= count; at++) {
    const entry = starts + (gramAt(text, at, length, bits) << 2);
    store<u32>(entry, load<u32>(entry) + 1);
  }
  let squares: f64 = 0;
  for (let gram = 0; gram < 1 << bits; gram++) {
    const times = <f64>load<u32>(starts + ((<usize>gram) << 2));
    squares += times * times;
  }
  return squares / <f64>count;
}

/** Counts → where the positions of each gram start and end, and the positions, ascending. */
export function placeGrams(text: usize, count: i32, length: i32, starts: usize, bits: i32, positions: usize): void {
  let end: u32 = 0;
  for (let gram = 0; gram <= 1 << bits; gram++) {
    const entry = starts + ((<usize>gram) << 2);
    end += load<u32>(entry);
    store<u32>(entry, end);
  }
  // Each count is the end of its gram; filled from behind it becomes the start.
  for (let at = count - length; at >= 0; at--) {
    const entry = starts + (gramAt(text, at, length, bits) << 2);
    const place = load<u32>(entry) - 1;
    store<u32>(entry, place);
    store<u32>(positions + ((<usize>place) << 2), <u32>at);
  }
}

/**
 * rows, columns, masks, bounds: as in editDistance. columnsStart: where the columns are in the noted text; both may begin
 * with `lead` symbols that are no part of it. cursors: twice 2^bits words. bins: two bytes for each bin and 32 more, twice, and 8 for each row of a strip.
 * work: so many shared grams are looked at; blocks beyond cost nothing.
 * Sets the bounds, all 0 before, to what the blocks cost, and returns the cost of all. Stops as soon as that is above the limit.
 */
export function countBlockEdits(
  rows: usize,
  countRows: i32,
  columns: usize,
  countColumns: i32,
  lead: i32,
  columnsStart: i32,
  starts: usize,
  bits: i32,
  positions: usize,
  length: i32,
  cursors: usize,
  bins: usize,
  shift: i32,
  masks: usize,
  bounds: usize,
  limit: i32,
  work: f64,
): i32 {
  for (let gram: usize = 0; gram < (<usize>1) << bits; gram++)
    store<u64>(cursors + (gram << 3), load<u64>(starts + (gram << 2)));
  const strips = countRows / STRIP;
  // A path leaves the diagonals of its ends by no more than half of the edits that are not spent on getting from one to the other.
  const goal = countColumns - countRows;
  const firstDiagonal = (goal - limit) >> 1;
  const diagonals = ((goal + limit) >> 1) - firstDiagonal + 1;
  const binCount = ((diagonals - 1) >> shift) + 1;
  const sums = bins + ((<usize>binCount * 2 + 32) & ~15);
  const ahead = sums + ((<usize>binCount * 2 + 32) & ~15);
  memory.fill(bins, 0, <usize>binCount * 2 + 32);
  const grams = STRIP - length + 1;
  // More than this no band without shared grams costs; a bound close to it is good enough.
  const enough = ((grams / length) * 7) >> 3;
  let total = 0;
  for (let strip = lead > 0 ? 1 : 0; strip < strips && work > 0; strip++) {
    const top = strip * STRIP;
    // All addresses first: the processor then waits for many of them at once, and not for one after the other.
    for (let i = 0; i < grams; i++) {
      const entry = cursors + (gramAt(rows, top + i, length, bits) << 3);
      const first = load<u32>(positions + ((<usize>load<u32>(entry)) << 2));
      store<u64>(ahead + ((<usize>i) << 3), ((<u64>first) << 32) | entry);
    }
    let looked: i32 = 0;
    for (let i = 0; i < grams; i++) {
      const entry = <usize>load<u32>(ahead + ((<usize>i) << 3));
      const from = top + i + firstDiagonal + columnsStart - lead;
      let at = positions + ((<usize>load<u32>(entry)) << 2);
      const end = positions + ((<usize>load<u32>(entry, 4)) << 2);
      const before = at;
      while (at < end && <i32>load<u32>(at) < from) at += 4;
      if (at != before) store<u32>(entry, <u32>((at - positions) >> 2));
      const first = at;
      for (; at < end; at += 4) {
        const diagonal = <i32>load<u32>(at) - from;
        if (diagonal >= diagonals) break;
        const bin = bins + ((<usize>(diagonal >> shift)) << 1);
        store<u16>(bin, load<u16>(bin) + 1);
      }
      looked += <i32>((at - first) >> 2);
    }
    work -= <f64>looked;
    addWork(looked + STRIP * BLOCKS_PER_ROW);
    let shared = sumBands(bins, binCount, sums);
    let cost = leastCost(shared, grams, length);
    if (cost < enough) {
      const block = rows + ((<usize>top) << 2);
      setMasks(masks, block);
      let closest = STRIP;
      for (let tries = 0; tries < MOST_BANDS && cost < closest; tries++) {
        const band = findBand(sums, shared);
        // With the bins on either side, so that no neighbouring band needs a look of its own.
        const left = top + firstDiagonal + ((band - 1) << shift);
        const right = top + STRIP + firstDiagonal + ((band + 3) << shift);
        closest = min(closest, blockDistance(masks, columns, max(0, left), min(countColumns, right)));
        for (let near = max(0, band - 1); near <= band + 1; near++) store<u16>(sums + ((<usize>near) << 1), 0);
        shared = mostShared(sums, binCount);
        cost = leastCost(shared, grams, length);
      }
      cost = min(cost, closest);
      clearMasks(masks, block);
    }
    store<i32>(bounds + ((<usize>strip) << 2), cost);
    total += cost;
    if (total > limit) return total;
  }
  let rest = 0;
  for (let strip = strips - 1; strip >= 0; strip--) {
    const bound = bounds + ((<usize>strip) << 2);
    rest += load<i32>(bound);
    store<i32>(bound, rest);
  }
  return total;
}

@inline
function leastCost(shared: i32, grams: i32, length: i32): i32 {
  return max(0, (grams - shared + length - 1) / length);
}

/** Bins → bands, and the largest of them; the bins are 0 again. */
function sumBands(bins: usize, count: i32, sums: usize): i32 {
  const zero = i16x8.splat(0);
  let most = zero;
  let left = v128.load(bins);
  for (let i: usize = 0; i < (<usize>count) << 1; i += 16) {
    const next = v128.load(bins + i, 16);
    const sum = i16x8.add(left, v128.shuffle<u16>(left, next, 1, 2, 3, 4, 5, 6, 7, 8));
    v128.store(bins + i, zero);
    v128.store(sums + i, sum);
    most = i16x8.max_u(most, sum);
    left = next;
  }
  return largestOf(most);
}

function mostShared(sums: usize, count: i32): i32 {
  let most = i16x8.splat(0);
  for (let i: usize = 0; i < (<usize>count) << 1; i += 16) most = i16x8.max_u(most, v128.load(sums + i));
  return largestOf(most);
}

@inline
function largestOf(lanes: v128): i32 {
  lanes = i16x8.max_u(lanes, v128.shuffle<u64>(lanes, lanes, 1, 0));
  lanes = i16x8.max_u(lanes, v128.shuffle<u32>(lanes, lanes, 1, 0, 3, 2));
  return max(<i32>i16x8.extract_lane_u(lanes, 0), <i32>i16x8.extract_lane_u(lanes, 1));
}

/** The first band with so many shared grams; there is one. */
function findBand(sums: usize, shared: i32): i32 {
  let band: i32 = 0;
  while (<i32>load<u16>(sums + ((<usize>band) << 1)) != shared) band++;
  return band;
}

/** The least distance of the block whose masks are set from any part of these columns. */
function blockDistance(masks: usize, columns: usize, first: i32, end: i32): i32 {
  let positive0: u64 = -1;
  let positive1: u64 = -1;
  let positive2: u64 = -1;
  let positive3: u64 = -1;
  let negative0: u64 = 0;
  let negative1: u64 = 0;
  let negative2: u64 = 0;
  let negative3: u64 = 0;
  let value = STRIP;
  let least = STRIP;
  for (let column = first; column < end; column++) {
    const equal = masks + <usize>load<u32>(columns + ((<usize>column) << 2)) * MASKS_OF_SYMBOL;
    // The whole column is one number of 256 bits: the sum carries from word to word, the shifts take one bit along.
    const equal0 = load<u64>(equal);
    const equal1 = load<u64>(equal, 8);
    const equal2 = load<u64>(equal, 16);
    const equal3 = load<u64>(equal, 24);
    const match0 = equal0 & positive0;
    const match1 = equal1 & positive1;
    const match2 = equal2 & positive2;
    const match3 = equal3 & positive3;
    const sum0 = match0 + positive0;
    const carry0 = u64(sum0 < match0);
    const sum1 = match1 + positive1 + carry0;
    const carry1 = u64(sum1 < match1 || (carry0 && sum1 == match1));
    const sum2 = match2 + positive2 + carry1;
    const carry2 = u64(sum2 < match2 || (carry1 && sum2 == match2));
    const sum3 = match3 + positive3 + carry2;
    const diagonal0 = (sum0 ^ positive0) | equal0 | negative0;
    const diagonal1 = (sum1 ^ positive1) | equal1 | negative1;
    const diagonal2 = (sum2 ^ positive2) | equal2 | negative2;
    const diagonal3 = (sum3 ^ positive3) | equal3 | negative3;
    const up0 = negative0 | ~(diagonal0 | positive0);
    const up1 = negative1 | ~(diagonal1 | positive1);
    const up2 = negative2 | ~(diagonal2 | positive2);
    const up3 = negative3 | ~(diagonal3 | positive3);
    const down0 = positive0 & diagonal0;
    const down1 = positive1 & diagonal1;
    const down2 = positive2 & diagonal2;
    const down3 = positive3 & diagonal3;
    value += <i32>(up3 >> 63) - <i32>(down3 >> 63);
    least = min(least, value);
    // The row above the block is 0 everywhere: a part may begin at any column.
    const right0 = up0 << 1;
    const right1 = (up1 << 1) | (up0 >> 63);
    const right2 = (up2 << 1) | (up1 >> 63);
    const right3 = (up3 << 1) | (up2 >> 63);
    positive0 = (down0 << 1) | ~(diagonal0 | right0);
    positive1 = (down1 << 1) | (down0 >> 63) | ~(diagonal1 | right1);
    positive2 = (down2 << 1) | (down1 >> 63) | ~(diagonal2 | right2);
    positive3 = (down3 << 1) | (down2 >> 63) | ~(diagonal3 | right3);
    negative0 = right0 & diagonal0;
    negative1 = right1 & diagonal1;
    negative2 = right2 & diagonal2;
    negative3 = right3 & diagonal3;
  }
  // Without the help of SIMD, a column takes twice as long.
  addWork(2 * (STRIP / 64) * (end - first));
  return least;
}
