/** Chunks of bytes → lines, without their newline; a carriage return before it stays, so that a line can be copied. */
import { Carry, type RawRecord, type Splitter } from '../splitter.ts';

const NEWLINE = 10;

export class LineSplitter implements Splitter {
  readonly #carry: Carry;
  #line = 1;

  /** A line of more than `limit` bytes comes out without its bytes. */
  constructor(limit: number) {
    this.#carry = new Carry(limit);
  }

  push(chunk: Uint8Array): RawRecord[] {
    const lines: RawRecord[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      lines.push({ line: this.#line++, bytes: this.#carry.take(chunk.subarray(start, end)) });
      start = end + 1;
    }
    this.#carry.add(chunk.subarray(start));
    return lines;
  }

  end(): { records: RawRecord[] } {
    if (this.#carry.isEmpty) return { records: [] };
    return { records: [{ line: this.#line, bytes: this.#carry.take(new Uint8Array(0)) }] };
  }
}
