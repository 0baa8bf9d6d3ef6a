/** A stretch of the output → its bytes, gathered from the lines of the inputs; and written to their place in the file. */
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { failWriting } from '../../../files/system-errors.ts';
import { failOnChange } from '../../../files/unchanged.ts';
import { lastAtMost } from '../../ascending.ts';
import type { Chunk, Piece } from '../plan/plan.ts';
import { readColumn } from '../storage/stage-file.ts';
import type { Numbered } from './link-keyed-items.ts';

/** What goes past the cache must be a multiple of 4096 bytes, and start at one. */
const ALIGNMENT = 4096;
export const BLOCK = 4 * 2 ** 20;
/** Lines are read together with what is between them, up to so many bytes; but not across a gap that is larger than this. */
const SPAN = 4 * 2 ** 20;
const GAP = 2 ** 16;

/** What is to be copied. */
export interface Copying extends Numbered {
  readonly plan: readonly Chunk[];
  /** 1 for each document that stays. */
  readonly stays: Uint8Array;
  /** Where the lines of each chunk start in the output, one more at the end. */
  readonly offsets: Float64Array;
  readonly jobs: number;
}

/** The same, and where it goes. */
export interface CopyingToFile extends Copying {
  readonly output: string;
  /** It can be written past the system's cache: the pages there would take more time than the disk. */
  readonly isDirect: boolean;
  /** What all workers wrote so far, in blocks, and the milliseconds it took them. */
  readonly taken: Uint32Array;
}

/** Bytes `from` … `to` − 1 of the output, at most a block. */
export interface CopyTask {
  readonly from: number;
  readonly to: number;
}

const NEWLINE = 0x0a;

/** The bytes of one block at a time, in memory that is used again; there is room behind them up to the next multiple. */
export function createBlocks(): (copying: Copying, task: CopyTask) => Uint8Array {
  // Memory of WebAssembly starts at a page, as direct writing needs it.
  const memory = new Uint8Array(new WebAssembly.Memory({ initial: (BLOCK + SPAN) >> 16 }).buffer);
  return (copying, task) => {
    const gathered = new Gathering(memory);
    try {
      for (const { piece, starts, lengths } of linesIn(copying, task))
        for (let i = 0; i < starts.length; i++) gathered.add(piece, starts[i]!, lengths[i]!);
      return memory.subarray(0, gathered.end());
    } finally {
      gathered.close();
    }
  };
}

/** What stays of a piece and comes to stand in the block: lines with their newlines, the first and the last cut off where it begins and ends. */
function* linesIn({ plan, chunks, bases, stays, offsets }: Copying, { from, to }: CopyTask) {
  for (let i = lastAtMost(offsets, from); i < chunks.length && offsets[i]! < to; i++) {
    const chunk = chunks[i]!;
    const allStarts = readColumn(chunk, 'starts', Float64Array);
    const allLengths = readColumn(chunk, 'lengths', Uint32Array);
    const { count, pieces } = chunk.facts;
    let end = offsets[i]!;
    for (const [j, { firstItem }] of pieces.entries()) {
      const starts: number[] = [];
      const lengths: number[] = [];
      for (let place = firstItem; place < (pieces[j + 1]?.firstItem ?? count) && end < to; place++) {
        if (!stays[bases[i]! + place]) continue;
        const start = end;
        end += allLengths[place]! + 1;
        if (end <= from) continue;
        const skipped = Math.max(0, from - start);
        starts.push(allStarts[place]! + skipped);
        lengths.push(Math.min(end, to) - start - skipped);
      }
      yield { piece: plan[i]!.pieces[j]!, starts, lengths };
    }
  }
}

/** Parts of files → one behind the other in memory. Neighbours are read at once; then what is between them is closed up. */
class Gathering {
  readonly #memory: Uint8Array;
  #used = 0;
  #piece: Piece | undefined;
  #file: number | undefined;
  #start = 0;
  #end = 0;
  /** Parts of start … end that are wanted: from, to, from, to … */
  #parts: number[] = [];

  constructor(memory: Uint8Array) {
    this.#memory = memory;
  }

  add(piece: Piece, start: number, length: number): void {
    const end = start + length;
    if (piece !== this.#piece || start - this.#end > GAP || end - this.#start > SPAN) {
      this.#read();
      this.#start = start;
      this.#end = start;
      if (piece.path !== this.#piece?.path) this.#open(piece);
      this.#piece = piece;
    }
    if (start === this.#end && this.#parts.length > 0) this.#parts[this.#parts.length - 1] = end;
    else this.#parts.push(start, end);
    this.#end = end;
  }

  /** How many bytes there are. */
  end(): number {
    this.#read();
    return this.#used;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #open({ path }: Piece): void {
    this.close();
    this.#file = undefined;
    this.#file = openSync(path, 'r');
  }

  #read(): void {
    const size = this.#end - this.#start;
    if (size === 0) return;
    const at = this.#used;
    let done = 0;
    while (done < size) {
      const count = readSync(this.#file!, this.#memory, at + done, size - done, this.#start + done);
      if (count === 0) break;
      done += count;
    }
    if (done < size - 1) failOnChange(this.#piece!.name);
    // The last line of a file may have no newline of its own.
    if (done < size) this.#memory[at + done] = NEWLINE;
    for (let i = 0; i < this.#parts.length; i += 2) {
      const [from, to] = [this.#parts[i]! - this.#start, this.#parts[i + 1]! - this.#start];
      if (at + from !== this.#used) this.#memory.copyWithin(this.#used, at + from, at + to);
      this.#used += to - from;
    }
    this.#parts = [];
    this.#start = this.#end;
  }
}

/** A disk that takes fewer bytes a second is left to the cache, once so many blocks have shown it. */
const SLOW = 400e6;
const TRIED = 16;

/** The last block is filled up to a multiple: the file is cut when all are written. */
export function copyBlock(
  blockOf: ReturnType<typeof createBlocks>,
  copying: CopyingToFile,
  { from, to }: CopyTask,
): void {
  const block = blockOf(copying, { from, to });
  const length = Math.ceil(block.length / ALIGNMENT) * ALIGNMENT;
  const { output, taken } = copying;
  const start = performance.now();
  try {
    writeAt(output, isWorthDirect(copying), new Uint8Array(block.buffer, 0, length), from);
  } catch (error) {
    failWriting(output, error);
  }
  Atomics.add(taken, 0, 1);
  Atomics.add(taken, 1, Math.round(performance.now() - start));
}

function isWorthDirect({ isDirect, taken, jobs }: CopyingToFile): boolean {
  const [blocks, milliseconds] = [Atomics.load(taken, 0), Atomics.load(taken, 1)];
  return isDirect && (blocks < TRIED || (blocks * BLOCK * jobs * 1000) / milliseconds >= SLOW);
}

function writeAt(path: string, isDirect: boolean, bytes: Uint8Array, position: number): void {
  const file = openSync(path, constants.O_WRONLY | (isDirect ? constants.O_DIRECT : 0));
  try {
    for (let done = 0; done < bytes.length; )
      done += writeSync(file, bytes, done, bytes.length - done, position + done);
  } finally {
    closeSync(file);
  }
}
