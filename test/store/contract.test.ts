/** What contract.ts asks of a store, over every store there is; random changes against a plain Map. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { MAX_POSTINGS } from '../../src/engine/decide/buckets.ts';
import { type Change, emptyState, type Store } from '../../src/store/contract.ts';
import { keyKinds } from '../../src/store/keys.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openStoreAt, placesWith } from '../support/indexes.ts';
import { redisForTests } from '../support/redis.ts';
import { bytesOf, type Known, StoreModel, setup, textOf } from '../support/store-model.ts';

const places = placesWith(redisForTests());

/** Hashes spread over all numbers, as real ones are; the last two bits are the kind. */
const key = (hash: number, kind: keyof typeof keyKinds = 'band') =>
  (BigInt.asUintN(62, BigInt(hash + 1) * 0x9e3779b97f4a7c15n) << 2n) | BigInt(keyKinds[kind]);
const known = (text: string, keys: readonly bigint[] = [], of?: number): Known => ({ text, keys, of });

async function apply(store: Store, change: Change): Promise<void> {
  const { durable } = await store.exclusively(() => store.apply(change));
  await durable;
}

async function entriesOf(store: Store): Promise<[number, string | undefined][]> {
  const entries: [number, string | undefined][] = [];
  for await (const { number, bytes } of store.entries()) entries.push([number, textOf(number, bytes)]);
  return entries;
}

/** Everything the contract lets one ask, beside what a Map says. */
async function compareWhole(store: Store, model: StoreModel, keys: readonly bigint[]): Promise<void> {
  expect(await store.state()).toEqual(model.state);
  const numbers = Array.from({ length: model.state.next + 2 }, (_, number) => number);
  const texts = (await store.read(numbers)).map((bytes, at) => textOf(numbers[at]!, bytes));
  expect(texts).toEqual(numbers.map(number => model.entries.get(number)?.text));
  const found = await store.find(BigUint64Array.from(keys));
  for (const [at, list] of found.entries()) {
    expect(list).toEqual([...list].sort((a, b) => a - b));
    // What was removed may still be found.
    const there = list.filter(number => texts[number] !== undefined);
    expect(there).toEqual(model.having(keys[at]!));
  }
  for (const number of numbers) expect(await store.membersOf(number)).toEqual(model.membersOf(number));
  expect(await store.groups(0, 1000)).toEqual(model.groups());
  expect(await entriesOf(store)).toEqual([...model.entries].map(([number, { text }]) => [number, text]));
  for await (const { what } of store.check()) expect.fail(what);
}

