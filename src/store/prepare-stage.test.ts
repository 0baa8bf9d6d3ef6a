import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/folder.ts';
import type { openIndex as OpenIndex } from './open-index.ts';

// Threads are started from what is built; from the sources, all is done right here.
const built = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const { openIndex } = (await import(pathToFileURL(built).href)) as { openIndex: typeof OpenIndex };

/** Words whose order is told by a seed; some hundred kilobytes of them. */
const text = (seed: number, count = 40_000, from = 0) =>
  Array.from({ length: count }, (_, at) => `w${((at + from) * 7919 + seed * 104_729) % 1_000_003}`).join(' ');
const bytes = (document: object) => Buffer.from(JSON.stringify(document));

/** Large and small, new, near, exact and refused, in an order that matters. */
const given = [
  // Still on its thread while the other thread has done all the rest.
  bytes({ id: 'slow', text: text(4, 600_000) }),
  bytes({ id: 'large', text: text(1), n: 1 }),
  bytes({ id: 'small', text: 'a few words only' }),
  bytes({ id: 'near', text: text(1, 39_900, 50) }),
  bytes({ id: 'small', text: 'another text' }),
  bytes({ id: 'exact', text: text(1) }),
  Buffer.from('{"id":"cut","text":"'),
  bytes({ id: 'other', text: text(2) }),
  Buffer.concat([Buffer.from(`{"id":"bad","text":"${text(3)}`), Buffer.from([0xff, 0x22, 0x7d])]),
  bytes({ id: 'last', text: 'a few words only' }),
];

async function verdictsWith(threads: number) {
  const index = await openIndex('memory:', { threads });
  const outcomes: unknown[] = [];
  for await (const outcome of index.addAll(given))
    outcomes.push('error' in outcome ? [outcome.id, outcome.error.code, outcome.error.message] : outcome);
  const found = await index.search({ text: text(1, 39_000, 100) });
  const compared = await index.compare({ id: 'large' }, { text: 'a few words only' });
  const json = await index.getJson('large');
  await index.close();
  return { outcomes, found, compared, json };
}

describe('on threads', () => {
  test('everything is as it is without them, in the same order', async () => {
    const [here, threaded] = [await verdictsWith(0), await verdictsWith(2)];
    expect(threaded).toEqual(here);
    expect(here.outcomes.map(one => (Array.isArray(one) ? one[1] : (one as { status: string }).status))).toEqual([
      ...['new', 'new', 'new', 'near', 'ID_TAKEN', 'exact', 'BAD_DOCUMENT', 'new', 'BAD_DOCUMENT', 'exact'],
    ]);
    expect(here.found[0]).toMatchObject({ id: 'large' });
  });
});

test('bytes move to a thread only if they may, and only with memory of their own', async () => {
  const index = await openIndex('memory:', { threads: 1 });
  const copied = bytes({ id: 'copied', text: text(1) });
  const moved = Buffer.from(new Uint8Array(bytes({ id: 'moved', text: text(2) })).buffer);
  const shared = Buffer.concat([moved, moved]).subarray(moved.length);
  expect(await index.add(copied)).toMatchObject({ id: 'copied', status: 'new' });
  expect(await index.check(shared, { mayTake: true })).toMatchObject({ id: 'moved', status: 'new' });
  expect(await index.add(moved, { mayTake: true })).toMatchObject({ id: 'moved', status: 'new' });
  expect([copied, shared, moved].map(({ length }) => length > 0)).toEqual([true, true, false]);
  await index.close();
});

describe('close', () => {
  const large = (id: string, seed: number) => bytes({ id, text: text(seed, 30_000) });

  test('answers what is on threads, or waits for one, and stores what it answered', async () => {
    const folder = join(temporaryFolder(), 'index');
    const index = await openIndex(folder, { threads: 2, store: 'all' });
    await index.add({ id: 'first', text: text(9) });
    const calls = [
      ...['a', 'b', 'c', 'd'].map((id, at) => index.add(large(id, at + 1))),
      index.put({ id: 'put', text: text(6, 30_000) }),
      index.check(large('checked', 1)),
      index.search({ text: text(9, 39_900, 50) }),
      index.compare({ id: 'first' }, { text: text(9, 30_000) }),
      index.getJson('first'),
    ];
    await Promise.all([index.close(), index.close()]);
    const answers = await Promise.all(calls);
    expect(answers).toMatchObject([
      ...['a', 'b', 'c', 'd', 'put', 'checked'].map(id => ({ id, status: expect.stringMatching(/^(new|near)$/) })),
      [{ id: 'first' }],
      { containmentBA: 1 },
      expect.stringMatching(/^{"id":"first"/),
    ]);
    await expect(index.add({ id: 'late', text: 'x' })).rejects.toMatchObject({ code: 'INDEX_CLOSED' });
    const again = await openIndex(folder, { readOnly: true });
    expect((await again.documents()).documents.map(({ id }) => id).sort()).toEqual([
      ...['a', 'b', 'c', 'd', 'first', 'put'],
    ]);
    await again.close();
  });

  test('of a batch under way answers what it has taken, and refuses the rest', async () => {
    const folder = join(temporaryFolder(), 'index');
    const index = await openIndex(folder, { threads: 2, store: 'all' });
    let closing: Promise<void> | undefined;
    const documents = async function* () {
      for (let at = 0; at < 9; at++) yield at % 3 === 0 ? large(`d${at}`, at) : bytes({ id: `d${at}`, text: `w${at}` });
      closing = index.close();
      yield bytes({ id: 'late', text: 'x' });
    };
    const told: string[] = [];
    const adding = (async () => {
      for await (const { id } of index.addAll(documents())) told.push(id!);
    })();
    await expect(adding).rejects.toMatchObject({ code: 'INDEX_CLOSED' });
    await closing;
    const again = await openIndex(folder, { readOnly: true });
    // The source is asked for the next one before d8 is added.
    expect(told).toEqual(Array.from({ length: 8 }, (_, at) => `d${at}`));
    expect((await again.documents()).documents.map(({ id }) => id)).toEqual(told);
    await again.close();
  });
});
