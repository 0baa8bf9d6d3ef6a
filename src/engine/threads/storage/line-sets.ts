/** Documents of a worker's share → their shingle sets, read from their lines when they are needed, and kept while there is room. */
import { SLACK, sinks } from '../../../kernel/layout.ts';
import type { Document } from '../../../model.ts';
import { cacheSets } from '../../decide/set-cache.ts';
import type { WorkerContext } from '../worker-context.ts';
import { aligned } from './line-kernel.ts';
import { AHEAD, type Lines } from './open-lines.ts';

export interface SetsOfItems {
  /** Makes the set, if there is room to keep it. */
  load(item: number): void;
  /** The same for many, ascending: their lines are read many at a time. */
  loadAll(items: Uint32Array): void;
  /** Where the sets are in the kernel's memory, if all that were loaded are there. */
  placed(): PlacedSets | undefined;
  sizeOf(item: number): number;
  /** Some number below `least` when it is below that. */
  shared(a: number, b: number, least?: number): number;
  /** To be used before the next call. */
  setOf(item: number): BigUint64Array;
}

export interface PlacedSets {
  readonly addresses: Uint32Array;
  readonly sizes: Int32Array;
  /** The memory behind the sets. */
  readonly end: number;
}

/** Lines that the kernel takes at once. */
const RUN = 4096;

/**
 * In the kernel's memory, one set behind another: [ places of lines | lines | sets … | a single line | its shingles ]. When there
 * is no more room all are forgotten. Documents that are compared come one after another, so this is rare.
 */
export function kernelSets(
  { lines, plan, analyser }: WorkerContext,
  documents: Lines,
  documentOf: (item: number) => Document,
): SetsOfItems {
  const { exports } = lines;
  const { starts, lengths } = documents;
  const { length: count } = lengths;
  const table = aligned(lines.input);
  const block = table + RUN * 8;
  const base = aligned(block + Math.max(AHEAD, longestOf(lengths)) + SLACK);
  let top = base;
  let isAllThere = true;
  const addresses = new Uint32Array(count);
  const sizes = new Int32Array(count).fill(-1);
  const add = (item: number) => {
    const line = documents.read(item);
    const { length } = line;
    lines.put(line, top);
    const shingles = aligned(top + length + SLACK);
    exports.setSink(sinks.keep, shingles);
    let size = exports.shingleLine(top, top + length);
    if (size < 0) size = putSet(analyser.setOf(documentOf(item)), top);
    else new Uint8Array(lines.buffer).copyWithin(top, shingles, shingles + size * 8);
    addresses[item] = top;
    sizes[item] = size;
    top = aligned(top + size * 8);
  };
  /** Of a line that only JavaScript can read: with a byte-order mark, or nested too deeply. */
  const putSet = (set: BigUint64Array, address: number): number => {
    exports.ensureMemory(address + set.byteLength + SLACK);
    new BigUint64Array(lines.buffer, address, set.length).set(set);
    return set.length;
  };
  /** The lines of items[from … to − 1] are in the block; returns how many sets were made. */
  const addRun = (items: Uint32Array, from: number, to: number): number => {
    const origin = block - starts[items[from]!]!;
    let words = new Uint32Array(lines.buffer, table, 2 * (to - from));
    for (let i = from; i < to; i++) {
      const item = items[i]!;
      words[2 * (i - from)] = origin + starts[item]!;
      words[2 * (i - from) + 1] = origin + starts[item]! + lengths[item]!;
    }
    const done = exports.shingleLines(table, to - from, top, base + plan.setBytes);
    words = new Uint32Array(lines.buffer, table, 2 * done);
    for (let i = 0; i < done; i++) {
      addresses[items[from + i]!] = words[2 * i]!;
      sizes[items[from + i]!] = words[2 * i + 1]!;
    }
    if (done > 0) top = aligned(words[2 * done - 2]! + words[2 * done - 1]! * 8);
    return done;
  };
  const blockOf = (bytes: number) => {
    exports.ensureMemory(block + bytes + SLACK);
    return lines.bytes(block, block + bytes);
  };
  const hasRoom = () => top - base <= plan.setBytes;
  const forget = () => {
    isAllThere = false;
    addresses.fill(0);
    top = base;
  };
  const require = (item: number) => {
    if (addresses[item] === 0) add(item);
  };
  return {
    load(item) {
      if (hasRoom()) require(item);
    },
    loadAll(items) {
      for (let at = 0; at < items.length && hasRoom(); ) {
        const last = documents.lastAhead(items[at]!);
        let end = at + 1;
        while (end < items.length && items[end]! <= last && end - at < RUN) end++;
        documents.readTo(items[at]!, items[end - 1]!, blockOf);
        const done = addRun(items, at, end);
        at += done;
        if (at < end && hasRoom()) add(items[at++]!);
        isAllThere &&= at === items.length || hasRoom();
      }
    },
    placed: () => (isAllThere ? { addresses, sizes, end: top } : undefined),
    sizeOf(item) {
      if (sizes[item]! < 0) {
        if (!hasRoom()) forget();
        add(item);
      }
      return sizes[item]!;
    },
    shared(a, b, least = 0) {
      if (!hasRoom() && (addresses[a] === 0 || addresses[b] === 0)) forget();
      require(a);
      require(b);
      return exports.intersectionSize(addresses[a]!, sizes[a]!, addresses[b]!, sizes[b]!, least);
    },
    setOf(item) {
      if (!hasRoom() && addresses[item] === 0) forget();
      require(item);
      return new BigUint64Array(lines.buffer, addresses[item], sizes[item]);
    },
  };
}

function longestOf(lengths: Uint32Array): number {
  let longest = 0;
  for (let i = 0; i < lengths.length; i++) longest = Math.max(longest, lengths[i]!);
  return longest;
}

/** The same by JavaScript: of sets, of normalised texts. */
export function documentSets(
  { sketcher, analyser, plan }: WorkerContext,
  documentOf: (item: number) => Document,
): SetsOfItems {
  const setOf = cacheSets(item => analyser.setOf(documentOf(item)), plan.setBytes);
  return {
    load: () => {},
    loadAll: () => {},
    placed: () => undefined,
    setOf,
    sizeOf: item => setOf(item).length,
    shared: (a, b, least) => sketcher.kernel.intersectionSize(setOf(a), setOf(b), least),
  };
}
