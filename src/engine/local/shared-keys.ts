/** One 64-bit key for each document → groups of two or more documents that share one: of a band, of ids, of contents. */
import type { Rows } from '../buckets.ts';
import { sortedOrder } from '../radix.ts';

/** A column of 32-bit words, `stride` apart, for the documents of one chunk. */
export interface KeyColumn {
  readonly count: number;
  readonly words: Uint32Array;
  readonly low: number;
  readonly high: number;
  readonly stride: number;
}

export interface SharedKeysTask {
  /** One for each chunk, in order. */
  readonly columns: readonly KeyColumn[];
  /** 1 for each document that takes part. */
  readonly active?: Uint8Array;
}

/** Documents of a group ascend; groups come in the order of their keys' low halves. */
export function sharedKeys(task: SharedKeysTask): Rows {
  const { low, high, items } = gather(task);
  const order = sortedOrder(low);
  const starts: number[] = [0];
  const values = new Uint32Array(new SharedArrayBuffer(items.length * 4));
  let used = 0;
  for (let start = 0, end = 0; start < order.length; start = end) {
    const key = low[order[start]!]!;
    for (end = start + 1; end < order.length && low[order[end]!] === key; ) end++;
    if (end - start === 1) continue;
    for (const group of byHighHalf(order.subarray(start, end), high)) {
      for (const entry of group) values[used++] = items[entry]!;
      starts.push(used);
    }
  }
  const sharedStarts = new Uint32Array(new SharedArrayBuffer(starts.length * 4));
  sharedStarts.set(starts);
  return { starts: sharedStarts, values: values.subarray(0, used) };
}

/** Nearly always one group: 32 bits are rarely shared by chance. */
function byHighHalf(entries: Uint32Array, high: Uint32Array): Iterable<Uint32Array | number[]> {
  const first = high[entries[0]!];
  if (entries.every(entry => high[entry] === first)) return [entries];
  const groups = new Map<number, number[]>();
  for (const entry of entries) {
    const group = groups.get(high[entry]!);
    if (group) group.push(entry);
    else groups.set(high[entry]!, [entry]);
  }
  return [...groups.values()].filter(group => group.length > 1);
}

const SLOTS = 2 ** 22;

/** Only keys that may be shared: most are alone in their slot of a table, and need not be sorted. */
function gather({ columns, active }: SharedKeysTask) {
  const seen = new Uint8Array(SLOTS);
  let shared = 0;
  let item = 0;
  for (const { count, words, low, stride } of columns) {
    for (let i = 0; i < count; i++, item++) {
      if (active && !active[item]) continue;
      const slot = words[low + i * stride]! & (SLOTS - 1);
      const before = seen[slot]!;
      if (before < 2) seen[slot] = before + 1;
      // The second in a slot brings the first one with it.
      if (before > 0) shared += before === 1 ? 2 : 1;
    }
  }
  const keys = { low: new Uint32Array(shared), high: new Uint32Array(shared), items: new Uint32Array(shared) };
  let at = 0;
  item = 0;
  for (const { count, words, low, high, stride } of columns) {
    for (let i = 0; i < count; i++, item++) {
      const key = words[low + i * stride]!;
      if ((active && !active[item]) || seen[key & (SLOTS - 1)] !== 2) continue;
      keys.low[at] = key;
      keys.high[at] = words[high + i * stride]!;
      keys.items[at++] = item;
    }
  }
  return keys;
}
