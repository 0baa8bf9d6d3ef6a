/** (64-bit key, document) of one chunk → the same in parts by the first bits of the key, so that each part of all chunks can be grouped by itself. */

import { halvesOf } from '../../analyse/key-arrays.ts';
import { wordsColumn } from '../../decide/columns.ts';
import { aligned, type LineKernel } from './line-kernel.ts';
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

  /** Several, as they are stored. */
  append(words: Uint32Array): void {
    this.#words.append(words);
  }

  /** In the kernel's memory, parts in order, those of a part in the order they came; `at` is free from there on. */
  inParts({ exports, buffer }: LineKernel, at: number): { readonly words: Uint32Array; readonly starts: PartStarts } {
    const words = this.#words.used();
    const from = at + words.byteLength;
    const starts = from + words.byteLength;
    new Uint32Array(buffer, from, words.length).set(words);
    exports.sortInParts(from, words.length / this.#size, this.#size, at, starts);
    return {
      words: new Uint32Array(buffer, at, words.length),
      starts: [...new Uint32Array(buffer, starts, PARTS + 1)],
    };
  }

  /** Bytes that `inParts` takes. */
  get room(): number {
    return 2 * this.#words.length * 4 + (PARTS + 1) * 4;
  }
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

/** As columns of a stage file, in the memory of the kernel, and where the parts start in them. */
export function keyedItemColumns(
  keyed: KeyedItemsOf,
  lines: LineKernel,
): { readonly columns: Columns; readonly starts: StartsOf } {
  let at = aligned(lines.input);
  lines.exports.ensureMemory(families.reduce((end, family) => aligned(end + keyed[family].room), at));
  const parts = families.map(family => {
    const sorted = keyed[family].inParts(lines, at);
    at = aligned(at + keyed[family].room);
    return [family, sorted] as const;
  });
  return {
    columns: Object.fromEntries(parts.map(([family, { words }]) => [family, words])),
    starts: Object.fromEntries(parts.map(([family, { starts }]) => [family, starts])) as unknown as StartsOf,
  };
}
