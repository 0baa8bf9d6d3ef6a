/** Callers of an index that come and go: how many of their documents go to the store together. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/memory-store.ts';
import { openIndexIn } from '../../src/store/open-index.ts';
import { words } from '../support/command.ts';

/** An index whose disk takes so many milliseconds, and how many documents each of its transactions has. */
async function countedIndex(flushing: number) {
  const sizes: number[] = [];
  const store = createMemoryStore();
  const counted = {
    ...store,
    apply: async (change: Parameters<typeof store.apply>[0]) => {
      sizes.push(change.additions.length);
      await store.apply(change);
      return { durable: flushing === 0 ? Promise.resolve() : setTimeout(flushing) };
    },
  };
  const location = { readMade: async () => undefined, open: async () => counted, abandon: async () => {} };
  const index = await openIndexIn(location, 'counted');
  onTestFinished(() => index.close());
  return { index, sizes };
}

/** Each asks again some turns of the event loop after it was answered, as clients do over a network. */
async function ask(callers: number, calls: number, add: (id: string) => Promise<unknown>): Promise<void> {
  const call = async (caller: number) => {
    for (let at = 0; at < calls; at++) {
      for (let turn = 0; turn < caller % 8; turn++) await setImmediate();
      await add(`${caller}-${at}`);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
}

test('many callers that come one after another share transactions', async () => {
  const { index, sizes } = await countedIndex(1);
  await ask(32, 20, id => index.add({ id, text: id }));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(640);
  // Without waiting for one another it is six.
  expect(640 / sizes.length).toBeGreaterThan(9);
});

test('few callers do not wait for one another', async () => {
  const { index } = await countedIndex(0);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  await ask(4, 20, id => index.add({ id, text: words(0, 5) }));
  expect(timers).not.toHaveBeenCalled();
});

test('those who wait for callers that do not come again are answered all the same', async () => {
  const { index } = await countedIndex(1);
  await ask(32, 2, id => index.add({ id, text: id }));
  const verdicts = await Promise.all(['x', 'y'].map(id => index.add({ id, text: 'the same' })));
  expect(verdicts.map(({ status }) => status)).toEqual(['new', 'exact']);
});
