/** Shingle sets → the first elements of each that matter, rarest first: an order that all of these sets share. */
import type { Steps } from '../../../cluster/steps.ts';
import { prefixLength } from '../../../similarity/prefix-bound.ts';
import { halvesOf } from '../../analyse/key-arrays.ts';
import { countElements, type ElementCounts, placeOf, rarestOf } from './element-counts.ts';

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

/** `setOf` is asked for each item, and again for each prefix. There is a checkpoint at every item. */
export function* rareFirst(
  items: Uint32Array,
  setOf: (item: number) => BigUint64Array,
  threshold: number,
): Steps<PrefixOf> {
  const prefixOf = createPrefixes(yield* countElements(items, setOf), threshold);
  return item => prefixOf(halvesOf(setOf(item)), 2);
}

const nothing: Prefix = { size: 0, elements: new Uint32Array(0), left: 0 };

/** The prefix of a set whose low halves are at each `step`. `counts`: of all sets, those whose prefixes are asked for among them. */
export function createPrefixes(counts: ElementCounts, threshold: number): (halves: Uint32Array, step: 1 | 2) => Prefix {
  let elements = new Uint32Array(256);
  return (halves, step) => {
    const size = halves.length / step;
    const shared = counts.ranksOf(halves, step, 2);
    const own = size - shared.length;
    const length = prefixLength(size, threshold) - own;
    if (length <= 0) return nothing;
    const rarest = rarestOf(shared, length);
    if (elements.length < length) elements = new Uint32Array(2 * length);
    for (let i = 0; i < length; i++) elements[i] = halves[step * placeOf(rarest[i]!)]!;
    return { size, elements: elements.subarray(0, length), left: size - own };
  };
}
