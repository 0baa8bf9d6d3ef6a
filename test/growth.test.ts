/** Shared boilerplate must not make a run quadratic: comparisons are counted, which no busy machine changes. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BoilerplateCorpus, writeBoilerplate } from '../bench/boilerplate.ts';
import type { LargestGroup } from '../src/engine/comparisons.ts';
import type { RunRequest } from '../src/engine/files.ts';
import { expandInputs } from '../src/formats/inputs.ts';
import { plainName } from '../src/options.ts';
import { sharedFolder } from './support/folder.ts';

// As built: worker threads cannot run TypeScript.
type Files = typeof import('../src/engine/files.ts');
const built = '../dist/engine/files.js';
const { decideFiles, findPairsOfFiles }: Files = await import(built);

const folder = sharedFolder();
const engines = { memory: Number.POSITIVE_INFINITY, threads: 0 };

async function requestOf(name: BoilerplateCorpus, documents: number, request: Partial<RunRequest>) {
  const path = join(folder, `${documents}.jsonl`);
  writeBoilerplate(path, name, documents);
  return {
    files: { inputs: await expandInputs([path]), reference: [] },
    reading: { textField: 'text', idField: 'id', html: 'auto', maxDocument: 2 ** 26 },
    given: {},
    nameOf: plainName,
    jobs: 2,
    memory: 2 ** 31,
    ...request,
  } as const;
}

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
        decided.keeping?.remove();
        comparisons.push(decided.comparisons);
      }
      // A few for each document are no growth: it depends on chance with how many kept ones a document shares a key.
      expect(comparisons[1]).toBeLessThan(4.4 * Math.max(comparisons[0]!, 2 * few));
    },
  );

  test('pairs are compared only where they may reach the threshold', async () => {
    const found = await findPairsOfFiles(await requestOf('boil75', 4000, { threadsFrom }), false, 1e6);
    expect([...found.pairs]).toEqual([]);
    found.keeping?.remove();
    expect(found.comparisons()).toBeLessThan(4000);
    const all = await findPairsOfFiles(await requestOf('boil75', 4000, { threadsFrom }), true, 1e6);
    expect([...all.pairs]).toEqual([]);
    expect(all.comparisons()).toBeLessThan(4000);
  });

  test('of very many comparisons the user is told while they are made, and why', async () => {
    const told: LargestGroup[] = [];
    const watch = { estimate: () => {}, stage: () => {}, many: (group: LargestGroup) => told.push(group) };
    const request = { given: { verify: 'sketch' }, threadsFrom, manyComparisons: 1000, watch } as const;
    const decided = await decideFiles(await requestOf('boil75', 400, request));
    decided.keeping?.remove();
    expect(decided.comparisons).toBeGreaterThan(1000);
    const passage = Array.from({ length: 150 }, (_, i) => `boiler${i}`).join(' ');
    expect(told).toEqual([{ documents: expect.any(Number), passage }]);
    expect(told[0]!.documents).toBeGreaterThan(200);
  });
});
