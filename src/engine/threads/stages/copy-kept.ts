/** Decisions → the lines that stay, byte for byte, in input order: one file is read while the other is written. */
import { open, stat } from 'node:fs/promises';
import { closeOrAbort } from '../../../files/close-or-abort.ts';
import { failOnChange } from '../../../files/unchanged.ts';
import { openSink, STANDARD_OUTPUT } from '../../../formats/sink.ts';
import type { Chunk, Piece } from '../plan/plan.ts';
import { BlockWriter } from '../storage/block-writer.ts';
import { readColumn } from '../storage/stage-file.ts';
import type { Stage } from './link-documents.ts';
import type { Numbered } from './link-keyed-items.ts';

const NEWLINE = 0x0a;

export interface CopyRequest extends Numbered {
  readonly plan: readonly Chunk[];
  readonly stays: (item: number) => boolean;
  readonly stage: Stage;
}

export async function copyKept(output: string, request: CopyRequest): Promise<void> {
  const writer = await openCopy(output);
  await closeOrAbort(writer, async () => {
    let buffer = Buffer.alloc(0);
    for (const lines of keptLines(request)) {
      if (buffer.length < sizeOf(lines)) buffer = Buffer.allocUnsafeSlow(sizeOf(lines) + (1 << 20));
      await readLines(lines, buffer);
      for (const part of keptParts(lines, buffer)) await writer.append(part);
      // The buffer is used again.
      await writer.flush?.();
    }
  });
}

interface Copy {
  append(bytes: Uint8Array): Promise<void>;
  flush?(): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** Blocks go into a file that is not there yet or can be cut; pipes and devices take what comes. */
async function openCopy(path: string): Promise<Copy> {
  const found = path === STANDARD_OUTPUT ? undefined : await stat(path).catch(() => undefined);
  if (path !== STANDARD_OUTPUT && (found === undefined || found.isFile())) return BlockWriter.open(path);
  const sink = await openSink(path);
  return {
    append: bytes => sink.write(bytes),
    flush: () => sink.flush(),
    close: () => sink.close(),
    abort: () => sink.abort(),
  };
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

async function readLines(lines: Lines, buffer: Buffer): Promise<void> {
  const size = sizeOf(lines);
  const file = await open(lines.piece.path, 'r');
  try {
    let done = 0;
    while (done < size) {
      const { bytesRead } = await file.read(buffer, done, size - done, lines.starts[0]! + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    if (done < size - 1) failOnChange(lines.piece.name);
    // The last line of a file may have no newline of its own.
    if (done < size) buffer[done] = NEWLINE;
  } finally {
    await file.close();
  }
}

/** The lines, each with its newline; neighbours come together. */
function* keptParts({ starts, lengths }: Lines, buffer: Buffer): Generator<Uint8Array> {
  for (let i = 0; i < starts.length; ) {
    const start = starts[i]! - starts[0]!;
    let end = start;
    while (i < starts.length && starts[i]! - starts[0]! === end) end += lengths[i++]! + 1;
    yield buffer.subarray(start, end);
  }
}
