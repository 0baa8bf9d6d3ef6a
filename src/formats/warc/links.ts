/** Headers of WARC records, and which documents stay → whether a record that is no document goes with one that was removed. */
import { createHash } from 'node:crypto';
import { headerLines } from './records.ts';

/** What a record says of itself and of others. */
export interface Links {
  readonly type: string;
  readonly id: string | undefined;
  /** Records of the same capture. */
  readonly concurrentTo: readonly string[];
  readonly refersTo: string | undefined;
}

/** `record` begins with the headers of one. */
export function linksOf(record: Uint8Array): Links {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.length);
  const ends = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')].filter(end => end >= 0);
  const head = bytes.toString('utf8', 0, Math.min(...ends, bytes.length));
  const values = (name: string) => lines.filter(line => line[0] === name).map(line => line[1]);
  const lines = [...headerLines(head)];
  return {
    type: (values('warc-type')[0] ?? '').toLowerCase(),
    id: values('warc-record-id').map(withoutBrackets)[0],
    concurrentTo: values('warc-concurrent-to').map(withoutBrackets),
    refersTo: values('warc-refers-to').map(withoutBrackets)[0],
  };
}

function withoutBrackets(id: string): string {
  return id.replace(/^<(.*)>$/, '$1');
}

/** `open`: it names a record that was not seen. */
type Fate = 'stays' | 'goes' | 'open';

/** What became of the documents of a file, under their record ids and those they name. */
export class Captures {
  readonly #known = new IdTable();

  /** Some writers let the request name the response, others the response its request. */
  note({ id, concurrentTo }: Links, stays: boolean): void {
    for (const name of id === undefined ? concurrentTo : [id, ...concurrentTo]) this.#known.set(name, stays);
  }

  /** Only requests and metadata go, and only when nothing that stays is part of their capture. */
  fateOf({ type, id, concurrentTo, refersTo }: Links): Fate {
    if (type !== 'request' && type !== 'metadata') return 'stays';
    const named = concurrentTo.length === 0 && refersTo !== undefined ? [refersTo] : concurrentTo;
    const fates = (id === undefined ? named : [id, ...named]).map(name => this.#known.get(name));
    if (fates.includes(true)) return 'stays';
    if (fates.includes(false)) return 'goes';
    return concurrentTo.length > 0 ? 'open' : 'stays';
  }

  /** Names that are known. */
  get size(): number {
    return this.#known.size;
  }
}

/** Ids → whether one of the documents under it stays. 16 to 32 bytes an id, where a Map of strings takes 150 and ends at 16.7 million. */
class IdTable {
  size = 0;
  /** 62 bits of the hash, 1 where the slot is taken, 1 where it stays. */
  #slots = new BigUint64Array(1024);

  set(id: string, stays: boolean): void {
    if (this.size * 2 >= this.#slots.length) this.#grow();
    const entry = entryOf(id);
    const at = this.#find(entry);
    if (this.#slots[at] === 0n) this.size++;
    this.#slots[at]! |= entry | (stays ? 1n : 0n);
  }

  get(id: string): boolean | undefined {
    const slot = this.#slots[this.#find(entryOf(id))]!;
    return slot === 0n ? undefined : (slot & 1n) === 1n;
  }

  /** Where it is, or where it would be. */
  #find(entry: bigint): number {
    const mask = this.#slots.length - 1;
    let at = Number(entry >> 32n) & mask;
    while (this.#slots[at] !== 0n && (this.#slots[at]! | 1n) !== (entry | 1n)) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new BigUint64Array(before.length * 2);
    for (const slot of before) if (slot !== 0n) this.#slots[this.#find(slot)] = slot;
  }
}

/** A cryptographic hash, so that no record can be given the hash of another to make that one's request go. */
function entryOf(id: string): bigint {
  return (createHash('sha256').update(id).digest().readBigUInt64LE() | 3n) ^ 1n;
}
