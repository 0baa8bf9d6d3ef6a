/** Elements that very many documents share → since which entry each counts as common: one table for an index, in memory. */
import { halvesOf } from '../../engine/analyse/key-arrays.ts';
import { keyKinds } from '../keys.ts';

/** Since when an element is common that is not. */
export const NEVER = 0xffffffff;

/** What entries that name common elements are found by: a content hash that no document will have. */
export const COMMONS_KEY: BigUint64Array = BigUint64Array.of(0x636f_6d6d_6f6e_7320n | BigInt(keyKinds.content));

const FIRST_ROOM = 16;

export class CommonElements {
  #room = FIRST_ROOM;
  #high = new Uint32Array(FIRST_ROOM);
  #low = new Uint32Array(FIRST_ROOM);
  /** The number of the entry and one, or 0 where the slot is empty. */
  #since = new Uint32Array(FIRST_ROOM);
  #size = 0;
  #first = NEVER;

  get size(): number {
    return this.#size;
  }

  /** The first entry that named any. */
  get first(): number {
    return this.#first;
  }

  /** Those that were named before stay as they are. */
  add(elements: BigUint64Array, number: number): void {
    const halves = halvesOf(elements);
    this.#first = Math.min(this.#first, number);
    for (let at = 0; at < halves.length; at += 2) {
      if (2 * this.#size >= this.#room) this.#grow();
      this.#put(halves[at + 1]!, halves[at]!, number + 1);
    }
  }

  /** For each element the number of the entry that named it. */
  sinceOf(set: BigUint64Array): Uint32Array {
    const halves = halvesOf(set);
    const since = new Uint32Array(set.length);
    for (let at = 0; at < since.length; at++) {
      const found = this.#since[this.#slotFor(halves[2 * at + 1]!, halves[2 * at]!)]!;
      since[at] = found === 0 ? NEVER : found - 1;
    }
    return since;
  }

  #put(high: number, low: number, since: number): void {
    const slot = this.#slotFor(high, low);
    if (this.#since[slot] !== 0) return;
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#since[slot] = since;
    this.#size++;
  }

  /** The slot that has the element, or the empty one where it belongs; elements are hashes. */
  #slotFor(high: number, low: number): number {
    const last = this.#room - 1;
    let slot = low & last;
    while (this.#since[slot] !== 0 && (this.#low[slot] !== low || this.#high[slot] !== high)) slot = (slot + 1) & last;
    return slot;
  }

  #grow(): void {
    const [high, low, since] = [this.#high, this.#low, this.#since];
    this.#room *= 2;
    this.#high = new Uint32Array(this.#room);
    this.#low = new Uint32Array(this.#room);
    this.#since = new Uint32Array(this.#room);
    this.#size = 0;
    for (let slot = 0; slot < since.length; slot++)
      if (since[slot] !== 0) this.#put(high[slot]!, low[slot]!, since[slot]!);
  }
}

/** Of some sets the elements that at least so many of them have, ascending. */
export function sharedByMany(sets: readonly BigUint64Array[], least: number): BigUint64Array {
  const all = new BigUint64Array(sets.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const set of sets) {
    all.set(set, end);
    end += set.length;
  }
  all.sort();
  let count = 0;
  for (let at = 0; at + least <= all.length; ) {
    const element = all[at]!;
    let same = at + 1;
    while (same < all.length && all[same] === element) same++;
    if (same - at >= least) all[count++] = element;
    at = same;
  }
  return all.slice(0, count);
}
