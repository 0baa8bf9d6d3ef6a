/** Files of lines → chunks: parts of files that one worker reads at a time. A part owns the lines that begin in it. */
import type { ReadOptions } from '../../../formats/item.ts';
import { NAME_ROOM } from '../../../kernel/layout.ts';
import type { RunOptions } from '../../run-options.ts';
import { fitsKernel } from '../storage/line-kernel.ts';

/** JSON lines on disk: an input as it is, a decompressed copy of one, or documents of other formats written as lines. */
export interface LineFile {
  /** As it is named in messages and ids. */
  readonly name: string;
  /** Where its bytes are. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Every line is a document; HTML is text already. */
  readonly isConverted: boolean;
}

/** A part of a file of lines. */
export interface Piece extends LineFile {
  /** Which of the files it is a part of. */
  readonly file: number;
}

export interface Chunk {
  readonly pieces: readonly Piece[];
}

/** What every worker must know before its first task. */
export interface WorkerPlan {
  readonly reading: ReadOptions;
  readonly options: RunOptions;
  /** The kernel reads the lines by itself; else JavaScript makes a document of each. */
  readonly byKernel: boolean;
  /** All pairs are looked for, without keys. */
  readonly exact: boolean;
  /** The kernel makes the sets of shingles from the lines. */
  readonly setsByKernel: boolean;
  /** Fields that the options name. */
  readonly fields: readonly string[];
  /** Bytes of shingle sets that a worker may keep. */
  readonly setBytes: number;
  /** Comparisons of a worker that are so many that the user is told. */
  readonly manyComparisons: number;
  /** An earlier run may have left stage files. */
  readonly resumes: boolean;
}

/** Large enough that a task costs nothing, small enough that workers finish together and memory stays small. */
const CHUNK = { bytes: 8 * 2 ** 20, leastBytes: 2 ** 20, documents: 16_384 };

/** Large files are cut up, small ones share a chunk; chunks are smaller where lines are short. */
export function chunksOf(files: readonly LineFile[], lineLength: number, firstFile = 0): Chunk[] {
  const size = Math.min(CHUNK.bytes, Math.max(CHUNK.leastBytes, CHUNK.documents * Math.ceil(lineLength)));
  const chunks: Piece[][] = [];
  let room = 0;
  for (const [i, { name, path, isConverted, ...file }] of files.entries()) {
    for (let start = file.start; start < file.end; ) {
      if (room === 0) {
        chunks.push([]);
        room = size;
      }
      const end = Math.min(file.end, start + room);
      chunks.at(-1)!.push({ name, path, isConverted, start, end, file: firstFile + i });
      room -= end - start;
      start = end;
    }
  }
  return chunks.map(pieces => ({ pieces }));
}

/** Whether the kernel finds the text of a line, and makes its set of shingles. */
export function canMakeSetsByKernel(reading: ReadOptions, { normalise }: RunOptions): boolean {
  return (
    // A name with a dot may be of a nested field, which the kernel does not look for.
    [reading.textField, reading.idField].every(name => Buffer.byteLength(name) < NAME_ROOM && !name.includes('.')) &&
    reading.setField === undefined &&
    reading.html !== 'always' &&
    normalise.every(step => step === 'keep-case')
  );
}

/** Whether the kernel alone can tell what a run needs to know of a line. `exact`: without keys. */
export function canReadByKernel(reading: ReadOptions, options: RunOptions, exact: boolean): boolean {
  const { resolvedLsh } = options;
  return (
    canMakeSetsByKernel(reading, options) &&
    options.measure !== 'containment' &&
    (exact || (resolvedLsh !== undefined && fitsKernel(resolvedLsh))) &&
    options.by === undefined &&
    !('field' in options.keep)
  );
}
