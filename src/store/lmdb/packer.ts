/** Entries → the same compressed: a few right here, many on a thread of their own, so that deciding goes on. */
import { compress, compressiblePart, withCompressed } from '../record.ts';
import { joinParts, splitParts } from './packet.ts';
import { createThread } from './thread.ts';

interface Unpacked {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** Fewer are done before a message would be there and back. */
const FEWEST_FOR_THREAD = 16;
/** But not where one of them takes milliseconds. */
const LEAST_BYTES_FOR_THREAD = 256 * 1024;

export class Packer {
  readonly #thread = createThread();

  async pack(entries: readonly Unpacked[]): Promise<Uint8Array[]> {
    const parts = entries.map(({ bytes }) => compressiblePart(bytes));
    const compressed = await this.#compressAll(parts);
    return entries.map(({ number, bytes }, at) =>
      parts[at]!.length === 0 ? bytes : withCompressed(number, bytes, compressed[at]!),
    );
  }

  async close(): Promise<void> {
    await this.#thread.end();
  }

  async #compressAll(parts: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    if (parts.length < FEWEST_FOR_THREAD && bytes < LEAST_BYTES_FOR_THREAD)
      return parts.map(part => (part.length === 0 ? part : compress(part)));
    const packet = joinParts(parts);
    return splitParts(await this.#thread.ask('compress', packet, [packet.bytes.buffer]));
  }
}
