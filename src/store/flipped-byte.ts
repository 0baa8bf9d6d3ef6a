/**
 * A CRC-32 that is wrong → the byte that is not as it was written, if it is one alone, and by which bits it differs.
 *
 * A checksum is linear: what it is wrong by depends on the flipped bits and on how many bytes follow them, not on the rest.
 * So it is taken back byte by byte from the end, until it is what one byte alone would give.
 */
import { crcTable } from '../kernel/crc32.ts';

/** No two of them begin with the same byte. */
const BYTE_BY_FIRST = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) BYTE_BY_FIRST[crcTable[byte]! >>> 24] = byte;

/** `wrongBy` is the checksum that is written, xor the one that the bytes have. */
export function flippedByte(length: number, wrongBy: number): { at: number; bits: number } | undefined {
  let crc = wrongBy >>> 0;
  for (let at = length - 1; at >= 0; at--) {
    const bits = BYTE_BY_FIRST[crc >>> 24]!;
    const before = (crc ^ crcTable[bits]!) >>> 0;
    if (before === 0 && bits !== 0) return { at, bits };
    crc = ((before << 8) | bits) >>> 0;
  }
  return undefined;
}
