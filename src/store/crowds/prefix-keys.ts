/**
 * A set, and which of its elements are common → the keys a document of a crowd is found by, and those to look for it.
 *
 * Elements are ordered: the ones that are not common first, then the common ones, each part by hash. Of two sets that
 * reach the threshold, ordered alike, each has a shared element in its prefix (see prefix-bound.ts). A key is made of an
 * element and of what narrows the list down where very many have the element:
 *
 *   not common                          the element
 *   common, in the inner prefix         the element: matters for partners of any size
 *   common, further out                 the element and the class of the set's size: matters for smaller partners only
 *
 * The first shared element of two sets cannot stand further out in both. So who looks, looks for inner common elements
 * of others with its whole prefix, and for outer ones of larger sets with its inner prefix only.
 */
import { toElementKeys } from '../../engine/analyse/element-keys.ts';
import { halvesOf } from '../../engine/analyse/key-arrays.ts';
import { innerPrefixLength, largestPartner, mostResemblance, prefixLength } from '../../similarity/prefix-bound.ts';
import { markKind } from '../keys.ts';
import { NEVER } from './common-elements.ts';

const RARE = 0x2545f491;
const INNER = 0x5851f42d;
const OUTER = 0x14057b7e;

/** Which elements of a set are common: a bit for each, in the order of the set, and one more that is set, where it ends. */
export function bitsOf(isCommon: (place: number) => boolean, size: number): Uint8Array {
  const bits = new Uint8Array((size >>> 3) + 1);
  for (let at = 0; at <= size; at++) if (at === size || isCommon(at)) bits[at >>> 3]! |= 1 << (at & 7);
  return bits;
}

/** What such bits tell of the set. */
export function countsOf(bits: Uint8Array): { readonly size: number; readonly common: number } {
  let set = 0;
  for (const byte of bits) for (let rest = byte; rest !== 0; rest &= rest - 1) set++;
  return { size: 8 * bits.length - 1 - (Math.clz32(bits.at(-1)!) - 24), common: set - 1 };
}

/** What a document is stored under. */
export function postedKeys(set: BigUint64Array, commonBits: Uint8Array, threshold: number): BigUint64Array {
  const keys = new KeyList(set, prefixLength(set.length, threshold));
  const inner = innerPrefixLength(set.length, threshold);
  const outer = OUTER + sizeClass(set.length, classBits(threshold));
  for (const isCommon of [0, 1]) {
    for (let at = 0; at < set.length && !keys.isFull; at++) {
      if (((commonBits[at >>> 3]! >>> (at & 7)) & 1) !== isCommon) continue;
      keys.add(at, isCommon === 0 ? RARE : keys.count < inner ? INNER : outer);
    }
  }
  return keys.finished();
}

/** What any of the elements is found by where it is not common. */
export function rareKeys(set: BigUint64Array): BigUint64Array {
  const keys = new KeyList(set, set.length);
  for (let at = 0; at < set.length; at++) keys.add(at, RARE);
  return keys.finished();
}

/** What to look for. */
export interface Probe {
  readonly keys: BigUint64Array;
  /** For each key the first place its element has in the set, whatever the age of the other document. */
  readonly places: readonly number[];
  /** Common elements in the inner prefix: larger sets may have them further out. */
  readonly inner: readonly { readonly at: number; readonly place: number }[];
  readonly set: BigUint64Array;
  /** Documents of crowds that it does not find are below the threshold. Otherwise they share no band key. */
  readonly findsAll: boolean;
}

/**
 * `since` says for each element from which entry on it is common; documents were ordered by what was common when they
 * were added. So there are as many orders to look by as there are different entries, and one more for documents that are
 * older than the first of them, if there can be any (`first`: since when there are crowds).
 */
