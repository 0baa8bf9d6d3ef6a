/** Numbers that come one by one → typed arrays that grow. */

type Growing = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

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
    larger.set(this.used());
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

  used(): Values {
    return this.values.subarray(0, this.length) as Values;
  }
}

export const bytesColumn = () => new Column(size => new Uint8Array(size));
export const wordsColumn = () => new Column(size => new Uint32Array(size));
export const numbersColumn = () => new Column(size => new Float64Array(size));
