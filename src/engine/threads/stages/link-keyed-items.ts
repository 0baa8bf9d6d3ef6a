/** Keyed items of all chunks in some parts of the keys → rows of two or more documents that share a key, in a file. */

import { wordsColumn } from '../../decide/columns.ts';
import { sortedOrder } from '../../decide/radix.ts';
import type { ChunkFile } from '../storage/chunk-columns.ts';
import {
  copyKeyedItem,
  type Family,
  keyedItemWords,
  keyRange,
  readKeyedItems,
  subPartOf,
} from '../storage/keyed-items.ts';
import { type StageFile, writeStage } from '../storage/stage-file.ts';

export interface LinkTask {
  readonly family: Family;
  /** Parts `from` … `to` − 1; of one part, if `of` is more than 1, only the sub-part numbered `pass`. */
  readonly from: number;
  readonly to: number;
  readonly pass: number;
  readonly of: number;
  readonly path: string;
}

/** All documents of all chunks, numbered through. */
export interface Numbered {
  readonly chunks: readonly ChunkFile[];
  readonly bases: readonly number[];
}

/** Columns: `starts` of the rows, one more at the end; `items`, ascending in each row. Rows come in the order of the keys' low halves. */
export type RowsFile = StageFile<{ readonly rows: number; readonly items: number }>;

/** `active`: 1 for each document that takes part; all do, where it is not given. */
export function linkKeyedItems(task: LinkTask, numbered: Numbered, active: Uint8Array | undefined): RowsFile {
  const rows = new RowsBuilder(keyedItemWords[task.family]);
  for (const [part, keyed] of loadParts(task, numbered).entries()) {
    const chosen = choose(keyed, task, active);
    for (const slice of inSlices(chosen, task, task.from + part)) rows.addShared(slice);
  }
  return rows.write(task.path);
}

/** The keyed items of each part, chunk after chunk, with documents numbered through. */
function loadParts({ family, from, to }: LinkTask, { chunks, bases }: Numbered): Uint32Array[] {
  const size = keyedItemWords[family];
  const parts = Array.from({ length: to - from }, (_, i) => {
    const sizes = chunks.map(({ facts }) => facts.starts[family][from + i + 1]! - facts.starts[family][from + i]!);
    return new Uint32Array(sizes.reduce((sum, count) => sum + count, 0) * size);
  });
  const used = new Uint32Array(parts.length);
  for (let chunk = 0; chunk < chunks.length; chunk++) {
    const words = readKeyedItems(chunks[chunk]!, family, from, to);
    const base = bases[chunk]!;
    for (let at = 2; at < words.length; at += size) words[at]! += base;
    const starts = chunks[chunk]!.facts.starts[family];
    for (let i = 0; i < parts.length; i++) {
      const start = starts[from + i]! - starts[from]!;
      const end = starts[from + i + 1]! - starts[from]!;
      parts[i]!.set(words.subarray(start * size, end * size), used[i]);
      used[i]! += (end - start) * size;
    }
  }
  return parts;
}

/** Those of documents that take part, and of the sub-part that is looked at; moved to the front. */
function choose(keyed: Uint32Array, { family, pass, of }: LinkTask, active: Uint8Array | undefined): Uint32Array {
  if (!active && of === 1) return keyed;
  const size = keyedItemWords[family];
  let used = 0;
  for (let at = 0; at < keyed.length; at += size) {
    if (active && !active[keyed[at + 2]!]) continue;
    if (of > 1 && subPartOf(keyed[at]!, of) !== pass) continue;
    if (used !== at) copyKeyedItem(keyed, at, keyed, used, size);
    used += size;
  }
  return keyed.subarray(0, used);
}

/** Keyed items that fit the cache of a processor, with their table of slots. */
const SLICE = 1 << 18;

