/** Standard input → rows, one at a time and as bytes; rows → standard output, with the trailer that proves that all went through. */
import { readSync, writeSync } from 'node:fs';
import { kinds, type Trailer } from './plan.ts';

const CHUNK = 1 << 20;
const [TAB, NEWLINE] = [9, 10];

/** Fields of one row. The last one has whatever tabs are left. */
export interface RowIn {
  readonly numbers: readonly number[];
  /** Good until the next row is asked for. */
  readonly rest: Uint8Array;
}

/** Rows of `count` whole numbers and a last field of bytes, tab-separated. */
export function* rowsIn(count: number): Generator<RowIn> {
  for (const line of linesIn()) {
    const numbers: number[] = [];
    let start = 0;
    for (let i = 0; i < count; i++) {
      const tab = line.indexOf(TAB, start);
      const number = tab <= start ? Number.NaN : Number(line.toString('latin1', start, tab));
      if (!Number.isSafeInteger(number)) throw new Error(`field ${i} of a row of the input is not a whole number`);
      numbers.push(number);
      start = tab + 1;
    }
    yield { numbers, rest: line.subarray(start) };
  }
}

function* linesIn(): Generator<Buffer> {
  let buffer = Buffer.allocUnsafe(CHUNK);
  // Of a line that takes several reads, each byte is looked at once.
  let [start, end, searched] = [0, 0, 0];
  for (;;) {
    const filled = buffer.subarray(0, end);
    for (let newline = filled.indexOf(NEWLINE, searched); newline >= 0; newline = filled.indexOf(NEWLINE, start)) {
      yield filled.subarray(start, newline);
      start = newline + 1;
    }
    if (end === buffer.length) {
      // The line that is not whole moves to the front, of a larger buffer if it fills more than half of this one.
      const larger = end - start > buffer.length / 2 ? Buffer.allocUnsafe(2 * buffer.length) : buffer;
      buffer.copy(larger, 0, start, end);
      [buffer, end, start] = [larger, end - start, 0];
    }
    searched = end;
    const read = readSync(0, buffer, end, buffer.length - end, null);
    if (read === 0) break;
    end += read;
  }
  if (end > start) throw new Error('the input ends within a row');
}

export class RowsOut {
  #parts: string[] = [];
  #length = 0;
  #seen = 0;
  #written = 0;
  #rids = 0n;
  comparisons = 0;

  see(rid: number): void {
    this.#seen++;
    this.#rids += BigInt(rid);
  }

  /** No field may hold a tab or a newline: they are numbers, hex digits and JSON. */
  row(kind: string, rid: number, other: number, keys: string, json: string, extra = ''): void {
    this.#written++;
    this.#push(`${kind}\t${rid}\t${other}\t${keys}\t${json}\t${extra}\n`);
  }

  end(unknownFields: readonly string[] = []): void {
    const { comparisons } = this;
    const rids = String(this.#rids);
    const trailer: Trailer = { seen: this.#seen, written: this.#written, rids, comparisons, unknownFields };
    this.#push(`${kinds.trailer}\t-1\t-1\t\t${JSON.stringify(trailer)}\t\n`);
    this.#flush();
  }

  #push(line: string): void {
    this.#parts.push(line);
    this.#length += line.length;
    if (this.#length >= CHUNK) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.from(this.#parts.join(''));
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
    this.#parts = [];
    this.#length = 0;
  }
}
