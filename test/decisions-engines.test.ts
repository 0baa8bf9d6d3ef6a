/** Decisions that people make, on threads and in memory: the same result, for any options, number of threads and memory. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import { createRandom } from '../bench/random.ts';
import type { Decision } from '../src/decisions/decision.ts';
import type { GivenRunOptions } from '../src/engine/run-options.ts';
import { sharedFolder } from './support/folder.ts';
import { type RunSetting, runRequest } from './support/run-request.ts';

// As built: worker threads cannot run TypeScript.
type Files = typeof import('../src/engine/choose-engine.ts');
const built = '../dist/engine/choose-engine.js';
const { decideFiles, findPairsOfFiles }: Files = await import(built);

const folder = sharedFolder();
const at = (name: string) => join(folder, name);
const [THREADS, MEMORY] = [0, Number.POSITIVE_INFINITY];
let pairs: (readonly [string, string])[] = [];
let ids: string[] = [];

beforeAll(async () => {
  makeCorpus(at('plain.jsonl'), { documents: 300, copies: 0.5, script: 'latin', seed: 5 });
  const documents = readFileSync(at('plain.jsonl'), 'utf8').trimEnd().split('\n').map(withSite);
  // Copies, byte for byte, and texts without words: what the engine on threads does not compare one by one.
  const copies = documents
    .slice(0, 60)
    .flatMap((one, i) => [0, 1, 2].map(copy => ({ ...one, id: `copy${copy}-${i}` })));
  const wordless = Array.from({ length: 9 }, (_, i) => ({ id: `w${i}`, text: '…', site: 'a' }));
  const all = [...documents, ...copies, ...wordless, { text: 'named by its location' }, { id: 'w0', text: 'again' }];
  writeFileSync(at('corpus.jsonl'), all.map(one => `${JSON.stringify(one)}\n`).join(''));
  const reference = documents.slice(0, 20).map(one => ({ ...one, id: `r-${one.id}` }));
  writeFileSync(at('reference.jsonl'), reference.map(one => `${JSON.stringify(one)}\n`).join(''));
  ids = [...all, ...reference].flatMap(one => ('id' in one ? [one.id] : []));
  ids.push(`${at('corpus.jsonl')}:${all.length - 1}`, `${at('corpus.jsonl')}:${all.length}`, 'nobody');
  pairs = (await listed({ given: { threshold: 0.5 } }, MEMORY)).pairs.map(({ a, b }) => [a, b]);
});

function withSite(line: string, i: number) {
  const { id, text } = JSON.parse(line) as { id: string; text: string };
  return { id, text, site: ['a', 'b'][i % 2]! };
}

/** About pairs that the run finds, and about any two. */
function decisionsOf(seed: number): Decision[] {
  const random = createRandom(seed);
  const lines = Array.from({ length: 300 }, (): Decision => {
    const [a, b] = random.below(2) === 0 ? random.pick(pairs) : [random.pick(ids), random.pick(ids)];
    const verdict = random.pick(['same', 'same', 'different', 'different', 'undecided'] as const);
    const contents = random.below(12) === 0 && { contents: ['0'.repeat(32), null] as const };
    return { a, b, verdict, ...(verdict === 'same' && random.below(2) && { keep: random.pick([a, b]) }), ...contents };
  }).filter(({ a, b }) => a !== b);
  return [...lines, { a: 'nobody', b: ids[0]!, verdict: 'same' }];
}

async function decided(setting: RunSetting, threadsFrom: number) {
  const run = await decideFiles(await runRequest([at('corpus.jsonl')], { ...setting, threadsFrom }));
  const { keptBy, totals, removed, clusters, decisions } = run;
  const told = { keptBy: [...keptBy], totals, removed: [...removed], clusters: [...clusters], decisions };
  run.release(true);
  return told;
}

async function listed(setting: RunSetting, threadsFrom: number) {
  const request = await runRequest([at('corpus.jsonl')], { ...setting, threadsFrom });
  const run = await findPairsOfFiles(request, { exact: false, maxPairs: 1e6 });
  const told = { pairs: [...run.pairs], decisions: run.decisions };
  run.release(true);
  return told;
}

const options: GivenRunOptions[] = [
  {},
  { keep: 'longest', threshold: 0.6 },
  { cluster: 'connected', threshold: 0.5 },
  { lsh: 'random:40x4', seed: 9 },
  { by: 'site' },
  { measure: 'containment', threshold: 0.7 },
  { measure: 'containment', cluster: 'connected' },
  { measure: 'edit', threshold: 0.9 },
  { verify: 'sketch' },
  { verify: 'none', cluster: 'connected' },
  { sketch: 'bottom:50', threshold: 0.5 },
  { sketch: 'mod:8', threshold: 0.5, cluster: 'connected' },
  { sketch: 'simhash' },
];

describe('threads give what memory gives', () => {
  test.each(options)('with %j', async given => {
    const reference = [at('reference.jsonl')];
    for (const seed of [1, 2]) {
      const setting = { given, reference, decisions: decisionsOf(seed) };
      const expected = await decided(setting, MEMORY);
      expect(expected.totals.decided).toBeGreaterThan(5);
      expect(expected.decisions!.stale).toBeGreaterThan(0);
      expect(expected.decisions!.unknown).toBeGreaterThan(0);
      expect(await decided(setting, THREADS)).toEqual(expected);
    }
  });

  test.each(options.filter(({ cluster, keep }) => !cluster && !keep))('in pairs with %j', async given => {
    const setting = { given, decisions: decisionsOf(3) };
    const expected = await listed(setting, MEMORY);
    expect(expected.pairs.filter(({ relation }) => relation === 'decided').length).toBeGreaterThan(5);
    expect(await listed(setting, THREADS)).toEqual(expected);
  });

  test.each([{}, { cluster: 'connected' }] as const)(
    'where all components are giant, in little memory, with %j',
    async given => {
      const setting = { given, decisions: decisionsOf(4), reference: [at('reference.jsonl')] };
      const expected = await decided(setting, MEMORY);
      for (const way of [{ giant: 0 }, { jobs: 1, memory: 2 ** 20 }, { jobs: 3, giant: 0, memory: 2 ** 34 }])
        expect(await decided({ ...setting, ...way }, THREADS)).toEqual(expected);
    },
  );

  test('undoing each gives back what there was', async () => {
    const lines = decisionsOf(5);
    const undone = [...lines, ...lines.map(({ a, b }): Decision => ({ a, b, verdict: 'undecided' }))];
    const { decisions: _, ...before } = await decided({}, THREADS);
    const { decisions: counts, ...after } = await decided({ decisions: undone }, THREADS);
    expect(after).toEqual(before);
    expect(counts!.applied).toBe(0);
  });
});

test('a changed log is another run for --resume', async () => {
  const start = async (decisions: readonly Decision[]) => {
    const setting = { decisions, tmp: folder, resume: true, threadsFrom: THREADS };
    return decideFiles(await runRequest([at('corpus.jsonl')], setting));
  };
  const [[a, b]] = pairs as [readonly [string, string]];
  const first = await start([]);
  // The folder of a run that is not over: the same run would go on with it, another one does not want it.
  await expect(start([])).rejects.toThrow('another run is at work there');
  const other = await start([{ a, b, verdict: 'different' }]);
  for (const run of [first, other]) run.release(true);
});
