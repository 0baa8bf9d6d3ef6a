/** Documents by their numbers → the bytes of their lines; those asked for in the order of the files are read many at a time. */
import { closeSync, openSync } from 'node:fs';
import type { Chunk } from '../plan/plan.ts';
import type { Numbered } from '../stages/link-keyed-items.ts';
import { pieceOf } from './documents.ts';
import { readColumn, readFrom } from './stage-file.ts';

/** All documents, and the files they are in. */
export interface Planned extends Numbered {
  readonly plan: readonly Chunk[];
}

export interface Lines {
  /** Good until the next one is asked for. */
  read(item: number): Uint8Array;
  /** The last line that fits a read that begins with this one. */
  lastAhead(item: number): number;
  /** Reads this line and those behind it as far as the last; `lastAhead` tells how far they are in one file. */
  readTo(item: number, last: number, target: (bytes: number) => Uint8Array): void;
  /** Where the lines start in their files. */
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
  isConverted(item: number): boolean;
  close(): void;
}

/** Files open at a time. */
const MOST_OPEN = 128;
/** Bytes that are read at once. */
export const AHEAD = 1 << 18;
/** Lines asked for in order may leave out so many: copies are not read. */
const GAP = 16;

/** Documents ascend; a number below is a place among them. */
export function openLines({ plan, chunks, bases }: Planned, documents: Uint32Array): Lines {
  const { files, starts, lengths } = placesOf({ plan, chunks, bases }, documents);
  const known = new Map(plan.flatMap(({ pieces }) => pieces.map(piece => [piece.file, piece] as const)));
  const open = new Map<number, number>();
  const close = () => {
    for (const file of open.values()) closeSync(file);
    open.clear();
  };
  const handleOf = (file: number) => {
    const handle = open.get(file);
    if (handle !== undefined) return handle;
    if (open.size === MOST_OPEN) close();
    const opened = openSync(known.get(file)!.path, 'r');
    open.set(file, opened);
    return opened;
  };
  const lastAhead = (item: number) => {
    let last = item;
    while (
      last + 1 < documents.length &&
      files[last + 1] === files[item] &&
      starts[last + 1]! + lengths[last + 1]! <= starts[item]! + AHEAD
    )
      last++;
    return last;
  };
  const readTo = (item: number, end: number, target: (bytes: number) => Uint8Array) => {
    const size = starts[end]! + lengths[end]! - starts[item]!;
    readFrom(handleOf(files[item]!), target(size), starts[item]!);
  };
  let bytes = Buffer.allocUnsafe(AHEAD);
  // What is in `bytes`: these lines.
  let [first, last] = [0, -1];
  return {
    read(item) {
      if (item < first || item > last) {
        const isInOrder = item > last && item - last <= GAP;
        first = item;
        last = isInOrder ? lastAhead(item) : item;
        readTo(item, last, size => {
          if (bytes.length < size) bytes = Buffer.allocUnsafe(size);
          return bytes.subarray(0, size);
        });
      }
      const from = starts[item]! - starts[first]!;
      return bytes.subarray(from, from + lengths[item]!);
    },
    lastAhead,
    readTo,
    starts,
    lengths,
    isConverted: item => known.get(files[item]!)!.isConverted,
    close,
  };
}

/** Which file each document is in, and where. */
function placesOf({ plan, chunks, bases }: Planned, documents: Uint32Array) {
  const files = new Uint32Array(documents.length);
  const starts = new Float64Array(documents.length);
  const lengths = new Uint32Array(documents.length);
  let at = 0;
  for (const [i, chunk] of chunks.entries()) {
    const end = bases[i]! + chunk.facts.count;
    if (at === documents.length || documents[at]! >= end) continue;
    const chunkStarts = readColumn(chunk, 'starts', Float64Array);
    const chunkLengths = readColumn(chunk, 'lengths', Uint32Array);
    for (; at < documents.length && documents[at]! < end; at++) {
      const place = documents[at]! - bases[i]!;
      files[at] =
        plan[i]!.pieces.length === 1 ? plan[i]!.pieces[0]!.file : plan[i]!.pieces[pieceOf(chunk, place)]!.file;
      starts[at] = chunkStarts[place]!;
      lengths[at] = chunkLengths[place]!;
    }
  }
  return { files, starts, lengths };
}