describe.each(Object.keys(places))('a store in %s', place => {
  const isInMemory = place === 'memory';
  const isOnDisk = place.startsWith('LMDB');

  async function open(location = places[place]!(), readOnly = false): Promise<Store> {
    const store = await openStoreAt(location, setup, readOnly);
    onTestFinished(() => store.close());
    return store;
  }

  it('is empty at first', async () => {
    const store = await open();
    expect(await store.state()).toEqual(emptyState);
    expect(await store.find(BigUint64Array.of(key(1), key(2)))).toEqual([[], []]);
    expect(await store.find(new BigUint64Array(0))).toEqual([]);
    expect(await store.read([0, 7])).toEqual([undefined, undefined]);
    expect(await store.groups(0, 10)).toEqual([]);
    expect(await entriesOf(store)).toEqual([]);
  });

  it('does one piece of work at a time, each with the newest state', async () => {
    const location = places[place]!();
    const one = await open(location);
    // On Redis others may write as well.
    const two = place.startsWith('Redis') ? await open(location) : one;
    let underWay = 0;
    const append = (store: Store) =>
      store.exclusively(async state => {
        expect(++underWay).toBe(1);
        const { next } = state;
        const addition = { number: next, keys: BigUint64Array.of(key(0)), bytes: bytesOf(next, known(`${next}`)) };
        await new Promise(resolve => setTimeout(resolve, next % 3));
        await store.apply({ additions: [addition], removals: [], rewrites: [], state: { ...state, next: next + 1 } });
        underWay--;
      });
    const broken = one.exclusively(() => Promise.reject(new Error('of its own')));
    const appended = Array.from({ length: 20 }, (_, i) => append(i % 2 ? one : two));
    await expect(broken).rejects.toThrow('of its own');
    await Promise.all(appended);
    expect((await two.state()).next).toBe(20);
    expect(await one.find(BigUint64Array.of(key(0)))).toEqual([Array.from({ length: 20 }, (_, n) => n)]);
  });

  it('finds all entries of a key, ascending, and of an element only the first ones', async () => {
    const store = await open();
    const model = new StoreModel();
    const [band, element] = [key(3, 'band'), key(3, 'element')];
    const all = Array.from({ length: MAX_POSTINGS + 50 }, (_, number) => number);
    for (let from = 0; from < all.length; from += 150) {
      const keys = all.slice(from, from + 150).map(number => [band, element, key(1000 + number)]);
      await apply(store, model.change(keys.map(one => known('', one))));
    }
    const asked = BigUint64Array.of(element, key(1007), band, key(4), key(1007));
    const wanted = [all.slice(0, MAX_POSTINGS), [7], all, [], [7]];
    expect(await store.find(asked)).toEqual(wanted);
    await store.compact();
    expect(await store.find(asked)).toEqual(wanted);
  });

  it('lists its entries from any number on', async () => {
    const store = await open();
    const model = new StoreModel();
    await apply(store, model.change(Array.from({ length: 300 }, (_, n) => known(`d${n}`, [key(n)]))));
    for (const first of [0, 1, 255, 299, 300]) {
      const numbers: number[] = [];
      for await (const { number } of store.entries(first)) numbers.push(number);
      expect(numbers).toEqual(Array.from({ length: 300 - first }, (_, at) => first + at));
    }
  });

  it('shows a change at once: what was added, rewritten and removed', async () => {
    const store = await open();
    const model = new StoreModel();
    const change = model.change([known('a', [key(1)]), known('b', [key(1), key(2)], 0), known('c', [key(2)], 0)]);
    await store.exclusively(async () => {
      const { durable } = await store.apply(change);
      expect(await store.find(BigUint64Array.of(key(1), key(2)))).toEqual([
        [0, 1],
        [1, 2],
      ]);
      expect((await store.read([2, 0])).map((bytes, at) => textOf([2, 0][at]!, bytes))).toEqual(['c', 'a']);
      expect(await store.state()).toEqual(model.state);
      await durable;
    });
    expect(await store.membersOf(0)).toEqual([1, 2]);
    await apply(store, model.change([known('d', [key(1)])], new Map([[1, known('B', [key(1), key(2)])]]), [2]));
    await compareWhole(store, model, [key(1), key(2)]);
    expect(await store.membersOf(0)).toEqual([]);
  });

  it('shows others no change by halves: what its state counts is there', async () => {
    const location = places[place]!();
    const store = await open(location);
    const reader = isInMemory ? store : await open(location, isOnDisk);
    const model = new StoreModel();
    let isDone = false;
    const reading = (async () => {
      while (!isDone) {
        const { next } = await reader.state();
        const numbers = Array.from({ length: next }, (_, number) => number);
        expect(await reader.read(numbers)).not.toContain(undefined);
        expect((await reader.find(BigUint64Array.of(key(9))))[0]!.length).toBeGreaterThanOrEqual(next);
        await new Promise(resolve => setTimeout(resolve, 1));
      }
    })();
    for (let i = 0; i < 30; i++) await apply(store, model.change(Array(3).fill(known('x'.repeat(300), [key(9)]))));
    isDone = true;
    await reading;
    expect((await reader.state()).next).toBe(90);
  });

  it('lists groups in pages', async () => {
    const store = await open();
    const model = new StoreModel();
    await apply(store, model.change(Array.from({ length: 30 }, (_, n) => known('', [], n < 10 ? undefined : n % 10))));
    const paged = [];
    for (let from = 0; ; from = paged.at(-1)!.of + 1) {
      const page = await store.groups(from, 3);
      paged.push(...page);
      if (page.length < 3) break;
    }
    expect(paged).toEqual(model.groups());
    expect(paged).toHaveLength(10);
  });

  it('grows, and gives up what was removed when it is compacted', async () => {
    const store = await open();
    const model = new StoreModel();
    const random = createRandom(7);
    const noise = () => Array.from({ length: 4000 }, () => random.below(2 ** 32).toString(36)).join(' ');
    const before = await store.size();
    for (let i = 0; i < 10; i++)
      await apply(store, model.change(Array.from({ length: 5 }, () => known(noise(), [key(5)]))));
    expect(await store.size()).toBeGreaterThan(before + 500_000);
    await apply(
      store,
      model.change(
        [],
        new Map(),
        [...model.entries.keys()].filter(number => number % 5 > 0),
      ),
    );
    await store.compact();
    expect(await store.find(BigUint64Array.of(key(5)))).toEqual([[0, 5, 10, 15, 20, 25, 30, 35, 40, 45]]);
    await compareWhole(store, model, [key(5)]);
  });

  it('is copied, or says why not', async () => {
    const store = await open();
    const model = new StoreModel();
    await apply(store, model.change([known('a', [key(1)]), known('b', [key(1)], 0), known('c'), known('d')]));
    const target = join(temporaryFolder(), 'copy');
    if (!isOnDisk) return expect(store.backup(target)).rejects.toThrow(/memory|Redis/);
    await store.backup(target);
    await compareWhole(await open(target), model, [key(1)]);
  });

  const KEYS = [key(1), key(2), key(1, 'element'), key(3, 'id'), key(4, 'content')];
  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('change' as const),
        added: fc.array(fc.record({ keys: fc.subarray(KEYS), text: fc.string({ maxLength: 200 }), of: fc.nat(40) }), {
          maxLength: 4,
        }),
        touched: fc.array(fc.record({ number: fc.nat(40), isRemoved: fc.boolean() }), { maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'compact' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
  );

  it('gives what a Map gives, whatever changes are made, when it is compacted or opened again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
        const location = places[place]!();
        const model = new StoreModel();
        let store = await openStoreAt(location, setup);
        try {
          for (const one of steps) {
            if (one.kind === 'change') await apply(store, model.someChange(one));
            else if (one.kind === 'compact') await store.compact();
            else if (!isInMemory) {
              await store.close();
              store = await openStoreAt(location, setup);
            }
          }
          await compareWhole(store, model, KEYS);
        } finally {
          await store.close();
        }
      }),
      { seed: 3, numRuns: Number(process.env.NEARDUP_MODEL_RUNS ?? 40) },
    );
  }, 300_000);
});
