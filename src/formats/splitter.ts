/** Chunks of bytes → the bytes of its records: what the line, JSON array and CSV splitters share. */

export interface RawRecord {
  /** Where it begins; 1 is the first. */
  readonly line: number;
  /** Undefined when it was larger than the limit: then it was never held in memory. */
  readonly bytes: Uint8Array | undefined;
}

export interface Splitter {
  push(chunk: Uint8Array): RawRecord[];
  /** The last record, and why the end is not a proper one. */
  end(): { records: RawRecord[]; problem?: { line: number; reason: string } };
}

/** The part of a record that came in earlier chunks; past the limit only its size is remembered. */
export class Carry {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size > this.#limit) this.#parts = [];
    else this.#parts.push(part);
  }

  /** The whole record, of which this is the last part. */
  take(last: Uint8Array): Uint8Array | undefined {
    const size = this.#size + last.length;
    const parts = this.#parts;
    const hadParts = this.#size > 0;
    this.#parts = [];
    this.#size = 0;
    if (size > this.#limit) return undefined;
    return hadParts ? joined([...parts, last], size) : last;
  }
}

/** As Buffer.concat does, which browsers do not have. */
function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
