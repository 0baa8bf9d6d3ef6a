/** Standard input → rows, one at a time and as bytes; rows → standard output, with the trailer that proves that all went through. */
import { readSync, writeSync } from 'node:fs';
import { crc32 as crc32OfMany } from 'node:zlib';
import { crc32 as crc32OfFew } from '../../../kernel/crc32.ts';
import { kinds, type Trailer, taskColumns, type WorkerPlan } from './plan.ts';

const CHUNK = 1 << 20;
const [TAB, NEWLINE] = [9, 10];

/** Bytes from which the call into zlib pays. */
const MANY = 64;

/** One row. */
export interface RowIn {
  readonly numbers: readonly number[];
  /** The other columns with tabs between them. Good until the next row is asked for. */
  readonly rest: Uint8Array;
}

/** Rows of the columns of a task. One whose bytes were changed on the way is an error. */
export function* rowsIn(task: WorkerPlan['task']): Generator<RowIn> {
  const count = taskColumns[task].numbers.length;
  for (const line of linesIn()) {
    const numbers: number[] = [];
    let start = 0;
    for (let i = 0; i <= count; i++) {
      const tab = line.indexOf(TAB, start);
      const number = tab <= start ? Number.NaN : Number(line.toString('latin1', start, tab));
      if (!Number.isSafeInteger(number)) throw new Error(`field ${i} of a row of the input is not a whole number`);
      numbers.push(number);
      start = tab + 1;
    }
    const rest = line.subarray(start);
    const crc = numbers.pop();
    if ((rest.length < MANY ? crc32OfFew(rest) : crc32OfMany(rest)) !== crc)
      throw new Error(`row ${numbers.join(' ')} of the input was changed on the way: its checksum is wrong`);
    yield { numbers, rest };
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
  #sum = 0n;
  /** What is to be added to the sum: exact, since it is added with every flush. */
  #sumOfParts = 0;
  comparisons = 0;

  see(rid: number): void {
    this.#seen++;
    this.#rids += BigInt(rid);
  }

  /** No field may hold a tab or a newline: they are numbers, hex digits and JSON. */
  row(kind: string, rid: number, other: number, keys: string, json: string, extra = ''): void {
    this.#written++;
    const row = `${kind}\t${rid}\t${other}\t${keys}\t${json}\t${extra}`;
    this.#sumOfParts += crc32OfMany(row);
    this.#push(`${row}\n`);
  }

  end(unknownFields: readonly string[] = []): void {
    const { comparisons } = this;
    this.#flush();
    const [rids, sum] = [String(this.#rids), String(this.#sum)];
    const trailer: Trailer = { seen: this.#seen, written: this.#written, rids, sum, comparisons, unknownFields };
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
    this.#sum += BigInt(this.#sumOfParts);
    this.#sumOfParts = 0;
  }
}
