/** Documents of a worker's share → their shingle sets, read from their lines when they are needed, and kept while there is room. */
import { SLACK, sinks } from '../../../kernel/layout.ts';
import type { Document } from '../../../model.ts';
import { cacheSets } from '../../decide/set-cache.ts';
import type { WorkerContext } from '../worker-context.ts';
import { aligned } from './line-kernel.ts';

export interface SetsOfItems {
  /** Makes the set, if there is room to keep it. */
  load(item: number): void;
  sizeOf(item: number): number;
  /** Some number below `least` when it is below that. */
  shared(a: number, b: number, least?: number): number;
  /** To be used before the next call. */
  setOf(item: number): BigUint64Array;
}

/** The bytes of a document's line, good until the next one is asked for. */
export type LineOf = (item: number) => Uint8Array;

/**
 * In the kernel's memory, one set behind another: [ sets … | line that is read | its shingles ]. When there is no more
 * room all are forgotten. Documents that are compared come one after another, so this is rare.
 */
export function kernelSets(
  { lines, plan, analyser }: WorkerContext,
  count: number,
  lineOf: LineOf,
  documentOf: (item: number) => Document,
): SetsOfItems {
  const { exports } = lines;
  const base = aligned(lines.input);
  let top = base;
  const addresses = new Uint32Array(count);
  const sizes = new Int32Array(count).fill(-1);
  const add = (item: number) => {
    const line = lineOf(item);
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
  const forget = () => {
    addresses.fill(0);
    top = base;
  };
  const require = (item: number) => {
    if (addresses[item] === 0) add(item);
  };
  return {
    load(item) {
      if (top - base <= plan.setBytes) require(item);
    },
    sizeOf(item) {
      if (sizes[item]! < 0) {
        if (top - base > plan.setBytes) forget();
        add(item);
      }
      return sizes[item]!;
    },
    shared(a, b, least = 0) {
      if (top - base > plan.setBytes && (addresses[a] === 0 || addresses[b] === 0)) forget();
      require(a);
      require(b);
      return exports.intersectionSize(addresses[a]!, sizes[a]!, addresses[b]!, sizes[b]!, least);
    },
    setOf(item) {
      if (top - base > plan.setBytes && addresses[item] === 0) forget();
      require(item);
      return new BigUint64Array(lines.buffer, addresses[item], sizes[item]);
    },
  };
}

/** The same by JavaScript: of sets, of normalised texts. */
export function documentSets(
  { sketcher, analyser, plan }: WorkerContext,
  documentOf: (item: number) => Document,
): SetsOfItems {
  const setOf = cacheSets(item => analyser.setOf(documentOf(item)), plan.setBytes);
  return {
    load: () => {},
    setOf,
    sizeOf: item => setOf(item).length,
    shared: (a, b, least) => sketcher.kernel.intersectionSize(setOf(a), setOf(b), least),
  };
}
