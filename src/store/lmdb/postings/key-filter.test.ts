/** The filter over all keys, made of blocks part by part while keys are added, against a plain set. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../bench/random.ts';
import { halvesOf } from '../../../engine/analyse/key-arrays.ts';
import { PostingTable } from '../../posting-table.ts';
import { KeyFilter, makeFilterPart } from './key-filter.ts';
import { makePages } from './make-pages.ts';
import { describeRun, pagesOf, type StoredBlock } from './run.ts';

const random = createRandom(7);
const someKeys = (count: number) =>
  new BigUint64Array(new Uint32Array(Array.from({ length: 2 * count }, () => random.below(2 ** 32))).buffer);

/** The blocks of a run with these keys. */
function blocksOf(keys: BigUint64Array, id: number): StoredBlock[] {
  const table = new PostingTable();
  table.add(halvesOf(keys), 5);
  const run = describeRun(id, 0, 10, keys.length);
  const { parts } = makePages({ run, firstPage: 0, endPage: pagesOf(run), from: table.columns(), dead: [] });
  return parts.filter(({ table }) => table === 'blocks').map(({ part, bytes }) => ({ run: id, block: part, bytes }));
}

function makeAll(filter: KeyFilter, blocks: readonly StoredBlock[], meanwhile: () => void): void {
  while (!filter.isReady) {
    const part = filter.nextPart();
    const { words, damaged } = makeFilterPart(part, blocks);
    expect(damaged).toBeUndefined();
    meanwhile();
    filter.partMade(part, words);
  }
}

describe('the filter over all keys', () => {
  it('passes every key of the runs and every key added while it was made, and few others', () => {
    const [old, fresh] = [someKeys(60_000), someKeys(20_000)];
    // Larger than what is there, so that it is made in several parts.
    const filter = new KeyFilter(600_000);
    expect(filter.isReady).toBe(false);
    const blocks = [...blocksOf(old.subarray(0, 40_000), 1), ...blocksOf(old.subarray(40_000), 2)];
    let added = 0;
    makeAll(filter, blocks, () => {
      filter.add(halvesOf(fresh.slice(added, added + 5_000)));
      added += 5_000;
    });
    expect(added).toBeGreaterThan(10_000);
    filter.add(halvesOf(fresh.slice(added)));
    for (const keys of [old, fresh]) expect(filter.passed(halvesOf(keys))).toHaveLength(keys.length);
    expect(filter.passed(halvesOf(someKeys(100_000))).length).toBeLessThan(1000);
  });

  it('is there at once for an index without runs, and says when it is full', () => {
    const filter = new KeyFilter(0);
    expect(filter.isReady).toBe(true);
    const keys = someKeys(2 ** 20);
    filter.add(halvesOf(keys));
    expect(filter.isFull).toBe(false);
    filter.add(halvesOf(someKeys(1)));
    expect(filter.isFull).toBe(true);
    expect(filter.passed(halvesOf(keys))).toHaveLength(keys.length);
  });

  it('is not made of a damaged block', () => {
    const blocks = blocksOf(someKeys(3_000), 4);
    const last = blocks.at(-1)!;
    last.bytes[last.bytes.length - 1]! ^= 4;
    const filter = new KeyFilter(3_000);
    expect(makeFilterPart(filter.nextPart(), blocks).damaged).toBe(`block ${last.block} of its run 4 of postings`);
  });
});
