/** Compressed chunks → the bytes they stand for; what is broken, cut off or a bomb ends in a BrokenInput. */
import { createGunzip } from 'node:zlib';
import type { Compression } from '../registry.ts';
import { BrokenInput, CodecError, codecOf } from './codec.ts';
import { openZstd } from './zstd-frames.ts';

interface BombLimits {
  /** Output up to this size is never called a bomb: one repeated document may compress 1,000 to 1. */
  readonly freeBytes: number;
  readonly maxRatio: number;
}

const bombLimits: BombLimits = { freeBytes: 256 * 2 ** 20, maxRatio: 500 };

// gzip turns a slice of input into output before we can look at it: 1 MB a KB at most.
const SLICE = 64 * 1024;

interface Compressed {
  readonly compression: Exclude<Compression, 'none'>;
  /** Gives the same bytes whenever it is called, so that nothing is lost of what stands before damage. */
  readonly open: () => AsyncIterable<Uint8Array>;
}

export async function* decompress(
  { compression, open }: Compressed,
  limits: BombLimits = bombLimits,
): AsyncGenerator<Uint8Array> {
  const meter = new Meter(limits);
  const onOutput = (bytes: number) => meter.count(bytes);
  const codec = compression === 'gzip' ? codecOf(createGunzip(), onOutput) : await openZstd(onOutput);
  let start = 0;
  let given = 0;
  const counted = function* (outputs: Iterable<Uint8Array>) {
    for (const output of outputs) {
      given += output.length;
      yield output;
    }
  };
  try {
    let isOver = false;
    for await (const part of slices(open(), SLICE)) {
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
    if (!error.isCutOff && !(error.cause instanceof BrokenInput)) yield* inflateToDamage(open, start, given);
    throw asBrokenInput(error);
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
  const fresh = (outputs: Iterable<Uint8Array>) =>
    [...outputs].flatMap(output => {
      made += output.length;
      return made > given ? [output.subarray(Math.max(0, output.length - (made - given)))] : [];
    });
  try {
    for await (const part of slices(open(), SLICE)) {
      for (const piece of slicesOf(part, fed + part.length <= from ? SLICE : step)) {
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

function asBrokenInput(error: CodecError): BrokenInput {
  if (error.cause instanceof BrokenInput) return error.cause;
  if (error.isCutOff) return new BrokenInput('cut off: the gzip data ends too early');
  return new BrokenInput(`broken gzip data: ${error.message}`);
}
