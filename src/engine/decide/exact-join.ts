/** Shingle sets → the rarest elements of each, of which two similar sets share at least one (prefix filtering); no LSH. */

import type { Steps } from '../../cluster/steps.ts';
import { halvesOf } from '../analyse/key-arrays.ts';
import { countElements, type ElementCounts, placeOf, rarestOf } from './crowd/element-counts.ts';

/**
 * Two sets of resemblance ≥ t share at least one of their n − ⌈t·n⌉ + 1 first elements, under any order of all elements
 * that both use; of a set that is contained by t, one of these is anywhere in the other. Rare elements first make few
 * candidates; that two elements may count as one (`element-counts.ts`) costs candidates, never a pair. There is a checkpoint
 * at every item.
 */
export function* rarestElements(
  count: number,
  setOf: (item: number) => BigUint64Array,
  threshold: number,
): Steps<BigUint64Array[]> {
  const counts = yield* countElements(
    Uint32Array.from({ length: count }, (_, item) => item),
    setOf,
  );
  const rarest: BigUint64Array[] = [];
  for (let item = 0; item < count; item++) {
    const set = setOf(item);
    rarest.push(set.length === 0 ? set : rarestIn(set, set.length - leastOverlap(set.length, threshold) + 1, counts));
    yield;
  }
  return rarest;
}

/** ⌈t·n⌉, with room for the rounding of t·n: an element too many is harmless, one too few is not. */
function leastOverlap(size: number, threshold: number): number {
  return Math.max(1, Math.ceil(threshold * size - 1e-9));
}

function rarestIn(set: BigUint64Array, wanted: number, counts: ElementCounts): BigUint64Array {
  const halves = halvesOf(set);
  const ranked = rarestOf(counts.ranksOf(halves, 2, 0), wanted);
  const rarest = new BigUint64Array(wanted);
  const rarestHalves = halvesOf(rarest);
  for (let i = 0; i < wanted; i++) {
    const place = placeOf(ranked[i]!);
    rarestHalves[2 * i] = halves[2 * place]!;
    rarestHalves[2 * i + 1] = halves[2 * place + 1]!;
  }
  return rarest;
}
