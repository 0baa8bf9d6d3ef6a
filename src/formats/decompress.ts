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

export interface Compressed {
  readonly compression: Exclude<Compression, 'none'>;
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Whether `open` gives the same bytes again: only then is nothing lost of what stands before damage. */
  readonly canReopen: boolean;
}

export async function* decompress(
  { compression, open, canReopen }: Compressed,
  limits: BombLimits = bombLimits,
): AsyncGenerator<Uint8Array> {
  const meter = new Meter(limits);
  const { codec, slice } = await openCodec(compression, meter);
  let start = 0;
  let given = 0;
  const counted = (outputs: readonly Uint8Array[]) => {
    for (const { length } of outputs) given += length;
    return outputs;
  };
  try {
    let isOver = false;
    for await (const part of slices(open(), slice)) {
      start = meter.input;
      meter.input += part.length;
      if (!isOver) yield* counted(await codec.write(part));
      const used: number = isOver ? start : (codec.used?.() ?? meter.input);
      isOver = used < meter.input;
      // gzip(1) and tape tools pad with zeros, and so may anybody; anything else is not ours to pass over.
      const odd = isOver ? part.subarray(used - start).findIndex(byte => byte !== 0) : -1;
      if (odd >= 0) throw new BrokenInput(bytesBehind(used + odd));
    }
    if (meter.input > 0 && !isOver) yield* await codec.end();
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    yield* counted(error.output);
    if (compression === 'gzip' && canReopen && !error.isCutOff && !(error.cause instanceof BrokenInput))
      yield* inflateToDamage(open, start, given);
    throw asBrokenInput(error, compression);
  }
}

/**
 * Node drops up to 16 KB of output when a write fails. So everything is inflated again, from `from` on in steps of so
 * many bytes, the last time of one: all that is readable comes out, and the damage has a place.
 */
async function* inflateToDamage(
  open: Compressed['open'],
  from: number,
  given: number,
  steps: readonly number[] = [256, 1],
): AsyncGenerator<Uint8Array> {
  const [step = 1, ...finer] = steps;
  const codec = codecOf(createGunzip());
  let [fed, made] = [0, 0];
  const fresh = (outputs: readonly Uint8Array[]) =>
    outputs.flatMap(output => {
      made += output.length;
      return made > given ? [output.subarray(Math.max(0, output.length - (made - given)))] : [];
    });
  try {
    for await (const part of slices(open(), GZIP_SLICE)) {
      for (const piece of slicesOf(part, fed + part.length <= from ? GZIP_SLICE : step)) {
        yield* fresh(await codec.write(piece));
        fed += piece.length;
      }
    }
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    yield* fresh(error.output);
    if (finer.length > 0) yield* inflateToDamage(open, fed, Math.max(made, given), finer);
    const isHeader = /header check|compression method|header flags/.test(error.message);
    if (!isHeader) throw new BrokenInput(`broken gzip data near byte ${fed + 1}: ${error.message}`);
    throw new BrokenInput(fed < GZIP_HEADER ? 'not gzip data' : bytesBehind(fed));
  }
}

const GZIP_HEADER = 10;

function bytesBehind(byte: number): string {
  return `bytes after the end of the gzip data (near byte ${byte + 1})`;
}

async function* slices(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield* slicesOf(chunk, size);
}

function* slicesOf(chunk: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size);
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
