/** Chunks of CSV or TSV → its records, as bytes; a newline within quotes does not end one. */
import { Carry, type Piece, type Splitter } from '../splitter.ts';

const [QUOTE, NEWLINE] = [0x22, 0x0a];

type Place = 'start of field' | 'plain' | 'quoted' | 'after a quote';

export class CsvSplitter implements Splitter {
  readonly #delimiter: number;
  readonly #carry: Carry;
  #place: Place = 'start of field';
  #line = 1;
  #recordLine = 1;

  constructor(limit: number, delimiter: string) {
    this.#carry = new Carry(limit);
    this.#delimiter = delimiter.charCodeAt(0);
  }

  push(chunk: Uint8Array): Piece[] {
    const records: Piece[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === NEWLINE) {
        this.#line++;
        if (this.#place === 'quoted') continue;
        records.push(this.#close(chunk.subarray(start, at)));
        start = at + 1;
      } else this.#step(byte);
    }
    this.#carry.add(chunk.subarray(start));
    return records;
  }

  end(): { pieces: Piece[]; problem?: { line: number; reason: string } } {
    if (this.#carry.isEmpty) return { pieces: [] };
    if (this.#place !== 'quoted') return { pieces: [this.#close(new Uint8Array(0))] };
    return { pieces: [], problem: { line: this.#recordLine, reason: 'a quoted field is never closed' } };
  }

  #close(last: Uint8Array): Piece {
    const record = { line: this.#recordLine, bytes: this.#carry.take(last) };
    this.#place = 'start of field';
    this.#recordLine = this.#line;
    return record;
  }

  #step(byte: number): void {
    if (this.#place === 'quoted') {
      if (byte === QUOTE) this.#place = 'after a quote';
    } else if (byte === this.#delimiter) this.#place = 'start of field';
    else if (byte === QUOTE && this.#place !== 'plain') this.#place = 'quoted';
    else if (this.#place === 'start of field') this.#place = 'plain';
    else if (this.#place === 'after a quote') this.#place = 'plain';
  }
}
