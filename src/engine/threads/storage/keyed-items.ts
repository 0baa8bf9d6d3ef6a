/** (64-bit key, document) of one chunk → the same in parts by the first bits of the key, so that each part of all chunks can be grouped by itself. */

import { halvesOf } from '../../analyse/key-arrays.ts';
import { wordsColumn } from '../../decide/columns.ts';
import type { Columns } from './stage-file.ts';

/** What documents may share. Of `contents` all 128 bits must be equal. */
export const families = ['ids', 'contents', 'elements', 'keys'] as const;
export type Family = (typeof families)[number];

/** 32-bit words of a keyed item: low half of the key, high half, document in its chunk; of contents two more. */
export const keyedItemWords: Readonly<Record<Family, number>> = { ids: 3, contents: 5, elements: 3, keys: 3 };

const PART_BITS = 8;
export const PARTS = 1 << PART_BITS;

/** Keyed items that come before each part, and all of them at the end. */
export type PartStarts = readonly number[];

export class KeyedItems {
  readonly #words = wordsColumn();
  readonly #sorted = wordsColumn();
  readonly #size: number;

  constructor(family: Family) {
    this.#size = keyedItemWords[family];
  }

  clear(): void {
    this.#words.length = 0;
  }

  add(low: number, high: number, item: number): void {
    const words = this.#words;
    words.reserve(3);
    words.values[words.length] = low;
    words.values[words.length + 1] = high;
    words.values[words.length + 2] = item;
    words.length += 3;
  }

  addContent(content: ArrayLike<number>, item: number): void {
    this.add(content[0]!, content[1]!, item);
    this.#words.push(content[2]!);
    this.#words.push(content[3]!);
  }

  addKeys(keys: BigUint64Array, item: number): void {
    const halves = halvesOf(keys);
    for (let i = 0; i < halves.length; i += 2) this.add(halves[i]!, halves[i + 1]!, item);
  }

  /** Keys as the kernel wrote them. */
  addWords(halves: Uint32Array, from: number, to: number, item: number): void {
    const words = this.#words;
    words.reserve(((to - from) / 2) * 3);
    const { values } = words;
    let at = words.length;
    for (let i = from; i < to; i += 2) {
      values[at++] = halves[i]!;
      values[at++] = halves[i + 1]!;
      values[at++] = item;
    }
    words.length = at;
  }

  /** Parts in order; those of a part in the order they came. */
  inParts(): { readonly words: Uint32Array; readonly starts: PartStarts } {
    const words = this.#words.used();
    const size = this.#size;
    const starts = new Uint32Array(PARTS + 1);
    for (let at = 0; at < words.length; at += size) starts[partOf(words[at]!) + 1]!++;
    for (let part = 0; part < PARTS; part++) starts[part + 1]! += starts[part]!;
    const next = starts.slice();
    this.#sorted.length = 0;
    this.#sorted.reserve(words.length);
    const sorted = this.#sorted.values;
    for (let at = 0; at < words.length; at += size) {
      copyKeyedItem(words, at, sorted, next[partOf(words[at]!)]!++ * size, size);
    }
    return { words: sorted.subarray(0, words.length), starts: [...starts] };
  }
}

function copyKeyedItem(from: Uint32Array, at: number, to: Uint32Array, place: number, size: number): void {
  to[place] = from[at]!;
  to[place + 1] = from[at + 1]!;
  to[place + 2] = from[at + 2]!;
  for (let i = 3; i < size; i++) to[place + i] = from[at + i]!;
}

function partOf(low: number): number {
  return low >>> (32 - PART_BITS);
}

export type KeyedItemsOf = Readonly<Record<Family, KeyedItems>>;

export function createKeyedItems(): KeyedItemsOf {
  return {
    ids: new KeyedItems('ids'),
    contents: new KeyedItems('contents'),
    elements: new KeyedItems('elements'),
    keys: new KeyedItems('keys'),
  };
}

export type StartsOf = Readonly<Record<Family, PartStarts>>;

/** As columns of a stage file, and where the parts start in them. */
export function keyedItemColumns(keyed: KeyedItemsOf): { readonly columns: Columns; readonly starts: StartsOf } {
  const parts = families.map(family => [family, keyed[family].inParts()] as const);
  return {
    columns: Object.fromEntries(parts.map(([family, { words }]) => [family, words])),
    starts: Object.fromEntries(parts.map(([family, { starts }]) => [family, starts])) as unknown as StartsOf,
  };
}
