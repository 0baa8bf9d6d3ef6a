/** Entries → the same compressed: a few right here, many on a thread of their own, so that deciding goes on. */
import { Worker } from 'node:worker_threads';
import { compress, compressiblePart, compressionOf, withCompressed } from '../record.ts';

interface Unpacked {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** Fewer are done before a message would be there and back. */
const FEWEST_FOR_THREAD = 16;

export class Packer {
  #thread: Thread | undefined;

  async pack(entries: readonly Unpacked[]): Promise<Uint8Array[]> {
    const parts = entries.map(({ bytes }) => compressiblePart(bytes));
    const compressed = await this.#compressAll(parts);
    return entries.map(({ number, bytes }, at) =>
      parts[at]!.length === 0 ? bytes : withCompressed(number, bytes, compressed[at]!),
    );
  }

  async close(): Promise<void> {
    await this.#thread?.end();
    this.#thread = undefined;
  }

  async #compressAll(parts: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    if (parts.length < FEWEST_FOR_THREAD) return parts.map(part => (part.length === 0 ? part : compress(part)));
    this.#thread ??= startThread();
    return this.#thread.compress(parts);
  }
}

interface Thread {
  compress(parts: readonly Uint8Array[]): Promise<readonly Uint8Array[]>;
  end(): Promise<unknown>;
}

interface Packet {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each part ends. */
  readonly ends: readonly number[];
}

/** The same settings as in record.ts; as text, since a file of its own would be found neither bundled nor in tests. */
const THREAD = `
const { parentPort } = require('node:worker_threads');
const { brotliCompressSync } = require('node:zlib');
parentPort.on('message', ({ bytes, ends, settings }) => {
  const parts = ends.map((end, at) => {
    const plain = bytes.subarray(at === 0 ? 0 : ends[at - 1], end);
    return plain.length === 0 ? plain : brotliCompressSync(plain, settings[at]);
  });
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  const newEnds = parts.map(part => {
    all.set(part, place);
    place += part.length;
    return place;
  });
  parentPort.postMessage({ bytes: all, ends: newEnds }, [all.buffer]);
});
`;

/** One request at a time. Parts go over and come back in one buffer. */
function startThread(): Thread {
  const worker = new Worker(THREAD, { eval: true });
  worker.unref();
  let waiting: { resolve(packet: Packet): void; reject(error: Error): void } | undefined;
  worker.on('message', (packet: Packet) => waiting?.resolve(packet));
  worker.on('error', error => waiting?.reject(error));
  worker.on('exit', code => waiting?.reject(new Error(`the compressing thread ended with ${code}`)));
  return {
    async compress(parts) {
      const packet = join(parts);
      // A process that has nothing else to do ends, but not while it waits for this.
      worker.ref();
      try {
        const answer = new Promise<Packet>((resolve, reject) => {
          waiting = { resolve, reject };
        });
        worker.postMessage({ ...packet, settings: parts.map(compressionOf) }, [packet.bytes.buffer]);
        return split(await answer);
      } finally {
        worker.unref();
        waiting = undefined;
      }
    },
    end: () => worker.terminate(),
  };
}

function join(parts: readonly Uint8Array[]): Packet {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  const ends = parts.map(part => {
    bytes.set(part, end);
    end += part.length;
    return end;
  });
  return { bytes, ends };
}

function split({ bytes, ends }: Packet): Uint8Array[] {
  return ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
}
