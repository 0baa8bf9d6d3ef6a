/** The chunks of a run → its documents numbered through: which chunk each is in, where it comes from, what its id is. */

import { lastAtMost } from '../../ascending.ts';
import type { Chunk, Piece } from '../plan/plan.ts';
import type { SpooledFile } from '../plan/spool-inputs.ts';
import type { Numbered } from '../stages/link-keyed-items.ts';
import type { ChunkFile } from './chunk-columns.ts';
import { readColumn, ValueReader } from './stage-file.ts';

export interface Documents extends Numbered {
  readonly count: number;
  chunkOf(item: number): number;
  /** The line in its file, from 0, of the first line of a piece. */
  firstLineOf(chunk: number, piece: number): number;
  /**
   * Reads ids, asked for in ascending order or in any. A document without one is named by its location, and so is one
   * that is marked with 1 in `repeated`.
   */
  openIds(order: 'ascending' | 'any', repeated?: Uint8Array): IdOf;
}

/** A file and a line in it, from 0, as they are on disk. */
export interface LineLocation {
  readonly file: number;
  readonly line: number;
}

export type IdOf = (item: number) => string;

/** `idRoom`: ids of all chunks are kept in memory up to so many bytes. */
export function numberDocuments(
  files: readonly SpooledFile[],
  plan: readonly Chunk[],
  chunks: readonly ChunkFile[],
  idRoom: number,
): Documents {
  const bases = runningSum(chunks.map(({ facts }) => facts.count));
  const count = chunks.reduce((sum, { facts }) => sum + facts.count, 0);
  const firstLines = firstLinesOf(plan, chunks);
  const chunkOf = (item: number) => lastAtMost(bases, item);
  const lineOf = (chunk: number, place: number, line: number) => {
    const piece = pieceOf(chunks[chunk]!, place);
    return { file: plan[chunk]!.pieces[piece]!.file, line: firstLines[chunk]![piece]! + line };
  };
  const placeOf = (item: number) => {
    const chunk = chunkOf(item);
    const place = item - bases[chunk]!;
    return lineOf(chunk, place, readColumn(chunks[chunk]!, 'lines', Uint32Array, place, 1)[0]!);
  };
  const locationAt = ({ file, line }: LineLocation) => files[file]!.locationOf(line);
  const idSize = chunks.reduce((sum, { columns }) => sum + columns.idBytes![1] + 2 * columns.idStarts![1], 0);
  return {
    count,
    chunks,
    bases,
    chunkOf,
    firstLineOf: (chunk, piece) => firstLines[chunk]![piece]!,
    openIds(order, repeated) {
      const values = new ValueReader();
      const load = keepLoaded(chunks, idSize <= idRoom ? Number.POSITIVE_INFINITY : order === 'ascending' ? 1 : 0);
      return item => {
        const chunk = chunkOf(item);
        const place = item - bases[chunk]!;
        const loaded = load(chunk);
        if (!repeated?.[item]) {
          const shown = loaded ? loadedId(loaded, place) : storedId(values, chunks[chunk]!, place);
          if (shown.length > 0) return readId(shown);
        }
        return locationAt(loaded ? lineOf(chunk, place, loaded.lines[place]!) : placeOf(item));
      };
    },
  };
}

interface LoadedIds {
  readonly idStarts: Uint32Array;
  readonly idBytes: Uint8Array;
  readonly lines: Uint32Array;
}

function keepLoaded(chunks: readonly ChunkFile[], most: number): (chunk: number) => LoadedIds | undefined {
  const loaded = new Map<number, LoadedIds>();
  return chunk => {
    const known = loaded.get(chunk);
    if (known || most === 0) return known;
    if (loaded.size === most) loaded.clear();
    const file = chunks[chunk]!;
    const ids = {
      idStarts: readColumn(file, 'idStarts', Uint32Array),
      idBytes: readColumn(file, 'idBytes', Uint8Array),
      lines: readColumn(file, 'lines', Uint32Array),
    };
    loaded.set(chunk, ids);
    return ids;
  };
}

const BACKSLASH = 0x5c;

function readId(shown: Uint8Array): string {
  const text = Buffer.from(shown.buffer, shown.byteOffset, shown.length).toString();
  return shown.includes(BACKSLASH) ? JSON.parse(`${text}"`) : text.slice(1);
}

function loadedId({ idStarts, idBytes }: LoadedIds, place: number): Uint8Array {
  return idBytes.subarray(idStarts[place]!, idStarts[place + 1]!);
}

function storedId(values: ValueReader, file: ChunkFile, place: number): Uint8Array {
  const starts = values.read(file, 'idStarts', place * 4, 8);
  const start = starts.readUInt32LE(0);
  return values.read(file, 'idBytes', start, starts.readUInt32LE(4) - start);
}

/** Which piece of its chunk a document is in: the last one that starts at it or before. */
export function pieceOf({ facts: { pieces } }: ChunkFile, place: number): number {
  return lastAtMost(
    pieces.map(({ firstItem }) => firstItem),
    place,
  );
}

function firstLinesOf(plan: readonly Chunk[], chunks: readonly ChunkFile[]): number[][] {
  let line = 0;
  let last: Piece | undefined;
  return plan.map(({ pieces }, chunk) =>
    pieces.map((piece, i) => {
      if (last?.file !== piece.file) line = 0;
      last = piece;
      const first = line;
      line += chunks[chunk]!.facts.pieces[i]!.lines;
      return first;
    }),
  );
}

function runningSum(values: readonly number[]): number[] {
  let sum = 0;
  return values.map(value => {
    const before = sum;
    sum += value;
    return before;
  });
}
