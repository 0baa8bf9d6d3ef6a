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
}

/** kernel/edit.ts: rows of a strip, and the symbol that fills up both texts. */
const STRIP = 256;
const FILLER = 0x110000;
/** All code points, the filler, and one that is in no text; 32 bytes of masks each, of which few are ever touched. */
const MASK_BYTES = (FILLER + 2) * 32;
/** Tables of runs: lengths, and bits for each symbol of the text at least. */
const RUN_LENGTHS = 6;
const BITS_PER_SYMBOL = 8;
/** Shorter texts are compared before their runs are noted. */
const LEAST_FOR_RUNS = 4096;
/** How much worse than the best of its row a column may be, in the search for a first upper bound. */
const GUESS_SLACK = 512;

export async function createEditKernel(): Promise<EditKernel> {
  return new WasmEditKernel(await instantiateKernel());
}

/** Memory: [ kernel's own | masks | tables of runs | columns | rows | deltas | bounds ] */
class WasmEditKernel implements EditKernel {
  readonly #instance: KernelInstance;
  readonly #masks: number;
  readonly #tables: number;
  #noted: Symbols | undefined;
  #bits = 0;

  constructor(instance: KernelInstance) {
    this.#instance = instance;
    this.#masks = instance.exports.heapStart();
    this.#tables = this.#masks + MASK_BYTES;
  }

  distanceWithin(a: Symbols, b: Symbols, limit: number, around: Symbols = a): number | undefined {
    const most = Math.min(limit, Math.max(a.length, b.length));
    if (Math.abs(a.length - b.length) > most) return undefined;
    if (a.length === 0 || b.length === 0) return most;
    const { exports } = this.#instance;
    const hasRuns = Math.min(a.length, b.length) >= LEAST_FOR_RUNS;
    if (hasRuns) this.#noteRuns(around);
    // Both get the same symbols in front, so that the rows fill whole strips.
    const lead = (STRIP - (b.length % STRIP)) % STRIP;
    const columns = align(this.#tables + this.#tableBytes);
    const rows = align(columns + (lead + a.length + 4) * 4);
    const deltas = align(rows + (lead + b.length) * 4);
    const bounds = align(deltas + lead + a.length + 8);
    exports.ensureMemory(bounds + ((lead + b.length) / STRIP + 1) * 4 + SLACK);
    this.#place(columns, a, lead);
    this.#place(rows, b, lead);
    if (hasRuns) {
      const text = rows + lead * 4;
      if (exports.countForeignRuns(text, b.length, this.#tables, this.#bits, bounds, lead) > most) return undefined;
    } else new Uint8Array(this.#instance.memory.buffer, bounds, ((lead + b.length) / STRIP + 1) * 4).fill(0);
    const search = (within: number, slack: number) =>
      exports.editDistance(rows, lead + b.length, columns, lead + a.length, this.#masks, deltas, bounds, within, slack);
    // A narrow search finds a distance that may be too large. As a limit it spares the exact one most of its columns.
    const guess = most > 2 * GUESS_SLACK ? search(most, GUESS_SLACK) : -1;
    const distance = search(guess < 0 ? most : guess, most);
    return distance < 0 ? undefined : distance;
  }

  get #tableBytes(): number {
    return RUN_LENGTHS * 2 ** (this.#bits - 3);
  }

  #noteRuns(text: Symbols): void {
    if (this.#noted === text) return;
    const { exports, memory } = this.#instance;
    this.#noted = text;
    this.#bits = Math.ceil(Math.log2(text.length * BITS_PER_SYMBOL));
    const symbols = align(this.#tables + this.#tableBytes);
    exports.ensureMemory(symbols + text.length * 4 + SLACK);
    new Uint8Array(memory.buffer, this.#tables, this.#tableBytes).fill(0);
    this.#place(symbols, text, 0);
    exports.noteRuns(symbols, text.length, this.#tables, this.#bits);
  }

  #place(address: number, symbols: Symbols, lead: number): void {
    const words = new Uint32Array(this.#instance.memory.buffer, address, lead + symbols.length);
    words.fill(FILLER, 0, lead).set(symbols, lead);
  }
}

function align(address: number): number {
  return Math.ceil(address / 16) * 16;
}
