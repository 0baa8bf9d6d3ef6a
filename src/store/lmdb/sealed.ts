/** Bytes ↔ the same with their checksum in front. */
import { crc32 } from 'node:zlib';

/** `where` is part of what is checked: bytes that turn up in another place are damaged, too. */
export function seal(bytes: Uint8Array, where: number | string): Buffer {
  const sealed = Buffer.alloc(4 + bytes.length);
  sealed.set(bytes, 4);
  sealed.writeUInt32LE(checksum(bytes, where), 0);
  return sealed;
}

/** Undefined when a byte is not as it was written. */
export function unseal(sealed: Buffer, where: number | string): Buffer | undefined {
  if (sealed.length < 4) return undefined;
  const bytes = sealed.subarray(4);
  return sealed.readUInt32LE(0) === checksum(bytes, where) ? bytes : undefined;
}

function checksum(bytes: Uint8Array, where: number | string): number {
  return crc32(bytes, typeof where === 'number' ? where : crc32(where));
}
