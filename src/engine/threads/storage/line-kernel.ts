/** A kernel set up for lines of a run: reads parts of files straight into its memory. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { ReadOptions } from '../../../formats/item.ts';
import { instantiateKernel, type KernelExports, type KernelInstance } from '../../../kernel/exports.ts';
import { NAME_ROOM, SLACK, units } from '../../../kernel/layout.ts';
import { positionsOf } from '../../../lsh/positions.ts';
import type { ResolvedLsh } from '../../../lsh/tune.ts';
import { type ShortTexts, shortTextsOf } from '../../analyse/short-texts.ts';
import type { RunOptions } from '../../run-options.ts';

export class LineKernel {
  readonly exports: KernelExports;
  readonly #instance: KernelInstance;
  /** The start of the free memory: file bytes come here. */
  readonly input: number;
  /** A record has room for so many keys besides those of bands. */
  longestPrefix = 0;

  constructor(instance: KernelInstance, { textField, idField }: ReadOptions, options: RunOptions) {
    this.#instance = instance;
    this.exports = instance.exports;
    const { sketch, seed, shingle, normalise, resolvedLsh } = options;
    this.exports.setSketch(BigInt(seed), resolvedLsh ? sketch.size : 1);
    this.exports.setShingle(units[shingle.unit], shingle.size, normalise.includes('keep-case') ? 1 : 0);
    if (resolvedLsh && fitsKernel(resolvedLsh)) {
      const positions = positionsOf(resolvedLsh, sketch.size, seed);
      this.exports.setBands(resolvedLsh.bands, resolvedLsh.rows);
      new Uint32Array(this.buffer, this.exports.bandPositions(), positions.length).set(positions);
    }
    this.#setShortTexts(shortTextsOf(options));
    this.#setField(0, textField);
    this.#setField(1, idField);
    this.input = this.exports.heapStart();
  }

  #setShortTexts(short: ShortTexts | undefined): void {
    if (!short) return;
    this.longestPrefix = Math.max(...short.prefixes);
    this.exports.setFew(short.below, short.bandsFrom);
    this.exports.setPrefixes(this.longestPrefix);
    this.bytes(0, this.buffer.byteLength).set(short.prefixes, this.exports.prefixLengths());
  }

  /** Detached whenever the memory grows: ask again after each call that may. */
  get buffer(): ArrayBuffer {
    return this.#instance.memory.buffer;
  }

  bytes(start: number, end: number): Uint8Array {
    return new Uint8Array(this.buffer, start, end - start);
  }

  /** The next line feed in start … end, or end. */
  findNewline(start: number, end: number): number {
    // Addresses past 2 GB come back as negative numbers.
    return this.exports.findNewline(start, end) >>> 0;
  }

  /** Reads `length` bytes of the file from `position` to the address; returns how many there were. */
  read(file: number, address: number, length: number, position: number): number {
    this.exports.ensureMemory(address + length + SLACK);
    let done = 0;
    while (done < length) {
      const count = readSync(file, this.bytes(address + done, address + length), 0, length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  /** Copies a line to the address. */
  put(line: Uint8Array, address: number): void {
    this.exports.ensureMemory(address + line.length + SLACK);
    this.bytes(address, address + line.length).set(line);
  }

  #setField(field: number, name: string): void {
    const bytes = new TextEncoder().encode(name);
    // Where a name is too long, JavaScript reads the lines.
    if (bytes.length >= NAME_ROOM) return;
    this.bytes(0, this.buffer.byteLength).set(bytes, this.exports.fieldNames() + NAME_ROOM * field);
    this.exports.setField(field, bytes.length);
  }
}

/** kernel/lines.ts has room for so many positions. */
export function fitsKernel({ bands, rows }: ResolvedLsh): boolean {
  return bands * rows <= 2 ** 16;
}

export async function createLineKernel(reading: ReadOptions, options: RunOptions): Promise<LineKernel> {
  return new LineKernel(await instantiateKernel(), reading, options);
}

export function withFile<Result>(path: string, use: (file: number) => Result): Result {
  const file = openSync(path, 'r');
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

export function aligned(address: number): number {
  return Math.ceil(address / 16) * 16;
}
