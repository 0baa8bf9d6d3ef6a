/** Compressed chunks → the bytes they stand for; what is broken, cut off or a bomb ends in a BrokenInput. */
import { createGunzip } from 'node:zlib';
import { type Codec, CodecError, codecOf } from './codec.ts';
import type { Compression } from './name.ts';

/** The file's content, not the operating system, stops us: a reject, and what came before is used. */
export class BrokenInput extends Error {}

export interface BombLimits {
  /** Output up to this size is never called a bomb: one repeated document may compress 1,000 to 1. */
  readonly freeBytes: number;
  readonly maxRatio: number;
}

const bombLimits: BombLimits = { freeBytes: 256 * 2 ** 20, maxRatio: 500 };

// One slice of input is turned into output before we can look at it: 1 MB a KB with gzip, 32 MB a KB with Zstandard.
const GZIP_SLICE = 64 * 1024;
const ZSTD_SLICE = 4 * 1024;

export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  compression: Exclude<Compression, 'none'>,
  limits: BombLimits = bombLimits,
): AsyncGenerator<Uint8Array> {
  const meter = new Meter(limits);
  const { codec, slice } = await openCodec(compression, meter);
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += slice) {
        const part = chunk.subarray(at, at + slice);
        meter.input += part.length;
        yield* await codec.write(part);
      }
    }
    if (meter.input > 0) yield* await codec.end();
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    yield* error.output;
    throw asBrokenInput(error, compression);
  }
}

class Meter {
  readonly #limits: BombLimits;
  input = 0;
  #output = 0;

  constructor(limits: BombLimits) {
    this.#limits = limits;
  }

  count(bytes: number): void {
    const { freeBytes, maxRatio } = this.#limits;
    this.#output += bytes;
    if (this.#output > freeBytes && this.#output > this.input * maxRatio) {
      throw new BrokenInput(`a decompression bomb: it grows to more than ${maxRatio} times its size`);
    }
  }
}

async function openCodec(compression: 'gzip' | 'zstd', meter: Meter): Promise<{ codec: Codec; slice: number }> {
  const onOutput = (bytes: number) => meter.count(bytes);
  if (compression === 'gzip') return { codec: codecOf(createGunzip(), onOutput), slice: GZIP_SLICE };
  return { codec: await openZstd(onOutput), slice: ZSTD_SLICE };
}

/** Not node:zlib, even where it has Zstandard: Node 22.23 drops every frame after the first, without a word. */
async function openZstd(onOutput: (bytes: number) => void): Promise<Codec> {
  const { Decompress, ZstdErrorCode } = await import('fzstd');
  let output: Uint8Array[] = [];
  const stream = new Decompress(chunk => {
    output.push(chunk);
    onOutput(chunk.length);
  });
  const push = async (chunk: Uint8Array, isLast: boolean) => {
    try {
      stream.push(chunk, isLast);
    } catch (error) {
      throw new CodecError(error, output, (error as { code?: number }).code === ZstdErrorCode.UnexpectedEOF);
    }
    const settled = output;
    output = [];
    return settled;
  };
  return { write: chunk => push(chunk, false), end: () => push(new Uint8Array(0), true) };
}

function asBrokenInput(error: CodecError, compression: string): BrokenInput {
  if (error.cause instanceof BrokenInput) return error.cause;
  if (error.isCutOff) return new BrokenInput(`cut off: the ${compression} data ends too early`);
  return new BrokenInput(`broken ${compression} data: ${error.message}`);
}
