/** Long calls of the library let others have their turn, say how far they are, and end when they are told to. */
import { execFileSync } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  type CallSettings,
  collapse,
  dedup,
  findClusters,
  findPairs,
  openIndex,
  type Progress,
  tuneOnSample,
} from '../src/index.ts';

const worker = fileURLToPath(new URL('support/longest-gap.mjs', import.meta.url));
const documents = Array.from({ length: 3000 }, (_, id) => ({
  id,
  text: Array.from({ length: 100 }, (_, word) => `w${(id % 1000) * 50 + word}`).join(' '),
}));

describe('some megabytes of documents', () => {
  test.each([
    ['dedup', {}],
    ['dedup', { cluster: 'connected' }],
    ['dedup', { measure: 'containment' }],
    ['findClusters', { sketch: 'bottom:50' }],
    ['findPairs', {}],
    ['findPairs', { exact: true }],
    ['findPairs', { exact: true, measure: 'containment' }],
    ['collapse', {}],
    ['collapse', { measure: 'containment' }],
    ['collapse', { matches: 90, of: 100 }],
    ['tuneOnSample', {}],
    // All documents share a passage: elements of thousands are counted before the first search by rare ones.
    ['dedup', { measure: 'containment' }, 100],
    ['findClusters', { cluster: 'connected', threshold: 0.9 }, 100],
    ['findPairs', { threshold: 0.9 }, 100],
  ])('keep no timer waiting for 50 ms: %s with %j, and %s words of boilerplate', (call, options, boilerplate = 0) => {
    const argument = JSON.stringify({ call, options, documents: 5000, boilerplate });
    // Collecting garbage may take a turn of its own; work that does not pause takes long every time.
    const gaps = Array.from({ length: 3 }, () => {
      const { found, longest } = JSON.parse(execFileSync(process.execPath, [worker, argument], { encoding: 'utf8' }));
      expect(found).toBe(1250);
      return longest as number;
    });
    expect(Math.min(...gaps)).toBeLessThan(50);
  });
});

describe('a signal', () => {
  const reason = new Error('enough');
  const calls = {
    dedup: (signal: AbortSignal) => dedup(documents, { signal }),
    findClusters: (signal: AbortSignal) => findClusters(documents, { signal }),
    findPairs: async (signal: AbortSignal) => {
      for await (const _ of findPairs(documents, { signal })) await setImmediate();
    },
    collapse: (signal: AbortSignal) => collapse(documents, { signal }),
    tuneOnSample: (signal: AbortSignal) => tuneOnSample(documents, { signal }),
    addAll: async (signal: AbortSignal) => {
      await using index = await openIndex('memory:');
      for await (const _ of index.addAll(documents, { signal })) await setImmediate();
    },
  };

  test.each(Object.entries(calls))('ends %s with its reason, before it begins and while it runs', async (_, call) => {
    await expect(call(AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const ended = call(controller.signal);
    setTimeout(() => controller.abort(reason), 5);
    await expect(ended).rejects.toBe(reason);
  });

  test('ends addAll while it waits for a document that never comes', async () => {
    const index = await openIndex('memory:');
    const controller = new AbortController();
    const never = async function* () {
      yield { id: 'a', text: 'one' };
      await new Promise(() => {});
    };
    const outcomes = index.addAll(never(), { signal: controller.signal });
    expect((await outcomes.next()).value).toEqual({ id: 'a', status: 'new' });
    setTimeout(() => controller.abort(reason), 5);
    await expect(outcomes.next()).rejects.toBe(reason);
    await index.close();
  });
});

test.each([
  ['dedup', (settings: CallSettings) => dedup(documents, settings)],
  ['collapse', (settings: CallSettings) => collapse(documents, settings)],
  ['tuneOnSample', (settings: CallSettings) => tuneOnSample(documents, settings)],
])('progress is told stage by stage: %s', async (_, call) => {
  const told: Progress[] = [];
  await call({ onProgress: progress => void told.push(progress) });
  expect(told.length).toBeGreaterThan(2);
  expect(told[0]).toMatchObject({ stage: 'sketch' });
  const sketched = told.filter(({ stage }) => stage === 'sketch').map(({ done }) => done);
  expect(sketched).toEqual(sketched.toSorted((a, b) => a - b));
});
