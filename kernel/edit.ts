/**
 * Two arrays of symbols and a limit → their edit distance, if it is not above the limit.
 *
 * The table of distances is computed 256 rows (a strip) at a time, in the differences of neighbouring cells, 64 of them in
 * a word (Myers, Hyyrö). Of each strip only the columns are visited from which the end can still be reached within the
 * limit: D(i, j) + bound(i, j) ≤ limit, where `bound` never exceeds what the rest costs.
 *
 *            columns of b →
 *          +1 +1 +1 +1 +1 …      DELTAS: the row above the strip, as differences between columns
 *     ↓    ┌──────────────┐
 *   rows   │ block 0      │      lane 0 of x, at column t
 *   of a   │ block 1      │      lane 1 of x, at column t − 1
 *          │ block 2      │      lane 0 of y, at column t − 2
 *          │ block 3      │      lane 1 of y, at column t − 3
 *          └──────────────┘      the row below goes back to DELTAS
 *
 * Outside of what is visited a cell counts as its neighbour + 1, which is never below the truth. So each value is an upper
 * bound, and exact on every path that stays within the limit.
 */

/** Rows of a strip. */
export const STRIP: i32 = 256;
/** Bytes of the masks of one symbol: one word for each block. */
export const MASKS_OF_SYMBOL: usize = 32;
/** A symbol that is in no text, behind all code points and the one that fills up both texts. */
const NEVER: usize = 0x110001;

/** Work so far, in blocks of 64 cells or what takes as long: about 1.8 ns each. */
let work: f64 = 0;

export function editWork(): f64 {
  return work;
}

export function addWork(blocks: i32): void {
  work += <f64>blocks;
}

const PLUS: i32 = 1;
const MINUS: i32 = 2;

/**
 * a and b: symbols of 32 bits; the length of a is a multiple of 256, and behind b there is room for 4 symbols more.
 * masks: 32 bytes for each symbol, all 0, before and after. deltas: a byte for each column of b, and 8 more.
 * bounds: for each strip of a, and its end, the least that the rows from there on cost.
 * slack: columns that are so much worse than the best of their row are left out, too; what is found is then only an upper
 * bound. Returns −1 when nothing within the limit is found.
 */
