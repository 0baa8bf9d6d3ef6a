/** A giant component whose documents nearly all resemble each other: dissolving it would be work for nothing. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type BoilerplateCorpus, writeBoilerplate } from '../bench/boilerplate.ts';
import { sharedFolder } from './support/folder.ts';
import { runRequest } from './support/run-request.ts';

// As built: worker threads cannot run TypeScript.
type Files = typeof import('../src/engine/choose-engine.ts');
const built = '../dist/engine/choose-engine.js';
const { decideFiles }: Files = await import(built);

const folder = sharedFolder();
const DOCUMENTS = 12_000;

async function decided(name: BoilerplateCorpus, giant: number) {
  const path = join(folder, `${name}.jsonl`);
  writeBoilerplate(path, name, DOCUMENTS);
  const stages = new Set<string>();
  const watch = { estimate: () => {}, stage: (stage: string) => stages.add(stage), many: () => {} };
  const { keptBy, release } = await decideFiles(await runRequest([path], { threadsFrom: 0, giant, jobs: 2, watch }));
  release(true);
  return { keptBy, isDissolved: stages.has('shared passages') };
}

test.each([
  ['boil79', false],
  ['boil75', true],
] as const)('%s is dissolved: %s, with the same decisions', async (name, isDissolved) => {
  const whole = await decided(name, Number.POSITIVE_INFINITY);
  expect(whole.isDissolved).toBe(false);
  expect(await decided(name, 5000)).toEqual({ keptBy: whole.keptBy, isDissolved });
});
