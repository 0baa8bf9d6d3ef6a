/** The candidates of one chunk → their sorted shingle sets: the second pass. */

import { SLACK, sinks } from '../../kernel/layout.ts';
import { type LineKernel, withFile } from './line-kernel.ts';

export interface ShingleTask {
  readonly path: string;
  /** Where the lines of the candidates are, in order, and how many shingles they may have. */
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
  readonly shingles: Uint32Array;
}

/** Set i is hashes[starts[i] … starts[i + 1]]. */
export interface ShingleSets {
  readonly starts: Uint32Array;
  readonly hashes: BigUint64Array;
}

export function shingleChunk(kernel: LineKernel, { path, starts, lengths, shingles }: ShingleTask): ShingleSets {
  const count = starts.length;
  const total = shingles.reduce((sum, size) => sum + size, 0);
  const hashes = new BigUint64Array(new SharedArrayBuffer(total * 8));
  const ends = new Uint32Array(new SharedArrayBuffer((count + 1) * 4));
  withFile(path, file => {
    const { input } = kernel;
    const from = starts[0]!;
    const length = starts[count - 1]! + lengths[count - 1]! - from;
    kernel.read(file, input, length, from);
    const kept = Math.ceil((input + length + SLACK) / 16) * 16;
    let used = 0;
    for (let i = 0; i < count; i++) {
      const start = input + starts[i]! - from;
      const size = shingleLine(kernel, start, start + lengths[i]!, kept);
      hashes.set(new BigUint64Array(kernel.buffer, kept, size), used);
      used += size;
      ends[i + 1] = used;
    }
  });
  return { starts: ends, hashes };
}

/** Leaves the sorted set at `kept` and returns its size. */
function shingleLine(kernel: LineKernel, start: number, end: number, kept: number): number {
  kernel.exports.setSink(sinks.keep, kept);
  return kernel.exports.shingleLine(start, end);
}
