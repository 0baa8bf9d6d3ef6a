/** Lists of numbers, put in one by one → each number, and how many of the lists have it: typed arrays, used again and again. */
import { firstAtLeast } from '../engine/ascending.ts';
import type { Numbers } from './contract.ts';

const FIRST_ROOM = 1024;
/** Looking up a number in a list takes this many times as long as going on to the next of the list. */
const LOOKING_UP = 12;

export class SharedCounts {
  /** As they were seen first. */
  #numbers = new Uint32Array(FIRST_ROOM);
  #counts = new Uint32Array(FIRST_ROOM);
  /** Where each stands in the slots. */
  #slotOf = new Uint32Array(FIRST_ROOM);
  /** Twice as many as there is room: the place of a number and one, or 0. */
  #slots = new Uint32Array(2 * FIRST_ROOM);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  numberAt(place: number): number {
    return this.#numbers[place]!;
  }

  countAt(place: number): number {
    return this.#counts[place]!;
  }

  clear(): void {
    for (let place = 0; place < this.#size; place++) this.#slots[this.#slotOf[place]!] = 0;
    this.#size = 0;
  }

  /** Each number of a list stands in it once. */
  add(list: Numbers): void {
    while (this.#size + list.length > this.#numbers.length) this.#grow();
    for (let i = 0; i < list.length; i++) {
      const number = list[i]!;
      const slot = this.#slotFor(number);
      const known = this.#slots[slot]!;
      if (known > 0) this.#counts[known - 1]!++;
      else this.#put(number, 1, slot);
    }
  }

  /** The same for a list whose numbers count only if another had them before. */
  addKnown(list: Numbers): void {
    if (this.#size * LOOKING_UP < list.length) {
      for (let place = 0; place < this.#size; place++) if (has(list, this.#numbers[place]!)) this.#counts[place]!++;
      return;
    }
    for (let i = 0; i < list.length; i++) {
      const known = this.#slots[this.#slotFor(list[i]!)]!;
      if (known > 0) this.#counts[known - 1]!++;
    }
  }

  /** The slot that has the number, or the empty one where it belongs. */
  #slotFor(number: number): number {
    const last = this.#slots.length - 1;
    // Neighbouring numbers, which are seen together, stand together.
    let slot = number & last;
    for (let known = this.#slots[slot]!; known > 0; known = this.#slots[slot]!) {
      if (this.#numbers[known - 1] === number) break;
      slot = (slot + 1) & last;
    }
    return slot;
  }

  #put(number: number, count: number, slot: number): void {
    const place = this.#size++;
    this.#numbers[place] = number;
    this.#counts[place] = count;
    this.#slotOf[place] = slot;
    this.#slots[slot] = place + 1;
  }

  #grow(): void {
    const { length } = this.#numbers;
    const [numbers, counts, size] = [this.#numbers, this.#counts, this.#size];
    this.#numbers = new Uint32Array(2 * length);
    this.#counts = new Uint32Array(2 * length);
    this.#slotOf = new Uint32Array(2 * length);
    this.#slots = new Uint32Array(4 * length);
    this.#size = 0;
    for (let place = 0; place < size; place++)
      this.#put(numbers[place]!, counts[place]!, this.#slotFor(numbers[place]!));
  }
}

function has(ascending: Numbers, number: number): boolean {
  return ascending[firstAtLeast(ascending, number)] === number;
}
