/** Bytes → CRC-32, the checksum of the bytes we write and one of the fingerprints we show. */

/**
 * CRC-32 as in gzip, zip and PNG (reflected polynomial 0xedb88320), as an unsigned number.
 *
 * @example
 * ```ts
 * crc32(new TextEncoder().encode('fish')).toString(16); // → '3f744433'
 * ```
 */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ crcTable[(crc ^ bytes[at]!) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

/** Of each byte, what it adds to a checksum: the CRC-32 of the byte after nothing. */
export const crcTable: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let entry = byte;
  for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1;
  return entry;
});
