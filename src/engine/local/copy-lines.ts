/** Lines of a chunk that stay → the same bytes at their place in the output. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

export interface CopyTask {
  readonly path: string;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
  readonly output: string;
  readonly position: number;
}

const NEWLINE = 0x0a;

export function copyLines({ path, starts, lengths, output, position }: CopyTask): void {
  const last = starts.length - 1;
  const from = starts[0]!;
  const size = starts[last]! + lengths[last]! + 1 - from;
  const buffer = Buffer.allocUnsafe(size);
  const read = readAll(path, buffer, from);
  // The last line of a file may have no newline of its own.
  if (read < size) buffer[read] = NEWLINE;
  writeAll(output, buffer.subarray(0, compact(buffer, starts, lengths, from)), position);
}

/** Moves the lines, each with its newline, to the front; neighbours move together. */
function compact(buffer: Buffer, starts: Float64Array, lengths: Uint32Array, from: number): number {
  let used = 0;
  for (let i = 0; i < starts.length; ) {
    const start = starts[i]! - from;
    let end = start;
    while (i < starts.length && starts[i]! - from === end) end += lengths[i++]! + 1;
    buffer.copyWithin(used, start, end);
    used += end - start;
  }
  return used;
}

function readAll(path: string, buffer: Buffer, position: number): number {
  const file = openSync(path, 'r');
  try {
    let done = 0;
    while (done < buffer.length) {
      const count = readSync(file, buffer, done, buffer.length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  } finally {
    closeSync(file);
  }
}

function writeAll(path: string, bytes: Buffer, position: number): void {
  const file = openSync(path, 'r+');
  try {
    for (let done = 0; done < bytes.length; )
      done += writeSync(file, bytes, done, bytes.length - done, position + done);
  } finally {
    closeSync(file);
  }
}
