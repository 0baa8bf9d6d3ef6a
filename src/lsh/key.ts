/** The rows of one band → its 64-bit key. The slow, readable twin of what the kernel does. */
import { GOLDEN, mix, u64 } from '../kernel/hash.ts';

/**
 * Each band starts from its own number, so that equal rows in two different bands do not give equal keys,
 * and all bands may share one table.
 */
export function bandKey(band: number, sketch: Uint32Array, positions: Iterable<number>): bigint {
  let key = mix(BigInt(band) + 1n); // + 1: zero is the one number that mix leaves as it is
  for (const position of positions) key = mix(u64((key ^ BigInt(sketch[position]!)) * GOLDEN));
  return key;
}
