/**
 * A set, and which of its elements are common → the keys of a document of a crowd in an index for containment, and those
 * to look for it.
 *
 * Of a set of n elements, whoever contains a share t has one of any n − ⌈t·n⌉ + 1 of them, anywhere. So a document is
 * stored under every element that is not common, and who looks takes as many that never were. It may have too few, being
 * boilerplate nearly all of it: then it takes the band keys of crowds, which a document is stored under as well, apart from
 * the band keys of others.
 */
import { halvesOf } from '../../engine/analyse/key-arrays.ts';
import { prefixLength } from '../../similarity/prefix-bound.ts';
import { NEVER } from './common-elements.ts';
import { type Probe, rareKeys } from './prefix-keys.ts';

/** What a document of a crowd is stored under, besides its sampled elements. */
export function containingKeys(
  set: BigUint64Array,
  commonBits: Uint8Array,
  bands: BigUint64Array,
): readonly BigUint64Array[] {
  const rare = set.filter((_, at) => ((commonBits[at >>> 3]! >>> (at & 7)) & 1) === 0);
  return [rareKeys(rare), crowdBands(bands)];
}

/** `since` says for each element from which entry on it is common. */
export function containedProbe(
  set: BigUint64Array,
  since: Uint32Array,
  bands: BigUint64Array,
  threshold: number,
): Probe {
  const length = prefixLength(set.length, threshold);
  const rare = set.filter((_, at) => since[at] === NEVER).subarray(0, length);
  const findsAll = rare.length === length;
  const keys = findsAll ? rareKeys(rare) : crowdBands(bands);
  return { keys, places: Array.from(keys, (_, at) => (findsAll ? at : 0)), inner: [], set, findsAll };
}

/** Not in the bits of the kind. */
const OF_CROWD = 0x632be5a8;

export function crowdBands(bands: BigUint64Array): BigUint64Array {
  const keys = bands.slice();
  const halves = halvesOf(keys);
  for (let low = 0; low < halves.length; low += 2) halves[low]! ^= OF_CROWD;
  return keys;
}
