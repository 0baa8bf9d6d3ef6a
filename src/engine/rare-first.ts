/** Shingle sets → the first elements of each that matter, rarest first: an order that all of these sets share. */
import { prefixLength } from '../similarity/prefix-bound.ts';
import { halvesOf } from './key-arrays.ts';

/** Of the elements of a set, rarest first, those that may be the first that a similar set has, too. */
export interface Prefix {
  /** Of the whole set. */
  readonly size: number;
  /** Lower halves; elements that no other set has are left out, though they stand before these. */
  readonly elements: Uint32Array;
  /** Elements of the set from the first of these on. */
  readonly left: number;
}

/** A prefix is good until the next one is asked for. */
export type PrefixOf = (item: number) => Prefix;

const nothing: Prefix = { size: 0, elements: new Uint32Array(0), left: 0 };

/**
 * How rare an element is, is counted in a table that two elements may share a slot of: any order will do, and an element
 * alone in its slot is alone. `setOf` is asked for each item, and again for each prefix.
 */
export function rareFirst(items: Uint32Array, setOf: (item: number) => BigUint64Array, threshold: number): PrefixOf {
  const countOf = countElements(items, setOf);
  let ranks = new Float64Array(1024);
  let elements = new Uint32Array(256);
  return item => {
    const set = setOf(item);
    const size = set.length;
    const halves = halvesOf(set);
    if (ranks.length < size) ranks = new Float64Array(2 * size);
    let shared = 0;
    for (let place = 0; place < size; place++) {
      const count = countOf(halves[2 * place]!);
      // How often and where in one number, for the plain sort of numbers.
      if (count > 1) ranks[shared++] = count * PLACES + place;
    }
    const own = size - shared;
    const length = prefixLength(size, threshold) - own;
    if (length <= 0) return nothing;
    const ranked = ranks.subarray(0, shared).sort();
    if (elements.length < length) elements = new Uint32Array(2 * length);
    for (let i = 0; i < length; i++) elements[i] = halves[2 * (ranked[i]! % PLACES)]!;
    return { size, elements: elements.subarray(0, length), left: size - own };
  };
}

/** A set of 2²⁶ elements is a text of 300 MB. */
const PLACES = 2 ** 26;
const SLOTS = { least: 2 ** 16, most: 2 ** 24 };

/** One byte for each slot, since the table is read all over; the few elements that fill it are counted on in a small one. */
const FULL = 0xff;
const COMMON = 2 ** 16;

function countElements(items: Uint32Array, setOf: (item: number) => BigUint64Array): (element: number) => number {
  const slots = 2 ** Math.ceil(Math.log2(elementsIn(items, setOf) + 1) + 1);
  const counts = new Uint8Array(Math.min(SLOTS.most, Math.max(SLOTS.least, slots)));
  const common = new Uint32Array(COMMON);
  const mask = counts.length - 1;
  for (const item of items) {
    const halves = halvesOf(setOf(item));
    for (let i = 0; i < halves.length; i += 2) {
      const slot = halves[i]! & mask;
      if (counts[slot]! < FULL) counts[slot]!++;
      else common[slot % COMMON]!++;
    }
  }
  return element => {
    const count = counts[element & mask]!;
    return count < FULL ? count : FULL + common[(element & mask) % COMMON]!;
  };
}

const SAMPLE = 1000;

/** About: the sets of all items are like the first ones. */
function elementsIn(items: Uint32Array, setOf: (item: number) => BigUint64Array): number {
  const sample = items.subarray(0, SAMPLE);
  const elements = sample.reduce((sum, item) => sum + setOf(item).length, 0);
  return (elements / sample.length) * items.length;
}
