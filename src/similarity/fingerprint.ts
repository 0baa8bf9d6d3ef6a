/** Bytes → content fingerprints that others can check too: byte sum, CRC-32, MD5. The 64-bit signature is the kernel's. */
import { md5 as nobleMd5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** The weakest of the three: texts with the same letters in another order have the same sum. Exact below 2^53, some 35 TB. */
export function byteSum(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at++) sum += bytes[at]!;
  return sum;
}

/** CRC-32 as in gzip, zip and PNG (reflected polynomial 0xedb88320), as an unsigned number. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ crcTable[(crc ^ bytes[at]!) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

/** 32 hex digits. For comparing with other tools only: MD5 can be forged, so nothing here trusts it. */
export function md5(bytes: Uint8Array): string {
  return bytesToHex(nobleMd5(bytes));
}

export interface Checksums {
  readonly byteSum: string;
  readonly crc32: string;
  readonly md5: string;
}

/** As `checksum --json` prints them: lower-case hex without prefix; the sum has as many digits as it needs. */
export function checksumsOf(bytes: Uint8Array): Checksums {
  return { byteSum: byteSum(bytes).toString(16), crc32: hex32(crc32(bytes)), md5: md5(bytes) };
}

/** Eight digits, leading zeros kept. */
export function hex32(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}

/** Sixteen digits, leading zeros kept: shingle hashes and signatures. */
export function hex64(value: bigint): string {
  return BigInt.asUintN(64, value).toString(16).padStart(16, '0');
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let entry = byte;
  for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1;
  return entry;
});
