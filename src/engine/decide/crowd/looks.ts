/** A measure → how sets are searched by their rarest elements: what of a set stands in an index, and what of another is looked up there. */
import type { Steps } from '../../../cluster/steps.ts';
import {
  containingBound,
  containmentBound,
  type PlaceBound,
  resemblanceBound,
} from '../../../similarity/prefix-bound.ts';
import { halvesOf } from '../../analyse/key-arrays.ts';
import { type PrefixOf, rareFirst } from './rare-first.ts';

export interface Look {
  readonly bound: PlaceBound;
  /** What stands in the index. */
  readonly put: PrefixOf;
  /** What is looked up. */
  readonly seek: PrefixOf;
}

/** The first finds what contains a set, or resembles it; the others find the rest of what may be alike, in any order of the sets. */
export type Looks = readonly [first: Look, ...others: Look[]];

type SetOf = (item: number) => BigUint64Array;

/**
 * Two similar sets share an element that is in the prefixes of both. Of a set that is contained in another, an element of its
 * prefix is anywhere in the other: so one of the two has to stand there with all it has. There is a checkpoint at every item.
 */
export function* looksFor(
  measure: 'resemblance' | 'containment',
  items: Uint32Array,
  setOf: SetOf,
  threshold: number,
): Steps<Looks> {
  const prefixOf = yield* rareFirst(items, setOf, threshold);
  if (measure === 'resemblance') return [{ bound: resemblanceBound, put: prefixOf, seek: prefixOf }];
  const heldOf = yield* heldElements(items, setOf, prefixOf);
  return [
    { bound: containmentBound, put: heldOf, seek: prefixOf },
    { bound: containingBound, put: prefixOf, seek: heldOf },
  ];
}

const BITS = { least: 2 ** 16, most: 2 ** 27 };

/** Of each set the elements that are in the prefix of some set: nobody looks for others. Boilerplate is in hardly any. */
function* heldElements(items: Uint32Array, setOf: SetOf, prefixOf: PrefixOf): Steps<PrefixOf> {
  let total = 0;
  for (const item of items) {
    total += prefixOf(item).elements.length;
    yield;
  }
  const count = Math.min(BITS.most, Math.max(BITS.least, 2 ** Math.ceil(Math.log2(total + 1) + 4)));
  const bits = new Uint32Array(count / 32);
  for (const item of items) {
    for (const element of prefixOf(item).elements) bits[(element & (count - 1)) >>> 5]! |= 1 << (element & 31);
    yield;
  }
  let held = new Uint32Array(256);
  return item => {
    const halves = halvesOf(setOf(item));
    const size = halves.length / 2;
    if (held.length < size) held = new Uint32Array(2 * size);
    let length = 0;
    for (let low = 0; low < halves.length; low += 2) {
      const element = halves[low]!;
      if ((bits[(element & (count - 1)) >>> 5]! >>> (element & 31)) & 1) held[length++] = element;
    }
    return { size, elements: held.subarray(0, length), left: size };
  };
}