export function editDistance(
  a: usize,
  countA: i32,
  b: usize,
  countB: i32,
  masks: usize,
  deltas: usize,
  bounds: usize,
  limit: i32,
  slack: i32,
): i32 {
  for (let i = 0; i < 4; i++) store<u32>(b + ((<usize>(countB + i)) << 2), <u32>NEVER);
  memory.fill(deltas, <u8>PLUS, <usize>countB + 8);
  // The columns of the row above the strip that count, and its value at the first of them.
  let first: i32 = 0;
  let last = min(countB, limit);
  let value: i32 = 0;
  // What a path may cost to be followed; less than the limit if there is a slack.
  let most = followed(abs(countA - countB), slack, limit);
  for (let top: i32 = 0; top < countA; top += STRIP) {
    const rows = a + ((<usize>top) << 2);
    setMasks(masks, rows);
    const bottom = top + STRIP;
    const atLeast = load<i32>(bounds + ((<usize>(bottom / STRIP)) << 2));
    // What the columns to the right of the last one cost at least on their way back to the diagonal of the end.
    const toDiagonal = countA - bottom - countB;

    let positiveX = i64x2.splat(-1);
    let negativeX = i64x2.splat(0);
    let positiveY = i64x2.splat(-1);
    let negativeY = i64x2.splat(0);
    let outX = i64x2.splat(0);
    let outY = i64x2.splat(0);
    const one = i64x2.splat(1);
    const two = i64x2.splat(2);
    let symbol1 = masks + NEVER * MASKS_OF_SYMBOL;
    let symbol2 = symbol1;
    let symbol3 = symbol1;
    let bottomValue = value + STRIP;
    const reach = min(limit, most + STRIP);
    // Column of block 3, the last to be done.
    let column = first - 3;
    while (first < countB) {
      const symbol0 = masks + <usize>load<u32>(b + ((<usize>(column + 3)) << 2)) * MASKS_OF_SYMBOL;
      const equalX = v128.load_lane<u64>(symbol1, v128.load64_zero(symbol0), 1, 8);
      const equalY = v128.load_lane<u64>(symbol3, v128.load64_zero(symbol2, 16), 1, 24);
      symbol3 = symbol2;
      symbol2 = symbol1;
      symbol1 = symbol0;
      const above = i64x2.splat(<i64>load<u8>(deltas + <usize>(column + 4)));
      const inX = v128.shuffle<u64>(outX, above, 2, 0);
      const inY = v128.shuffle<u64>(outX, outY, 1, 2);

      const minusX = i64x2.shr_u(inX, 1);
      const eitherX = v128.or(equalX, negativeX);
      const matchX = v128.or(equalX, minusX);
      const diagonalX = v128.or(v128.xor(i64x2.add(v128.and(matchX, positiveX), positiveX), positiveX), matchX);
      const upX = v128.or(negativeX, v128.not(v128.or(diagonalX, positiveX)));
      const downX = v128.and(positiveX, diagonalX);
      outX = v128.or(i64x2.shr_u(upX, 63), v128.and(i64x2.shr_u(downX, 62), two));
      const rightX = v128.or(i64x2.shl(upX, 1), v128.and(inX, one));
      positiveX = v128.or(v128.or(i64x2.shl(downX, 1), minusX), v128.not(v128.or(eitherX, rightX)));
      negativeX = v128.and(rightX, eitherX);

      const minusY = i64x2.shr_u(inY, 1);
      const eitherY = v128.or(equalY, negativeY);
      const matchY = v128.or(equalY, minusY);
      const diagonalY = v128.or(v128.xor(i64x2.add(v128.and(matchY, positiveY), positiveY), positiveY), matchY);
      const upY = v128.or(negativeY, v128.not(v128.or(diagonalY, positiveY)));
      const downY = v128.and(positiveY, diagonalY);
      outY = v128.or(i64x2.shr_u(upY, 63), v128.and(i64x2.shr_u(downY, 62), two));
      const rightY = v128.or(i64x2.shl(upY, 1), v128.and(inY, one));
      positiveY = v128.or(v128.or(i64x2.shl(downY, 1), minusY), v128.not(v128.or(eitherY, rightY)));
      negativeY = v128.and(rightY, eitherY);

      column++;
      if (column <= first) continue;
      const delta = <i32>i64x2.extract_lane(outY, 1);
      store<u8>(deltas + <usize>column, <u8>delta);
      bottomValue += change(delta);
      if (column < last) continue;
      if (column == countB) break;
      // No cell of this column is below the one at the bottom by more than the rows between.
      if (bottomValue - (STRIP - 1) + max(atLeast, toDiagonal + column) > reach) break;
    }
    if (first == countB) column = countB;
    clearMasks(masks, rows);
    addWork((column - first) * (STRIP / 64));

    if (slack < limit) most = followed(bestOf(deltas, first, column, value + STRIP, toDiagonal, atLeast), slack, limit);
    // Columns that cannot reach the end go, at both sides; behind the last one the next strip expects +1.
    last = column;
    while (last >= first && bottomValue + max(atLeast, abs(toDiagonal + last)) > most) {
      bottomValue -= change(<i32>load<u8>(deltas + <usize>last));
      store<u8>(deltas + <usize>last, <u8>PLUS);
      last--;
    }
    if (last < first) return -1;
    value += STRIP;
    while (value + max(atLeast, abs(toDiagonal + first)) > most)
      value += change(<i32>load<u8>(deltas + <usize>++first));
    if (bottom == countA) return last == countB ? bottomValue : -1;
  }
  return -1;
}

@inline
function followed(best: i32, slack: i32, limit: i32): i32 {
  return slack < limit ? min(limit, best + slack) : limit;
}

@inline
function change(delta: i32): i32 {
  return (delta & PLUS) - (delta >> 1);
}

/** The least that a path through the row can cost in all. */
function bestOf(deltas: usize, first: i32, end: i32, value: i32, toDiagonal: i32, atLeast: i32): i32 {
  let best = value + max(atLeast, abs(toDiagonal + first));
  for (let column = first + 1; column <= end; column++) {
    value += change(<i32>load<u8>(deltas + <usize>column));
    best = min(best, value + max(atLeast, abs(toDiagonal + column)));
  }
  return best;
}

export function setMasks(masks: usize, rows: usize): void {
  for (let row: usize = 0; row < <usize>STRIP; row++) {
    const mask = masks + <usize>load<u32>(rows + (row << 2)) * MASKS_OF_SYMBOL + ((row >> 6) << 3);
    store<u64>(mask, load<u64>(mask) | ((<u64>1) << (row & 63)));
  }
}

export function clearMasks(masks: usize, rows: usize): void {
  for (let row: usize = 0; row < <usize>STRIP; row++) {
    const mask = masks + <usize>load<u32>(rows + (row << 2)) * MASKS_OF_SYMBOL;
    v128.store(mask, i64x2.splat(0));
    v128.store(mask, i64x2.splat(0), 16);
  }
}
