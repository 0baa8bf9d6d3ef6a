/** The keys of one band over all documents → groups of two or more that share a key. */
import type { Rows } from '../buckets.ts';
import type { ChunkColumns } from './columns.ts';

export interface BandTask {
  readonly band: number;
  readonly chunks: readonly Pick<ChunkColumns, 'count' | 'keys'>[];
  /** 1 for each document that takes part. */
  readonly active: Uint8Array;
}

/** Documents of a bucket ascend; buckets come in the order of their keys' low halves. */
export function bandBuckets({ band, chunks, active }: BandTask): Rows {
  const { low, high, items } = gather(band, chunks, active);
  const order = sortedEntries(low);
  const starts: number[] = [0];
  const values = new Uint32Array(new SharedArrayBuffer(items.length * 4));
  let used = 0;
  for (let start = 0, end = 0; start < order.length; start = end) {
    const key = low[order[start]!]!;
    for (end = start + 1; end < order.length && low[order[end]!] === key; ) end++;
    if (end - start === 1) continue;
    for (const bucket of byHighHalf(order.subarray(start, end), high)) {
      for (const entry of bucket) values[used++] = items[entry]!;
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

function gather(band: number, chunks: BandTask['chunks'], active: Uint8Array) {
  let total = 0;
  for (const isActive of active) total += isActive;
  const low = new Uint32Array(total);
  const high = new Uint32Array(total);
  const items = new Uint32Array(total);
  let at = 0;
  let item = 0;
  for (const { count, keys } of chunks) {
    const lowStart = band * 2 * count;
    for (let i = 0; i < count; i++, item++) {
      if (!active[item]) continue;
      low[at] = keys[lowStart + i]!;
      high[at] = keys[lowStart + count + i]!;
      items[at++] = item;
    }
  }
  return { low, high, items };
}

const DIGITS = 2048;

/** The order that sorts the keys: three counting passes of 11 bits; keys move along, so that each pass reads in order. */
function sortedEntries(keys: Uint32Array): Uint32Array {
  const count = keys.length;
  let key = keys;
  let entry: Uint32Array | undefined;
  for (const shift of [0, 11, 22]) {
    const places = new Uint32Array(DIGITS);
    for (let i = 0; i < count; i++) places[(key[i]! >>> shift) & (DIGITS - 1)]!++;
    let before = 0;
    for (let digit = 0; digit < DIGITS; digit++) {
      const here = places[digit]!;
      places[digit] = before;
      before += here;
    }
    const nextKey = new Uint32Array(count);
    const nextEntry = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const value = key[i]!;
      const place = places[(value >>> shift) & (DIGITS - 1)]!++;
      nextKey[place] = value;
      nextEntry[place] = entry ? entry[i]! : i;
    }
    key = nextKey;
    entry = nextEntry;
  }
  return entry!;
}
