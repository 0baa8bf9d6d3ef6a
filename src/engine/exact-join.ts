/** Shingle sets → the rarest elements of each, of which two similar sets share at least one (prefix filtering); no LSH. */
import { halvesOf } from './key-arrays.ts';

/**
 * Two sets of resemblance ≥ t share at least one of their n − ⌈t·n⌉ + 1 first elements, under any order of all elements
 * that both use; of a set that is contained by t, one of these is anywhere in the other. Rare elements first make few
 * candidates; how rare is counted in a table of fixed size, which two elements may share: that costs candidates, never
 * a pair.
 */
export function rarestElements(
  count: number,
  setOf: (item: number) => BigUint64Array,
  threshold: number,
): BigUint64Array[] {
  const slots = countElements(count, setOf);
  return Array.from({ length: count }, (_, item) => {
    const set = setOf(item);
    return set.length === 0 ? set : rarestOf(set, set.length - leastOverlap(set.length, threshold) + 1, slots);
  });
}

/** ⌈t·n⌉, with room for the rounding of t·n: an element too many is harmless, one too few is not. */
function leastOverlap(size: number, threshold: number): number {
  return Math.max(1, Math.ceil(threshold * size - 1e-9));
}

const MOST_SLOTS = 2 ** 22;

function countElements(count: number, setOf: (item: number) => BigUint64Array): Uint32Array {
  const slots = new Uint32Array(Math.min(MOST_SLOTS, 2 ** Math.ceil(Math.log2(count + 1) + 10)));
  for (let item = 0; item < count; item++) {
    const halves = halvesOf(setOf(item));
    for (let low = 0; low < halves.length; low += 2) slots[halves[low]! & (slots.length - 1)]!++;
  }
  return slots;
}

/** How often and where in one number, for the plain sort of numbers; a set of 2²⁶ elements is a text of 300 MB. */
const PLACES = 2 ** 26;

function rarestOf(set: BigUint64Array, wanted: number, slots: Uint32Array): BigUint64Array {
  const halves = halvesOf(set);
  const ranks = new Float64Array(set.length);
  for (let place = 0; place < set.length; place++) {
    ranks[place] = slots[halves[2 * place]! & (slots.length - 1)]! * PLACES + place;
  }
  ranks.sort();
  const rarest = new BigUint64Array(wanted);
  const rarestHalves = halvesOf(rarest);
  for (let i = 0; i < wanted; i++) {
    const place = ranks[i]! % PLACES;
    rarestHalves[2 * i] = halves[2 * place]!;
    rarestHalves[2 * i + 1] = halves[2 * place + 1]!;
  }
  return rarest;
}
