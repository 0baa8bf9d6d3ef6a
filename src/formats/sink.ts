/** Bytes → a file or standard output, compressed if asked, in large writes. */
import { readFileSync, readlinkSync } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { createGzip } from 'node:zlib';
import { fail } from '../errors.ts';
import { closeOrAbort } from '../files/close-or-abort.ts';
import { failWriting } from '../files/system-errors.ts';
import { inPlace, type Temporary, temporaryFor } from '../files/temporary.ts';
import { createChecksum } from '../kernel/xxhash.ts';
import { type Codec, codecOf } from './compression/codec.ts';
import { readName } from './name.ts';
import type { Compression } from './registry.ts';

export const STANDARD_OUTPUT = '-';

export interface Sink {
  write(bytes: Uint8Array | string): Promise<void>;
  /** What was written so far goes out now, as far as compression lets it. */
  flush(): Promise<void>;
  /** What was flushed survives a power cut, where it goes to a file. */
  sync(): Promise<void>;
  /** All is written, and the file appears. */
  close(): Promise<void>;
  /** Nothing appears. */
  abort(): Promise<void>;
}

const BUFFER = 256 * 1024;
const WRITTEN = Promise.resolve();
/** Bytes compressed by themselves: more would compress better, but wait in memory. */
const ZSTD_FRAME = 4 * 2 ** 20;
/** The byte of a frame behind its magic number. */
const DESCRIPTOR = 4;
const HAS_CHECKSUM = 4;

export async function openSink(path: string, compression: Compression = 'none'): Promise<Sink> {
  const codec = compression === 'none' ? undefined : await openCompressor(compression);
  const output = path === STANDARD_OUTPUT ? standardOutput() : await openFile(path, await temporaryFor(path));
  return new BufferedSink(output, codec);
}

/** A result that is made in one piece, such as a page or a picture. The name tells whether it is compressed. */
export async function writeWhole(path: string, content: string): Promise<void> {
  const sink = await openSink(path, readName(path).compression);
  await sink.write(content);
  await sink.close();
}

/** What is flushed is in the file, whatever becomes of the process; so it must not replace another file. */
export async function openSinkInPlace(path: string): Promise<Sink> {
  if (path === STANDARD_OUTPUT) {
    requireOpenOutput();
    return new BufferedSink(standardOutput(), undefined);
  }
  const before = await stat(path).catch(() => undefined);
  if (before?.isFile() && before.size > 0)
    fail('CANNOT_WRITE', { file: path, reason: 'it exists already, and what was passed on must not be lost' });
  const discard = async () => {
    const written = await stat(path).catch(() => undefined);
    if (!before && written?.isFile() && written.size === 0) await rm(path);
  };
  return new BufferedSink(await openFile(path, { ...inPlace(path), discard }), undefined);
}

/** Node opens /dev/null, for reading and writing, instead of a closed output; a shell's `> /dev/null` only writes. */
function requireOpenOutput(): void {
  let isReplaced = false;
  try {
    isReplaced =
      readlinkSync('/proc/self/fd/1') === '/dev/null' &&
      /^flags:\s*\d*2$/m.test(readFileSync('/proc/self/fdinfo/1', 'utf8'));
  } catch {} // there is no /proc
  if (isReplaced)
    fail('CANNOT_WRITE', { file: 'standard output', reason: 'it is closed; to drop the documents, -o /dev/null' });
}

type Output = Pick<Sink, 'sync' | 'close' | 'abort'> & { write(bytes: Uint8Array): Promise<void> };

class BufferedSink implements Sink {
  readonly #output: Output;
  readonly #codec: Codec | undefined;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(output: Output, codec: Codec | undefined) {
    this.#output = output;
    this.#codec = codec;
  }

  /** Not async: a promise of its own for each of millions of lines would take most of the time. */
  write(bytes: Uint8Array | string): Promise<void> {
    const part = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    this.#parts.push(part);
    this.#size += part.length;
    return this.#size >= BUFFER ? this.flush() : WRITTEN;
  }

  async close(): Promise<void> {
    await closeOrAbort(this.#output, async () => {
      await this.flush();
      for (const chunk of (await this.#codec?.end()) ?? []) await this.#output.write(chunk);
    });
  }

  sync(): Promise<void> {
    return this.#output.sync();
  }

  abort(): Promise<void> {
    return this.#output.abort();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#parts, this.#size);
    this.#parts = [];
    this.#size = 0;
    for (const chunk of this.#codec ? await this.#codec.write(bytes) : [bytes]) await this.#output.write(chunk);
  }
}

async function openFile(target: string, temporary: Temporary): Promise<Output> {
  const handle: FileHandle = await open(temporary.path, 'w').catch(error => failWriting(target, error));
  return {
    write: async bytes => {
      // One call may write less than all: a disk that fills up fails only at the next one.
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, at).catch(error => failWriting(target, error));
        at += bytesWritten;
      }
    },
    sync: async () => {
      // Pipes and devices cannot be synced.
      if ((await handle.stat()).isFile()) await handle.datasync().catch(error => failWriting(target, error));
    },
    close: async () => {
      await handle.close();
      await temporary.commit();
    },
    abort: async () => {
      await handle.close().catch(() => {}); // a failed close may have closed it
      await temporary.discard();
    },
  };
}

function standardOutput(): Output {
  // A reader that went away is told to whoever writes next; without this listener it would end the process.
  process.stdout.off('error', ignore).on('error', ignore);
  return {
    write: bytes =>
      new Promise<void>((resolve, reject) => {
        process.stdout.write(bytes, error => (error ? reject(error) : resolve()));
      }).catch(error => failWriting('standard output', error)),
    sync: async () => {},
    close: async () => {},
    abort: async () => {},
  };
}

function ignore(): void {}

/** The same package on every Node version, so that the same bytes come out. */
async function openCompressor(compression: 'gzip' | 'zstd'): Promise<Codec> {
  return compression === 'gzip' ? codecOf(createGzip()) : openZstd();
}

/**
 * Frames one after the other are a Zstandard file too, so no state has to live in the package between calls. The package
 * leaves out the checksum; a bit of the frame's header says that it is there, and it stands at the end.
 */
async function openZstd(): Promise<Codec> {
  const { Zstd } = await import('@hpcc-js/wasm-zstd');
  const [zstd, checksumOf] = await Promise.all([Zstd.load(), createChecksum()]);
  let parts: Uint8Array[] = [];
  let size = 0;
  const frame = () => {
    const bytes = Buffer.concat(parts, size);
    parts = [];
    size = 0;
    const compressed = Buffer.concat([zstd.compress(bytes), Buffer.alloc(4)]);
    compressed[DESCRIPTOR]! |= HAS_CHECKSUM;
    compressed.writeUInt32LE(checksumOf(bytes), compressed.length - 4);
    return compressed;
  };
  return {
    write: async chunk => {
      parts.push(chunk);
      size += chunk.length;
      return size >= ZSTD_FRAME ? [frame()] : [];
    },
    end: async () => [frame()],
  };
}
