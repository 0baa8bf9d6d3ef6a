/** Postings in typed arrays, blocks, filters and merges, against plain maps. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { halvesOf } from '../engine/analyse/key-arrays.ts';
import { MAX_POSTINGS } from '../engine/decide/buckets.ts';
import { limitOf } from './keys.ts';
import { BLOCK_POSTINGS, columnsOf, encodeBlock, findInBlock, isSound } from './lmdb/postings/block.ts';
import { addToFilter, BUCKET_WORDS, bucketsFor, mayHave } from './lmdb/postings/filter.ts';
import { partOf } from './lmdb/postings/key-parts.ts';
import { runsToMerge } from './lmdb/postings/merge.ts';
import { describeRun } from './lmdb/postings/run.ts';
import { PostingTable } from './posting-table.ts';
import { sortPostings } from './sort-postings.ts';

/** Many equal keys, many that differ in one half only. */
const half = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 0xffffffff }));
const key = fc.tuple(half, half).map(([high, low]) => (BigInt(high) << 32n) | BigInt(low));
const lists = fc.array(fc.uniqueArray(key, { maxLength: 40 }), { maxLength: 120 });

function tableOf(keys: readonly (readonly bigint[])[]): { table: PostingTable; plain: Map<bigint, number[]> } {
  const table = new PostingTable(2);
  const plain = new Map<bigint, number[]>();
  for (const [number, list] of keys.entries()) {
    table.add(halvesOf(BigUint64Array.from(list)), number);
    for (const one of list) plain.set(one, [...(plain.get(one) ?? []), number]);
  }
  return { table, plain };
}

const halves = (one: bigint) => {
  const [low, high] = halvesOf(BigUint64Array.of(one));
  return { high: high!, low: low! };
};

describe('a table of postings', () => {
  it('finds what a map finds, in the order of adding', () => {
    fc.assert(
      fc.property(lists, key, (keys, other) => {
        const { table, plain } = tableOf(keys);
        for (const one of [...plain.keys(), other]) {
          const { high, low } = halves(one);
          expect(table.find(high, low, undefined)).toEqual(plain.get(one));
        }
      }),
    );
  });

  it('sorts by key, then by number, without what is not wanted', () => {
    fc.assert(
      fc.property(lists, keys => {
        const { table, plain } = tableOf(keys);
        const { high, low, number } = sortPostings(table.columns(), one => one % 3 !== 0);
        const got = Array.from(high, (_, at) => [(BigInt(high[at]!) << 32n) | BigInt(low[at]!), number[at]]);
        const wanted = [...plain]
          .flatMap(([one, numbers]) => numbers.filter(n => n % 3 !== 0).map(n => [one, n] as const))
          .sort(([keyA, a], [keyB, b]) => (keyA < keyB ? -1 : keyA > keyB ? 1 : a - b));
        expect(got).toEqual(wanted);
      }),
    );
  });

  it('gives only the first entries of an element that many share', () => {
    const table = new PostingTable();
    const [element, band] = [5n, 4n];
    for (let number = 0; number < MAX_POSTINGS + 50; number++)
      table.add(halvesOf(BigUint64Array.of(element, band)), number);
    expect(table.find(0, 5, undefined)).toEqual(Array.from({ length: MAX_POSTINGS }, (_, number) => number));
    expect(table.find(0, 4, undefined)).toHaveLength(MAX_POSTINGS + 50);
    expect(limitOf(5)).toBe(MAX_POSTINGS);
  });
});

describe('a block', () => {
  it('finds what is in it, and tells every flipped byte', () => {
    fc.assert(
      fc.property(lists, fc.nat(), fc.integer({ min: 1, max: 255 }), (keys, place, flip) => {
        const { table, plain } = tableOf(keys);
        const postings = sortPostings(table.columns(), () => true);
        const bytes = encodeBlock(postings, 0, postings.high.length, 7);
        expect(isSound(bytes, 7)).toBe(true);
        expect(isSound(bytes, 8)).toBe(false);
        for (const [one, numbers] of plain) {
          const { high, low } = halves(one);
          expect(findInBlock(columnsOf(bytes), 0, 1, high, low, undefined)).toEqual(numbers);
          expect(findInBlock(columnsOf(bytes), 0, 1, high, low ^ 0x40000000, undefined)).toEqual(
            plain.get(one ^ 0x40000000n),
          );
        }
        bytes[place % bytes.length]! ^= flip;
        expect(isSound(bytes, 7)).toBe(false);
      }),
    );
  });

  it('has the keys of one part of all keys', () => {
    expect([0, 0x7fffffff, 0x80000000, 0xffffffff].map(high => partOf(high, 2))).toEqual([0, 0, 1, 1]);
    fc.assert(
      fc.property(half, fc.integer({ min: 1, max: 1e6 }), (high, blocks) => {
        const block = partOf(high, blocks);
        expect(block >= 0 && block < blocks).toBe(true);
      }),
    );
  });
});

describe('a filter', () => {
  it('passes every key that is there, and about 1 in 200 of others', () => {
    let state = 1n;
    const next = () => {
      state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
      return halves(BigInt.asUintN(64, (state ^ (state >> 29n)) * 0x9e3779b97f4a7c15n));
    };
    const buckets = bucketsFor(BLOCK_POSTINGS);
    const words = new Uint32Array(buckets * BUCKET_WORDS);
    const there = Array.from({ length: BLOCK_POSTINGS }, next);
    for (const { high, low } of there) addToFilter(words, 0, buckets, high, low);
    expect(there.every(({ high, low }) => mayHave(words, 0, buckets, high, low))).toBe(true);
    const passed = Array.from({ length: 100_000 }, next).filter(({ high, low }) =>
      mayHave(words, 0, buckets, high, low),
    );
    expect(passed.length).toBeLessThan(1000);
  });
});

describe('the choice of runs to merge', () => {
  it('leaves few runs, and moves each posting few times', () => {
    let runs = [] as ReturnType<typeof describeRun>[];
    let moved = 0;
    const FLUSHES = 1024;
    for (let flush = 0; flush < FLUSHES; flush++) {
      runs.push(describeRun(flush, flush, flush + 1, 1000));
      for (let group = runsToMerge(runs); group.length > 0; group = runsToMerge(runs)) {
        const postings = group.reduce((sum, run) => sum + run.postings, 0);
        moved += postings;
        const merged = describeRun(flush, group[0]!.from, group.at(-1)!.to, postings);
        runs = runs.toSpliced(runs.indexOf(group[0]!), group.length, merged);
      }
      expect(runs.length).toBeLessThan(24);
    }
    expect(moved / (FLUSHES * 1000)).toBeLessThan(6);
    expect(runs.every((run, at) => run.from === (runs[at - 1]?.to ?? 0))).toBe(true);
  });
});
