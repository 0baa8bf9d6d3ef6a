/** Decisions → the lines that stay, byte for byte, in input order: one file is read while the other is written. */
import { type FileHandle, open } from 'node:fs/promises';
import { kept } from '../../cluster/keeping.ts';
import { fail } from '../../errors.ts';
import { failWriting } from '../../formats/system-errors.ts';
import type { Decisions } from './decide-files.ts';
import type { Chunk } from './plan.ts';

const NEWLINE = 0x0a;

export async function copyKept(output: string, chunks: readonly Chunk[], decisions: Decisions): Promise<void> {
  const file = await open(output, 'w').catch(error => failWriting(output, error));
  let writing: Promise<void> = Promise.resolve();
  try {
    // Two buffers take turns: one is filled while the other is written.
    const buffers = [Buffer.alloc(0), Buffer.alloc(0)];
    let turn = 0;
    for (const lines of keptLines(chunks, decisions)) {
      turn = 1 - turn;
      if (buffers[turn]!.length < sizeOf(lines)) buffers[turn] = Buffer.allocUnsafeSlow(sizeOf(lines) + (1 << 20));
      const bytes = await readLines(lines, buffers[turn]!);
      await writing;
      writing = writeAll(file, bytes, output);
      // An error is thrown where it is waited for, not before.
      writing.catch(() => {});
    }
    await writing;
  } finally {
    await writing.catch(() => {});
    await file.close();
  }
}

interface Lines {
  readonly chunk: Chunk;
  readonly starts: number[];
  readonly lengths: number[];
}

function* keptLines(chunks: readonly Chunk[], { columns, keptBy, catalogue }: Decisions): Generator<Lines> {
  let item = 0;
  for (const [i, column] of columns.entries()) {
    const lines: Lines = { chunk: chunks[i]!, starts: [], lengths: [] };
    for (let place = 0; place < column.count; place++, item++) {
      if (item < catalogue.protectedCount || keptBy[item] !== kept || catalogue.repeated[item]) continue;
      lines.starts.push(column.starts[place]!);
      lines.lengths.push(column.lengths[place]!);
    }
    if (lines.starts.length > 0) yield lines;
  }
}

function sizeOf({ starts, lengths }: Lines): number {
  return starts.at(-1)! + lengths.at(-1)! + 1 - starts[0]!;
}

async function readLines(lines: Lines, buffer: Buffer): Promise<Buffer> {
  const { chunk, starts, lengths } = lines;
  const from = starts[0]!;
  const size = sizeOf(lines);
  const file = await open(chunk.path, 'r');
  try {
    let done = 0;
    while (done < size) {
      const { bytesRead } = await file.read(buffer, done, size - done, from + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    if (done < size - 1)
      fail('BAD_INPUT', { file: chunk.name, reason: 'it changed while it was read; nothing was written' });
    // The last line of a file may have no newline of its own.
    if (done < size) buffer[done] = NEWLINE;
  } finally {
    await file.close();
  }
  return buffer.subarray(0, compact(buffer, starts, lengths, from));
}

/** Moves the lines, each with its newline, to the front; neighbours move together. */
function compact(buffer: Buffer, starts: readonly number[], lengths: readonly number[], from: number): number {
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

async function writeAll(file: FileHandle, bytes: Buffer, output: string): Promise<void> {
  try {
    for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
  } catch (error) {
    failWriting(output, error);
  }
}
