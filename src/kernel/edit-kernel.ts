/** Two arrays of code points and a limit → their edit distance, by the kernel, in an instance of its own. */
import { instantiateKernel, type KernelInstance } from './exports.ts';
import { SLACK } from './layout.ts';

export type Symbols = Uint16Array | Uint32Array;

export interface EditKernel {
  /**
   * The distance, undefined if it is above the limit. `around` is a text that a is a part of: what is learnt of it serves
   * all calls in a row that name the same one.
   */
  distanceWithin(a: Symbols, b: Symbols, limit: number, around?: Symbols): number | undefined;
  /** So far, in blocks of 64 cells of the table, or what takes as long as one: 1.8 ns. */
  work(): number;
}

/** kernel/edit.ts: rows of a strip, and the symbol that fills up both texts. */
const STRIP = 256;
const FILLER = 0x110000;
/** All code points, the filler, and one that is in no text; 32 bytes of masks each, of which few are ever touched. */
const MASK_BYTES = (FILLER + 2) * 32;
/** Shorter texts are compared before their grams are noted. */
const LEAST_FOR_BOUNDS = 4096;
/** Grams of 4 symbols prove up to 64 edits in a block of 256; grams of 3 prove more, and are shared ten times as often. */
const SHORT_GRAM = 3;
const LONGER_GRAM = 4;
const LONGEST_GRAM = 12;
const MOST_FOR_LONGER_GRAMS = 0.21;
/** Diagonals of the smallest bin. */
const LEAST_BIN = 64;
/** Of the words that grams are counted in: 1 MB. */
const MOST_GRAM_BITS = 18;
/** A gram is worth looking up if it equals one of so many: then that takes an eighth of the time of the table. */
const RARE = 512;
/** How much worse than the best of its row a column may be, in the search for a first upper bound. */
const GUESS_SLACK = 512;

/** What is known of the grams of the noted text, and where. */
interface Grams {
  readonly length: number;
  /** Whether they were rare enough to be placed. */
  readonly isRare: boolean;
  readonly bits: number;
  readonly starts: number;
  readonly cursors: number;
  readonly positions: number;
  readonly end: number;
}

export async function createEditKernel(): Promise<EditKernel> {
  return new WasmEditKernel(await instantiateKernel());
}

/** Memory: [ kernel's own | masks | grams: starts, cursors, positions | columns | rows | deltas | bounds | bins ] */
class WasmEditKernel implements EditKernel {
  readonly #instance: KernelInstance;
  readonly #masks: number;
  readonly #free: number;
  #noted: Symbols | undefined;
  #grams: Grams = { length: 0, isRare: false, bits: 0, starts: 0, cursors: 0, positions: 0, end: 0 };

  constructor(instance: KernelInstance) {
    this.#instance = instance;
    this.#masks = instance.exports.heapStart();
    this.#free = this.#masks + MASK_BYTES;
  }

  distanceWithin(a: Symbols, b: Symbols, limit: number, around: Symbols = a): number | undefined {
    const most = Math.min(limit, Math.max(a.length, b.length));
    if (Math.abs(a.length - b.length) > most) return undefined;
    if (a.length === 0 || b.length === 0) return most;
    const { exports } = this.#instance;
    const isLong = Math.min(a.length, b.length) >= LEAST_FOR_BOUNDS;
    if (isLong) this.#note(around, most / b.length > MOST_FOR_LONGER_GRAMS ? SHORT_GRAM : LONGER_GRAM);
    // Both get the same symbols in front, so that the rows fill whole strips.
    const lead = (STRIP - (b.length % STRIP)) % STRIP;
    const rowCount = lead + b.length;
    const columnCount = lead + a.length;
    const columns = align(isLong ? this.#grams.end : this.#free);
    const rows = align(columns + (columnCount + 4) * 4);
    const deltas = align(rows + rowCount * 4);
    const bounds = align(deltas + columnCount + 8);
    const bins = align(bounds + (rowCount / STRIP + 1) * 4);
    exports.ensureMemory(bins + (most / LEAST_BIN + 2) * 4 + 64 + STRIP * 8 + SLACK);
    this.#place(columns, a, lead);
    this.#place(rows, b, lead);
    new Uint8Array(this.#instance.memory.buffer, bounds, (rowCount / STRIP + 1) * 4).fill(0);
    if (isLong) {
      const { length, isRare, bits, starts, cursors, positions } = this.#grams;
      const start = (a.byteOffset - around.byteOffset) / a.BYTES_PER_ELEMENT;
      if (
        isRare &&
        exports.countBlockEdits(
          rows,
          rowCount,
          columns,
          columnCount,
          lead,
          start,
          starts,
          bits,
          positions,
          length,
          cursors,
          bins,
          length === SHORT_GRAM ? 7 : 6,
          this.#masks,
          bounds,
          most,
          (2 * rowCount * most) / RARE,
        ) > most
      )
        return undefined;
    }
    const search = (within: number, slack: number) =>
      exports.editDistance(rows, rowCount, columns, columnCount, this.#masks, deltas, bounds, within, slack);
    // A narrow search finds a distance that may be too large. As a limit it spares the exact one most of its columns.
    const guess = most > 2 * GUESS_SLACK ? search(most, GUESS_SLACK) : -1;
    const distance = search(guess < 0 ? most : guess, most);
    return distance < 0 ? undefined : distance;
  }

  work(): number {
    return this.#instance.exports.editWork();
  }

  #note(text: Symbols, gramLength: number): void {
    const { exports, memory } = this.#instance;
    if (this.#noted === text && this.#grams.length >= gramLength) return;
    this.#noted = text;
    const bits = Math.min(MOST_GRAM_BITS, Math.ceil(Math.log2(text.length)));
    const starts = this.#free;
    const cursors = align(starts + (2 ** bits + 1) * 4);
    const positions = align(cursors + 2 ** bits * 8);
    const end = align(positions + text.length * 4);
    exports.ensureMemory(end + text.length * 4 + SLACK);
    this.#place(end, text, 0);
    let length = gramLength;
    let isRare = false;
    for (; length <= LONGEST_GRAM; length++) {
      new Uint8Array(memory.buffer, starts, (2 ** bits + 1) * 4).fill(0);
      isRare = exports.countGrams(end, text.length, length, starts, bits) <= text.length / RARE;
      if (isRare) break;
    }
    if (isRare) exports.placeGrams(end, text.length, length, starts, bits, positions);
    this.#grams = { length, isRare, bits, starts, cursors, positions, end };
  }

  #place(address: number, symbols: Symbols, lead: number): void {
    const words = new Uint32Array(this.#instance.memory.buffer, address, lead + symbols.length);
    words.fill(FILLER, 0, lead).set(symbols, lead);
  }
}

function align(address: number): number {
  return Math.ceil(address / 16) * 16;
}
