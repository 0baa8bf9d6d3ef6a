/** Bytes → content fingerprints that others can check too: byte sum, CRC-32, MD5. The 64-bit signature is the kernel's. */
import { md5 as nobleMd5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { crc32 } from '../kernel/crc32.ts';

export { crc32 };

/**
 * The weakest of the three: texts with the same letters in another order have the same sum. Exact below 2^53, some 35 TB.
 *
 * @example
 * ```ts
 * byteSum(new TextEncoder().encode('fish')); // → 426
 * ```
 */
export function byteSum(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at++) sum += bytes[at]!;
  return sum;
}

/**
 * 32 hex digits. For comparing with other tools only: MD5 can be forged, so nothing here trusts it.
 *
 * @example
 * ```ts
 * md5(new TextEncoder().encode('fish')); // → '83e4a96aed96436c621b9809e258b309'
 * ```
 */
export function md5(bytes: Uint8Array): string {
  return bytesToHex(nobleMd5(bytes));
}

export interface Checksums {
  readonly byteSum: string;
  readonly crc32: string;
  readonly md5: string;
}

/**
 * As `checksum --json` prints them: lower-case hex without prefix; the sum has as many digits as it needs.
 *
 * @example
 * ```ts
 * checksumsOf(new TextEncoder().encode('fish')).byteSum; // → '1aa'
 * ```
 */
export function checksumsOf(bytes: Uint8Array): Checksums {
  return { byteSum: byteSum(bytes).toString(16), crc32: hex32(crc32(bytes)), md5: md5(bytes) };
}

/** Eight digits, leading zeros kept. */
export function hex32(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}

/**
 * Sixteen digits, leading zeros kept: shingle hashes and signatures.
 *
 * @example
 * ```ts
 * hex64(255n); // → '00000000000000ff'
 * ```
 */
export function hex64(value: bigint): string {
  return BigInt.asUintN(64, value).toString(16).padStart(16, '0');
}
