/** Many parts in one piece of memory, which moves between threads without being copied. */
import { compress } from '../record.ts';

export interface Packet {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each part ends. */
  readonly ends: readonly number[];
}

export function joinParts(parts: readonly Uint8Array[]): Packet {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  const ends = parts.map(part => {
    bytes.set(part, end);
    end += part.length;
    return end;
  });
  return { bytes, ends };
}

export function splitParts({ bytes, ends }: Packet): Uint8Array[] {
  return ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
}

/** Each part on its own; an empty one stays empty. */
export function compressPacket(packet: Packet): Packet {
  return joinParts(splitParts(packet).map(part => (part.length === 0 ? part : compress(part))));
}
