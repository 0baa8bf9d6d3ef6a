/** Keys and numbers, put in one by one → the numbers of a key: a hash table of chains in typed arrays, no object for a key. */
import { limitOf } from './keys.ts';
import type { PostingColumns } from './sort-postings.ts';

const NONE = -1;
const FIRST_ROOM = 1024;

export class PostingTable {
  #count = 0;
  #high: Uint32Array;
  #low: Uint32Array;
  #number: Uint32Array;
  /** The posting put into the same slot before. */
  #previous: Int32Array;
  /** As many slots as there is room, or more; keys are hashes, so some of their bits are the slot. */
  #newest: Int32Array;

  /** With room for so many at first, a power of two. */
  constructor(room = FIRST_ROOM) {
    this.#high = new Uint32Array(room);
    this.#low = new Uint32Array(room);
    this.#number = new Uint32Array(room);
    this.#previous = new Int32Array(room);
    this.#newest = new Int32Array(room).fill(NONE);
  }

  get count(): number {
    return this.#count;
  }

  /** Keys as pairs of halves, the low one first. */
  add(halves: Uint32Array, number: number): void {
    while (this.#count + halves.length / 2 > this.#high.length) this.#grow();
    for (let low = 0; low < halves.length; low += 2) this.#put(halves[low + 1]!, halves[low]!, number);
  }

  /** Appends to `found`, ascending when numbers were added in order; a list is made only when there is something for it. */
  find(high: number, low: number, found: number[] | undefined): number[] | undefined {
    let list = found;
    const before = list?.length ?? 0;
    for (let at = this.#newest[this.#slot(high)]!; at !== NONE; at = this.#previous[at]!) {
      if (this.#low[at] !== low || this.#high[at] !== high) continue;
      list ??= [];
      list.push(this.#number[at]!);
    }
    if (!list) return undefined;
    if (list.length > before + 1) reverse(list, before);
    if (list.length - before > limitOf(low)) list.length = before + limitOf(low);
    return list;
  }

  /** Pairs of halves, the low one first; in the order of adding. */
  keys(): Uint32Array {
    const halves = new Uint32Array(2 * this.#count);
    for (let at = 0; at < this.#count; at++) {
      halves[2 * at] = this.#low[at]!;
      halves[2 * at + 1] = this.#high[at]!;
    }
    return halves;
  }

  /** A copy, in the order of adding. */
  columns(): PostingColumns {
    return {
      high: this.#high.slice(0, this.#count),
      low: this.#low.slice(0, this.#count),
      number: this.#number.slice(0, this.#count),
    };
  }

  #slot(high: number): number {
    return high & (this.#newest.length - 1);
  }

  #put(high: number, low: number, number: number): void {
    const at = this.#count++;
    this.#high[at] = high;
    this.#low[at] = low;
    this.#number[at] = number;
    const slot = this.#slot(high);
    this.#previous[at] = this.#newest[slot]!;
    this.#newest[slot] = at;
  }

  #grow(): void {
    const room = this.#high.length * 2;
    this.#high = grown(this.#high, room);
    this.#low = grown(this.#low, room);
    this.#number = grown(this.#number, room);
    this.#previous = new Int32Array(room);
    this.#newest = new Int32Array(room).fill(NONE);
    for (let at = 0; at < this.#count; at++) {
      const slot = this.#slot(this.#high[at]!);
      this.#previous[at] = this.#newest[slot]!;
      this.#newest[slot] = at;
    }
  }
}

function grown(old: Uint32Array, room: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(room);
  larger.set(old);
  return larger;
}

function reverse(list: number[], from: number): void {
  for (let a = from, b = list.length - 1; a < b; a++, b--) [list[a], list[b]] = [list[b]!, list[a]!];
}
