import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
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
