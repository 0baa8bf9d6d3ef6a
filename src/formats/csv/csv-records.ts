/** Chunks of CSV or TSV → its records, as bytes; a newline within quotes does not end one. */
import { Carry, type RawRecord, type Splitter } from '../splitter.ts';

const [QUOTE, NEWLINE] = [0x22, 0x0a];

type State = 'start of field' | 'plain' | 'quoted' | 'after a quote';

export class CsvSplitter implements Splitter {
  readonly #delimiter: number;
  readonly #carry: Carry;
  #state: State = 'start of field';
  #line = 1;
  #recordLine = 1;

  constructor(limit: number, delimiter: string) {
    this.#carry = new Carry(limit);
    this.#delimiter = delimiter.charCodeAt(0);
  }

  push(chunk: Uint8Array): RawRecord[] {
    const records: RawRecord[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === NEWLINE) {
        this.#line++;
        if (this.#state === 'quoted') continue;
        records.push(this.#close(chunk.subarray(start, at)));
        start = at + 1;
      } else this.#step(byte);
    }
    this.#carry.add(chunk.subarray(start));
    return records;
  }

  end(): { records: RawRecord[]; problem?: { line: number; reason: string } } {
    if (this.#carry.isEmpty) return { records: [] };
    if (this.#state !== 'quoted') return { records: [this.#close(new Uint8Array(0))] };
    return { records: [], problem: { line: this.#recordLine, reason: 'a quoted field is never closed' } };
  }

  #close(last: Uint8Array): RawRecord {
    const record = { line: this.#recordLine, bytes: this.#carry.take(last) };
    this.#state = 'start of field';
    this.#recordLine = this.#line;
    return record;
  }

  #step(byte: number): void {
    if (this.#state === 'quoted') {
      if (byte === QUOTE) this.#state = 'after a quote';
    } else if (byte === this.#delimiter) this.#state = 'start of field';
    else if (byte === QUOTE && this.#state !== 'plain') this.#state = 'quoted';
    else if (this.#state === 'start of field') this.#state = 'plain';
    else if (this.#state === 'after a quote') this.#state = 'plain';
  }
}