export function probeOf(set: BigUint64Array, since: Uint32Array, first: number, threshold: number): Probe {
  const size = set.length;
  const length = prefixLength(size, threshold);
  const asRare = new Uint32Array(size).fill(size);
  const asCommon = new Uint32Array(size).fill(size);
  for (const age of agesOf(since, first)) {
    let rare = 0;
    for (let at = 0; at < size; at++) {
      if (since[at]! <= age) continue;
      if (rare < asRare[at]!) asRare[at] = rare;
      rare++;
    }
    for (let at = 0, place = rare; at < size && place < length; at++) {
      if (since[at]! > age) continue;
      if (place < asCommon[at]!) asCommon[at] = place;
      place++;
    }
  }
  const keys = new KeyList(set, 2 * size);
  const places: number[] = [];
  const inner: { at: number; place: number }[] = [];
  const innerLength = innerPrefixLength(size, threshold);
  for (let at = 0; at < size; at++) {
    if (asRare[at]! < length) {
      keys.add(at, RARE);
      places.push(asRare[at]!);
    }
    if (asCommon[at]! < length) {
      keys.add(at, INNER);
      places.push(asCommon[at]!);
      if (asCommon[at]! < innerLength) inner.push({ at, place: asCommon[at]! });
    }
  }
  return { keys: keys.finished(), places, inner, set, findsAll: true };
}

function agesOf(since: Uint32Array, first: number): number[] {
  const ages: number[] = [];
  for (const age of since) if (age !== NEVER && age !== ages.at(-1) && !ages.includes(age)) ages.push(age);
  ages.sort((a, b) => a - b);
  // Of age -1 nothing is common.
  return ages[0] === first ? ages : [-1, ...ages];
}

/** What to look for among larger sets that have a common element further out. */
export interface OuterKey {
  readonly key: BigUint64Array;
  /** No set found by it resembles this one more. */
  readonly most: number;
}

/** Those that may find the most alike first. */
export function outerKeys({ set, inner }: Probe, threshold: number): readonly OuterKey[] {
  const size = set.length;
  const bits = classBits(threshold);
  const keys: OuterKey[] = [];
  for (const { at, place } of inner) {
    const last = sizeClass(largestPartner(size, place, threshold), bits);
    for (let one = sizeClass(size + 1, bits); one <= last; one++) {
      const smallest = Math.max(size + 1, smallestOf(one, bits));
      const list = new KeyList(set, 1);
      list.add(at, OUTER + one);
      keys.push({ key: list.finished(), most: mostResemblance(size, size - place, smallest, smallest) });
    }
  }
  return keys.sort((a, b) => b.most - a.most);
}

/**
 * A power of two of classes from a power of two to the next, and up to there each size is one of its own. A partner may be
 * 1/t times as large: that is at most 64 classes down to 0.3. Their bounds must be the same on every machine.
 */
export function classBits(threshold: number): number {
  return 5 + [0.6, 0.76, 0.87, 0.93].filter(bound => threshold >= bound).length;
}

export function sizeClass(size: number, bits: number): number {
  if (size < 2 ** bits) return size;
  const power = 31 - Math.clz32(size);
  return (power - bits + 1) * 2 ** bits + ((size >>> (power - bits)) & (2 ** bits - 1));
}

export function smallestOf(sizeClass: number, bits: number): number {
  const classes = 2 ** bits;
  if (sizeClass < 2 * classes) return sizeClass;
  const power = Math.floor(sizeClass / classes) + bits - 1;
  return 2 ** power + (sizeClass % classes) * 2 ** (power - bits);
}

/** Elements of a set, each with what is mixed into its key. */
class KeyList {
  readonly #from: Uint32Array;
  readonly #keys: BigUint64Array;
  readonly #halves: Uint32Array;
  count = 0;

  constructor(set: BigUint64Array, room: number) {
    this.#from = halvesOf(set);
    this.#keys = new BigUint64Array(room);
    this.#halves = halvesOf(this.#keys);
  }

  get isFull(): boolean {
    return this.count === this.#keys.length;
  }

  add(at: number, kind: number): void {
    this.#halves[2 * this.count] = this.#from[2 * at]! ^ Math.imul(kind, 0x9e3779b1);
    this.#halves[2 * this.count + 1] = this.#from[2 * at + 1]! ^ kind;
    this.count++;
  }

  finished(): BigUint64Array {
    const keys = toElementKeys(this.#keys.slice(0, this.count));
    markKind(halvesOf(keys), 0, keys.length, 'band');
    return keys;
  }
}