/** The keyed items of a part by ascending keys; in a slice they stand as they came. */
function* inSlices(keyed: Uint32Array, { family, pass, of }: LinkTask, part: number): Generator<Uint32Array> {
  const size = keyedItemWords[family];
  const count = Math.ceil(keyed.length / size / SLICE);
  if (count <= 1) return yield keyed;
  const { start, end } = keyRange(part, pass, of);
  const scale = count / (end - start);
  const sliceOf = (low: number) => Math.min(count - 1, Math.floor((low - start) * scale));
  const starts = new Uint32Array(count + 1);
  for (let at = 0; at < keyed.length; at += size) starts[sliceOf(keyed[at]!) + 1]! += size;
  for (let slice = 0; slice < count; slice++) starts[slice + 1]! += starts[slice]!;
  const next = starts.slice();
  const sorted = new Uint32Array(keyed.length);
  for (let at = 0; at < keyed.length; at += size) {
    const slice = sliceOf(keyed[at]!);
    const place = next[slice]!;
    copyKeyedItem(keyed, at, sorted, place, size);
    next[slice] = place + size;
  }
  for (let slice = 0; slice < count; slice++) yield sorted.subarray(starts[slice], starts[slice + 1]);
}

class RowsBuilder {
  readonly #size: number;
  readonly #starts = wordsColumn();
  readonly #items = wordsColumn();

  constructor(wordsOfEach: number) {
    this.#size = wordsOfEach;
    this.#starts.push(0);
  }

  addShared(keyed: Uint32Array): void {
    const size = this.#size;
    const shared = withoutLonely(keyed, size);
    const low = new Uint32Array(shared.length / size);
    for (let i = 0; i < low.length; i++) low[i] = shared[i * size]!;
    const order = sortedOrder(low);
    for (let start = 0, end = 0; start < order.length; start = end) {
      const key = low[order[start]!]!;
      for (end = start + 1; end < order.length && low[order[end]!] === key; ) end++;
      if (end - start === 1) continue;
      for (const group of equalRests(order.subarray(start, end), shared, size)) this.#addRow(group, shared);
    }
  }

  #addRow(group: ArrayLike<number>, keyed: Uint32Array): void {
    const items = this.#items;
    const start = items.length;
    items.reserve(group.length);
    for (let i = 0; i < group.length; i++) {
      const item = keyed[group[i]! * this.#size + 2]!;
      // A document may have an element twice, under one key.
      if (items.length === start || item !== items.values[items.length - 1]) items.values[items.length++] = item;
    }
    if (items.length - start < 2) items.length = start;
    else this.#starts.push(items.length);
  }

  write(path: string): RowsFile {
    const facts = { rows: this.#starts.length - 1, items: this.#items.length };
    return writeStage(path, { starts: this.#starts.used(), items: this.#items.used() }, facts);
  }
}

/** Keyed items whose keys begin alike → groups whose keys are equal. Nearly always it is one: 32 bits are rarely shared by chance. */
function equalRests(keyed: Uint32Array, words: Uint32Array, size: number): Iterable<ArrayLike<number>> {
  const isEqual = (a: number, b: number) =>
    words[a * size + 1] === words[b * size + 1] &&
    (size === 3 || (words[a * size + 3] === words[b * size + 3] && words[a * size + 4] === words[b * size + 4]));
  const first = keyed[0]!;
  if (keyed.every(one => isEqual(first, one))) return [keyed];
  const groups: number[][] = [];
  for (const one of keyed) {
    const group = groups.find(([known]) => isEqual(known!, one));
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups.filter(group => group.length > 1);
}

/** Only those whose keys may be shared: most are alone in their slot of a table, and need not be sorted. */
function withoutLonely(keyed: Uint32Array, size: number): Uint32Array {
  const mask = slotsFor(keyed.length / size) - 1;
  const seen = new Uint8Array(mask + 1);
  let shared = 0;
  for (let at = 0; at < keyed.length; at += size) {
    const slot = keyed[at + 1]! & mask;
    const before = seen[slot]!;
    if (before < 2) seen[slot] = before + 1;
    // The second in a slot brings the first one with it.
    if (before > 0) shared += before === 1 ? 2 : 1;
  }
  const found = new Uint32Array(shared * size);
  let used = 0;
  for (let at = 0; at < keyed.length; at += size) {
    if (seen[keyed[at + 1]! & mask] !== 2) continue;
    copyKeyedItem(keyed, at, found, used, size);
    used += size;
  }
  return found;
}

/** Four slots and more for each: of unlike keys few then share one. */
function slotsFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(count * 4 + 1));
}

/** Bytes that a task takes for each of its keyed items when all of them are shared: table, items, sorting, rows. */
export const BYTES_PER_KEYED_ITEM = 60;
