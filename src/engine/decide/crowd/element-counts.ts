/** Shingle sets → how often each element comes in them, and so the order of a set's elements, rarest first. */
import type { Steps } from '../../../cluster/steps.ts';
import { halvesOf } from '../../analyse/key-arrays.ts';

/** A set of 2²⁶ elements is a text of 300 MB. */
const PLACES = 2 ** 26;
const SLOTS = { least: 2 ** 16, most: 2 ** 24 };
/** Elements that come more often are all alike: hardly any of them is in a prefix. */
const MOST = 2 ** 16 - 1;

/** Two slots for each element, as far as memory allows. */
export function slotsFor(elements: number): number {
  return Math.min(SLOTS.most, Math.max(SLOTS.least, 2 ** Math.ceil(Math.log2(elements + 1) + 1)));
}

/** Two elements may share a slot: then both count as less rare. Any order is right, and an element alone in its slot is alone. */
export class ElementCounts {
  /** A power of two of them. */
  readonly slots: Uint16Array;
  /** A bit for each slot that counts two or more: these bits fit the cache of a processor, where the slots do not. */
  readonly #shared: Uint32Array | undefined;
  #ranks = new Float64Array(1024);

  constructor(slots: Uint16Array, shared?: Uint32Array) {
    this.slots = slots;
    this.#shared = shared;
  }

  add(set: BigUint64Array): void {
    const { slots } = this;
    const mask = slots.length - 1;
    const halves = halvesOf(set);
    for (let low = 0; low < halves.length; low += 2) addCount(slots, halves[low]! & mask, 1);
  }

  /**
   * Elements that come at least so often, in no order, as numbers of which `placeOf` tells the place in the set and `rarestOf` the
   * rarest. Good until the next call. `halves`: the low ones of the set's elements, each at `step` times its place.
   */
  ranksOf(halves: Uint32Array, step: 1 | 2, least: 0 | 2): Float64Array {
    const { slots } = this;
    const shared = least === 2 ? this.#shared : undefined;
    const mask = slots.length - 1;
    const size = halves.length / step;
    if (this.#ranks.length < size) this.#ranks = new Float64Array(2 * size);
    const ranks = this.#ranks;
    let found = 0;
    for (let place = 0; place < size; place++) {
      const slot = halves[step * place]! & mask;
      if (shared && ((shared[slot >>> 5]! >>> (slot & 31)) & 1) === 0) continue;
      const count = slots[slot]!;
      // How often and where in one number, for the plain order of numbers.
      if (count >= least) ranks[found++] = count * PLACES + place;
    }
    return ranks.subarray(0, found);
  }
}

/** What a slot counts, and so much more. */
export function addCount(slots: Uint16Array, slot: number, more: number): void {
  slots[slot] = Math.min(MOST, slots[slot]! + more);
}

/** Fewer than this are found faster one by one than by sorting all. */
const FEW = 64;

/** The `wanted` lowest ranks, ascending; changes the order of what it is given. */
export function rarestOf(ranks: Float64Array, wanted: number): Float64Array {
  if (wanted > FEW || wanted === ranks.length) return ranks.sort().subarray(0, wanted);
  const lowest = ranks.subarray(0, wanted).sort();
  for (let i = wanted; i < ranks.length; i++) {
    const rank = ranks[i]!;
    let at = wanted;
    while (at > 0 && lowest[at - 1]! > rank) at--;
    if (at === wanted) continue;
    lowest.copyWithin(at + 1, at, wanted - 1);
    lowest[at] = rank;
  }
  return lowest;
}

export function placeOf(rank: number): number {
  return rank % PLACES;
}

/** `setOf` is asked for each item, and for the first ones twice. There is a checkpoint at every item. */
export function* countElements(items: Uint32Array, setOf: (item: number) => BigUint64Array): Steps<ElementCounts> {
  const counts = new ElementCounts(new Uint16Array(slotsFor(yield* elementsIn(items, setOf))));
  for (const item of items) {
    counts.add(setOf(item));
    yield;
  }
  return counts;
}

const SAMPLE = 1000;

/** An estimate: the sets of all items are taken to be as large as the first ones. */
function* elementsIn(items: Uint32Array, setOf: (item: number) => BigUint64Array): Steps<number> {
  const sample = items.subarray(0, SAMPLE);
  let elements = 0;
  for (const item of sample) {
    elements += setOf(item).length;
    yield;
  }
  return (elements / Math.max(1, sample.length)) * items.length;
}
