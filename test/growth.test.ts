/** Shared boilerplate must not make a run quadratic: comparisons are counted, which no busy machine changes. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BoilerplateCorpus, writeBoilerplate } from '../bench/boilerplate.ts';
import type { KindCorpus } from '../bench/boilerplate-kinds.ts';
import type { LargestGroup } from '../src/engine/decide/comparisons.ts';
import { sharedFolder } from './support/folder.ts';
import { type RunSetting, runRequest } from './support/run-request.ts';

// As built: worker threads cannot run TypeScript.
type Files = typeof import('../src/engine/choose-engine.ts');
const built = '../dist/engine/choose-engine.js';
const { decideFiles, findPairsOfFiles }: Files = await import(built);

const folder = sharedFolder();
const engines = { memory: Number.POSITIVE_INFINITY, threads: 0 };

function requestOf(name: BoilerplateCorpus | KindCorpus, documents: number, setting: RunSetting) {
  const path = join(folder, `${name}-${documents}.jsonl`);
  writeBoilerplate(path, name, documents);
  return runRequest([path], setting);
}

describe('a giant component is shared among workers', () => {
  const [NONE, EVERY] = [Number.POSITIVE_INFINITY, 0];
  const ways = [{}, { cluster: 'connected' }, { keep: 'longest', threshold: 0.76 }] as const;

  test.each(ways.flatMap(given => (['boil75', 'boil79', 'mix'] as const).map(name => [name, given] as const)))(
    'with the same decisions (%s, %j), and no more comparisons',
    async (name, given) => {
      const [whole, shared] = await Promise.all(
        [NONE, EVERY].map(async giant => {
          const decided = await decideFiles(await requestOf(name, 3000, { given, threadsFrom: 0, giant, jobs: 3 }));
          decided.release(true);
          return decided;
        }),
      );
      expect(shared!.keptBy).toEqual(whole!.keptBy);
      expect(shared!.comparisons).toBeLessThan(1.2 * whole!.comparisons + 1000);
    },
  );

  test('with the same pairs', async () => {
    const [whole, shared] = await Promise.all(
      [NONE, EVERY].map(async giant => {
        const found = await findPairsOfFiles(await requestOf('mix', 1500, { threadsFrom: 0, giant, jobs: 3 }), {
          exact: false,
          maxPairs: 1e6,
        });
        const pairs = [...found.pairs];
        found.release(true);
        return pairs;
      }),
    );
    expect(whole!.length).toBeGreaterThan(10_000);
    expect(shared).toEqual(whole);
  });
});

describe.each(Object.entries(engines))('in %s', (_, threadsFrom) => {
  test.each([
    ['boil50', {}],
    ['boil75', {}],
    ['boil75', { cluster: 'connected' }],
    ['boil793', {}],
    ['boil79', {}],
    ['boil79', { cluster: 'connected' }],
    ['mix', {}],
    ['mix', { cluster: 'connected' }],
  ] as const)(
    'four times the documents (%s, %j) take at most about four times the comparisons',
    async (name, given) => {
      const [few, many] = [1000, 4000];
      const comparisons: number[] = [];
      for (const documents of [few, many]) {
        const decided = await decideFiles(await requestOf(name, documents, { given, threadsFrom }));
        decided.release(true);
        comparisons.push(decided.comparisons);
      }
      // A few for each document are no growth: it depends on chance with how many kept ones a document shares a key.
      expect(comparisons[1]).toBeLessThan(4.4 * Math.max(comparisons[0]!, 2 * few));
    },
  );

  const sets = {
    reading: { setField: 'set', textField: 'text', idField: 'id', html: 'auto', maxDocument: 2 ** 26 },
  } as const;
  /** Comparisons a document at most: up to half as many again as there are, where listing buckets takes hundreds. */
  test.each([
    ['passage', { measure: 'containment' }, {}, 33],
    ['parts', { measure: 'containment' }, {}, 20],
    ['passage', { measure: 'containment', cluster: 'connected' }, {}, 135],
    ['boil75', { sketch: 'bottom:100' }, {}, 2],
    ['boil75', { sketch: 'mod:8' }, {}, 1],
    ['boil75', { sketch: 'mod:8', cluster: 'connected' }, {}, 1],
    ['boil75', { sketch: 'super' }, {}, 5],
    ['weighty', { sketch: 'simhash' }, {}, 80],
    ['products', {}, sets, 200],
    ['sites', {}, sets, 200],
  ] as const)('so it is with other measures, sketches and sets (%s, %j)', async (name, given, request, most) => {
    const documents = 1600;
    const decided = await decideFiles(await requestOf(name, documents, { given, threadsFrom, ...request }));
    decided.release(true);
    expect(decided.comparisons).toBeLessThan(most * documents);
  });

  test('pairs are compared only where they may reach the threshold', async () => {
    const found = await findPairsOfFiles(await requestOf('boil75', 4000, { threadsFrom }), {
      exact: false,
      maxPairs: 1e6,
    });
    expect([...found.pairs]).toEqual([]);
    found.release(true);
    expect(found.comparisons()).toBeLessThan(4000);
    const all = await findPairsOfFiles(await requestOf('boil75', 4000, { threadsFrom }), {
      exact: true,
      maxPairs: 1e6,
    });
    expect([...all.pairs]).toEqual([]);
    expect(all.comparisons()).toBeLessThan(4000);
  });

  test('of very many comparisons the user is told while they are made, and why', async () => {
    const told: LargestGroup[] = [];
    const watch = { estimate: () => {}, stage: () => {}, many: (group: LargestGroup) => told.push(group) };
    const request = { given: { verify: 'sketch' }, threadsFrom, manyComparisons: 1000, watch } as const;
    const decided = await decideFiles(await requestOf('boil75', 400, request));
    decided.release(true);
    expect(decided.comparisons).toBeGreaterThan(1000);
    const passage = Array.from({ length: 150 }, (_, i) => `boiler${i}`).join(' ');
    expect(told).toEqual([{ documents: expect.any(Number), passage }]);
    expect(told[0]!.documents).toBeGreaterThan(200);
  });

  test('few comparisons by edit distance count for as many as they take time', async () => {
    const told: LargestGroup[] = [];
    const watch = { estimate: () => {}, stage: () => {}, many: (group: LargestGroup) => told.push(group) };
    const request = { given: { measure: 'edit' }, threadsFrom, manyComparisons: 900, watch } as const;
    const decided = await decideFiles(await requestOf('boil75', 40, request));
    decided.release(true);
    expect(decided.comparisons).toBeLessThan(900);
    expect(told).toEqual([{ documents: expect.any(Number), passage: expect.any(String) }]);
  });
});
