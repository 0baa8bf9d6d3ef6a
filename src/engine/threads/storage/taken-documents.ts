/** Records of plain documents, as the kernel wrote them → the columns of a chunk, without JavaScript for each of them. */
import type { ChunkColumns } from './chunk-columns.ts';
import type { LineKernel } from './line-kernel.ts';

/** Records that follow one another. */
export interface RecordRun {
  readonly record: number;
  readonly recordSize: number;
  readonly count: number;
  /** Where the lines begin that the records speak of: in memory, and in their file. */
  readonly base: number;
  readonly origin: number;
  /** The number of the first line. */
  readonly line: number;
  /** Of a line; longer ones are left. */
  readonly maxLength: number;
}

export class TakenDocuments {
  readonly #lines: LineKernel;
  readonly #at: number;
  readonly #most: number;
  readonly #keys: number;
  /** Memory from here on is free; ids are written there first, and are no longer than their lines. */
  readonly end: number;

  /** In memory from `at` on, for `most` documents of at most `keysOfEach` keys. */
  constructor(lines: LineKernel, at: number, most: number, keysOfEach: number) {
    this.#lines = lines;
    this.#at = at;
    this.#most = most;
    this.#keys = lines.exports.placeTaken(at, most);
    this.end = this.#keys + most * keysOfEach * 12;
  }

  /** Adds documents to the columns, up to the first that is not plain; returns how many. */
  take(columns: ChunkColumns, { record, recordSize, count, base, origin, line, maxLength }: RecordRun): number {
    const { exports, buffer } = this.#lines;
    const { count: item, idBytes } = columns;
    const taken = exports.takeRecords(
      record,
      recordSize,
      count,
      origin,
      base,
      item,
      line,
      idBytes.length,
      this.end,
      maxLength,
    );
    if (taken === 0) return 0;
    // As kernel/take.ts has it.
    const most = this.#most * 4;
    const wordsAt = (place: number, length: number) => new Uint32Array(buffer, this.#at + place * most, length);
    columns.addTaken({
      starts: new Float64Array(buffer, this.#at, taken),
      lengths: wordsAt(2, taken),
      lines: wordsAt(3, taken),
      textLengths: wordsAt(4, taken),
      idStarts: wordsAt(5, taken),
      contents: wordsAt(6, 5 * taken),
      ids: wordsAt(11, exports.takenIds()),
      keys: new Uint32Array(buffer, this.#keys, exports.takenKeys()),
      idBytes: new Uint8Array(buffer, this.end, exports.takenIdBytes()),
    });
    return taken;
  }
}
