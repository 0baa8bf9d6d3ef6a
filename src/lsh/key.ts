/** The rows of one band → its 64-bit key. The slow, readable twin of what the kernel does. */

const MASK = 0xffff_ffff_ffff_ffffn;
/** 2⁶⁴ ÷ the golden ratio, odd: spreads small numbers over all 64 bits. */
export const GOLDEN = 0x9e37_79b9_7f4a_7c15n;
const MIX = 0xd6e8_feb8_6659_fd93n;

/** A bijection of 64-bit numbers in which each bit of the input reaches each bit of the output. */
export function mix64(value: bigint): bigint {
  let x = value & MASK;
  x ^= x >> 32n;
  x = (x * MIX) & MASK;
  x ^= x >> 32n;
  x = (x * MIX) & MASK;
  return x ^ (x >> 32n);
}

/**
 * Each band starts from its own number, so that equal rows in two different bands do not give equal keys,
 * and all bands may share one table.
 */
export function bandKey(band: number, sketch: Uint32Array, positions: Iterable<number>): bigint {
  let key = mix64(BigInt(band) + 1n); // + 1: zero is the one number that mix64 leaves as it is
  for (const position of positions) key = mix64((key ^ BigInt(sketch[position]!)) * GOLDEN);
  return key;
}
