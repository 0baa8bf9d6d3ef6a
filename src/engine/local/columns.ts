/** What the first pass learns of the documents of one chunk: one typed array for each property, shared between threads. */

/** Documents are in line order. All arrays have one entry for each, unless said otherwise. */
export interface ChunkColumns {
  readonly count: number;
  /** Lines of the chunk, blank and rejected ones included. */
  readonly lineCount: number;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
  /** From 0, in the chunk. */
  readonly lines: Uint32Array;
  /** Four for each document. */
  readonly contents: Uint32Array;
  /** Two for each; both 0 when the id is absent. */
  readonly idHashes: Uint32Array;
  /** Shingles, repeats included; 0 for a document without words. */
  readonly shingles: Uint32Array;
  readonly textBytes: Float64Array;
  /** Bytes of the ids as they are to be shown in JSON, without quotes; id i is idBytes[idStarts[i] … idStarts[i + 1]]. */
  readonly idStarts: Uint32Array;
  readonly idBytes: Uint8Array;
  /** Low halves of the keys of band 0 for all documents, then the high halves, then band 1 … */
  readonly keys: Uint32Array;
  readonly rejects: readonly ChunkReject[];
}

export interface ChunkReject {
  /** From 0, in the chunk. */
  readonly line: number;
  readonly reason: string;
}

type Growing = Uint8Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike> | Float64Array<ArrayBufferLike>;

/** A typed array that grows. */
export class Column<Values extends Growing> {
  /** Longer than what is used. */
  values: Values;
  length = 0;
  readonly #make: (size: number) => Values;

  constructor(make: (size: number) => Values) {
    this.#make = make;
    this.values = make(1024);
  }

  /** Makes room for as many more; they can then be written to `values` directly. */
  reserve(more: number): void {
    if (this.length + more <= this.values.length) return;
    const larger = this.#make(Math.max(this.length * 2, this.length + more));
    larger.set(this.values.subarray(0, this.length));
    this.values = larger;
  }

  push(value: number): void {
    this.reserve(1);
    this.values[this.length++] = value;
  }

  append(values: ArrayLike<number>): void {
    this.reserve(values.length);
    this.values.set(values, this.length);
    this.length += values.length;
  }

  /** A copy that threads can share. */
  toShared(): Values {
    const used = this.values.subarray(0, this.length) as Values;
    const shared = new SharedArrayBuffer(used.byteLength);
    const copy = new (this.values.constructor as new (buffer: SharedArrayBuffer) => Values)(shared);
    copy.set(used);
    return copy;
  }
}
