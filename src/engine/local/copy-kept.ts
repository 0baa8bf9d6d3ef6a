/** Decisions → the lines that stay, byte for byte, in input order: one file is read while the other is written. */
import { type FileHandle, open } from 'node:fs/promises';
import { fail } from '../../errors.ts';
import { failWriting } from '../../formats/system-errors.ts';
import type { Stage } from './link-documents.ts';
import type { Numbered } from './link-entries.ts';
import type { Chunk, Piece } from './plan.ts';
import { readColumn } from './stage-file.ts';

const NEWLINE = 0x0a;

export interface CopyRequest extends Numbered {
  readonly plan: readonly Chunk[];
  readonly stays: (item: number) => boolean;
  readonly stage: Stage;
}

export async function copyKept(output: string, request: CopyRequest): Promise<void> {
  const file = await open(output, 'w').catch(error => failWriting(output, error));
  let writing: Promise<void> = Promise.resolve();
  try {
    // Two buffers take turns: one is filled while the other is written.
    const buffers = [Buffer.alloc(0), Buffer.alloc(0)];
    let turn = 0;
    for (const lines of keptLines(request)) {
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
  readonly piece: Piece;
  readonly starts: number[];
  readonly lengths: number[];
}

function* keptLines({ plan, chunks, bases, stays, stage }: CopyRequest): Generator<Lines> {
  for (const [i, chunk] of chunks.entries()) {
    const starts = readColumn(chunk, 'starts', Float64Array);
    const lengths = readColumn(chunk, 'lengths', Uint32Array);
    const { count, pieces } = chunk.facts;
    for (const [j, { firstItem }] of pieces.entries()) {
      const lines: Lines = { piece: plan[i]!.pieces[j]!, starts: [], lengths: [] };
      for (let place = firstItem; place < (pieces[j + 1]?.firstItem ?? count); place++) {
        if (!stays(bases[i]! + place)) continue;
        lines.starts.push(starts[place]!);
        lines.lengths.push(lengths[place]!);
      }
      if (lines.starts.length > 0) yield lines;
    }
    stage('write', i + 1, chunks.length);
  }
}

function sizeOf({ starts, lengths }: Lines): number {
  return starts.at(-1)! + lengths.at(-1)! + 1 - starts[0]!;
}

async function readLines(lines: Lines, buffer: Buffer): Promise<Buffer> {
  const { piece, starts, lengths } = lines;
  const from = starts[0]!;
  const size = sizeOf(lines);
  const file = await open(piece.path, 'r');
  try {
    let done = 0;
    while (done < size) {
      const { bytesRead } = await file.read(buffer, done, size - done, from + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    if (done < size - 1)
      fail('BAD_INPUT', { file: piece.name, reason: 'it changed while it was read; nothing was written' });
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
