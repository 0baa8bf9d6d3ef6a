/** A process that writes an index is killed at a random moment, again and again → nothing it acknowledged is lost. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import type { CrowdLimits } from '../../src/store/crowds/crowds.ts';
import type { NearIndex } from '../../src/store/near-index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { createModel, type Model } from '../support/index-model.ts';
import { damagesIn, noCrowds, openAt, openStoreAt, shortLease, smallCrowds, smallRuns } from '../support/indexes.ts';
import { redisForTests, redisServer } from '../support/redis.ts';

/** `npm run test:crash` kills a thousand times. */
const KILLS = Number(process.env.NEARDUP_KILLS ?? 20);
const SEED = Number(process.env.NEARDUP_SEED ?? 1);
const CLIENTS = 6;
const IDS = 12;
const worker = fileURLToPath(new URL('../support/crash-worker.mjs', import.meta.url));

interface Operation {
  readonly kind: 'add' | 'put' | 'remove';
  readonly id: string;
  readonly text: string;
  readonly store: string;
}

interface Life {
  /** What each client had answered, in order. */
  readonly answered: readonly { readonly operation: Operation; readonly answer: unknown }[][];
  /** What each client had begun when it was killed. */
  readonly begun: readonly (Operation | undefined)[];
}

/** Killed so many milliseconds after it was started, or after the index was open. */
interface Death {
  readonly after: 'start' | 'opening';
  readonly milliseconds: number;
}

async function liveAndDie(
  folder: string,
  seed: number,
  { after, milliseconds }: Death,
  crowds: CrowdLimits,
): Promise<Life> {
  const limits = JSON.stringify(folder.startsWith('redis:') ? shortLease : smallRuns);
  const child = spawn(
    process.execPath,
    [worker, folder, String(seed), String(CLIENTS), limits, JSON.stringify(crowds)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const kill = () => void setTimeout(() => child.kill('SIGKILL'), milliseconds);
  if (after === 'start') kill();
  const answered = Array.from({ length: CLIENTS }, (): Life['answered'][number] => []);
  const begun: (Operation | undefined)[] = new Array(CLIENTS).fill(undefined);
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line);
    if (said.failed) throw new Error(said.failed);
    if (said.ready && after === 'opening') kill();
    if (said.begin) begun[said.client] = said.begin;
    else if (said.client !== undefined) {
      answered[said.client]!.push({ operation: begun[said.client]!, answer: said.answer });
      begun[said.client] = undefined;
    }
  }
  return { answered, begun };
}

function perform(model: Model, { kind, id, text, store }: Operation): unknown {
  return kind === 'remove' ? model.remove(id) : model[kind](id, text, store);
}

/** All that a client can know of the index. */
async function seenIn(index: NearIndex, client: number) {
  const ids = Array.from({ length: IDS }, (_, n) => `c${client}d${n}`);
  return Promise.all(ids.map(async id => ({ verdict: await index.verdictOf(id), text: (await index.get(id))?.text })));
}

function wantedOf(model: Model, client: number) {
  const ids = Array.from({ length: IDS }, (_, n) => `c${client}d${n}`);
  return ids.map(id => ({ verdict: model.verdictOf(id), text: model.textOf(id) }));
}

/** A text that replaced another shows only when it is asked for, where neither is stored. */
function isKnownSo(index: NearIndex, { id, text }: Operation): Promise<boolean> {
  return index.check({ id, text }).then(
    () => true,
    () => false,
  );
}

async function killAgainAndAgain(location: string, kills: number, crowds: CrowdLimits): Promise<void> {
  const random = createRandom(SEED);
  const models = Array.from({ length: CLIENTS }, () => createModel(0.5));
  const folder = location.replace(/^small:/, '');
  let answers = 0;
  let lost = 0;
  for (let kill = 0; kill < kills; kill++) {
    const death: Death =
      random.below(5) === 0
        ? { after: 'start', milliseconds: random.below(600) }
        : { after: 'opening', milliseconds: random.below(400) };
    const { answered, begun } = await liveAndDie(folder, SEED * 10_000 + kill, death, crowds);
    const index = await openAt(location, { shingle: 'word:1', lsh: 'bands:128x1', threshold: 0.5 });
    try {
      expect(await damagesIn(index), `after kill ${kill}`).toEqual([]);
      for (let client = 0; client < CLIENTS; client++) {
        for (const { operation, answer } of answered[client]!) {
          expect(answer, `of client ${client} before kill ${kill}`).toEqual(
            JSON.parse(JSON.stringify(perform(models[client]!, operation))),
          );
          answers++;
        }
        const seen = await seenIn(index, client);
        const unfinished = begun[client];
        const done = models[client]!.clone();
        if (unfinished) perform(done, unfinished);
        // What was under way when the process was killed may have happened or not, but not by halves.
        const mayHave = unfinished !== undefined && isEqual(seen, wantedOf(done, client));
        const mayNotHave = isEqual(seen, wantedOf(models[client]!, client));
        const happened = mayHave && (!mayNotHave || (await isKnownSo(index, unfinished)));
        if (happened) models[client] = done;
        else expect(seen, `of client ${client} after kill ${kill}`).toEqual(wantedOf(models[client]!, client));
        if (unfinished && !happened) lost++;
      }
    } finally {
      await index.close();
    }
  }
  expect(answers).toBeGreaterThan(kills);
  console.log(`${kills} kills, ${answers} acknowledged operations, ${lost} cut off before they happened`);
}

/** Documents of nobody's ids and words, so that what follows meets an index with a crowd, however soon it is killed. */
async function addCrowd(location: string): Promise<void> {
  const index = await openAt(location, { shingle: 'word:1', lsh: 'bands:128x1', threshold: 0.5 }, crowded);
  const words = (name: string) => Array.from({ length: 12 }, (_, at) => `${name}${at}`).join(' ');
  for (let n = 0; n < 6; n++) await index.add({ id: `crowd${n}`, text: `${words('shared')} ${words(`own${n}w`)}` });
  await index.close();
}

async function commonsIn(location: string): Promise<number> {
  const store = await openStoreAt(location, { keysOf: () => new BigUint64Array(0) }, true);
  const { commons } = await store.state();
  await store.close();
  return commons;
}

const redis = redisForTests();
/** As JSON has it. */
const few = { ...noCrowds, crowdedFrom: 2 ** 31 };
const crowded = smallCrowds(1);
/** Who writes next waits until the lease of the killed one is over, which takes longer than all the rest. */
const KILLS_ON_REDIS = Number(process.env.NEARDUP_KILLS ?? 10);

describe('an index whose process is killed', () => {
  it(
    `has all that was acknowledged and nothing else, ${KILLS} times in a row`,
    () => killAgainAndAgain(`small:${join(temporaryFolder(), 'index')}`, KILLS, few),
    60_000 + KILLS * 5_000,
  );

  it(
    `has it where documents are found by their rare elements, ${KILLS} times in a row`,
    async () => {
      const location = `small:${join(temporaryFolder(), 'index')}`;
      await addCrowd(location);
      await killAgainAndAgain(location, KILLS, crowded);
      expect(await commonsIn(location)).toBeGreaterThan(0);
    },
    60_000 + KILLS * 5_000,
  );

  it.skipIf(!redisServer)(
    `has it on a Redis cluster, too, ${KILLS_ON_REDIS} times in a row`,
    async () => {
      const location = `small:${redis.cluster()}`;
      await addCrowd(location);
      await killAgainAndAgain(location, KILLS_ON_REDIS, crowded);
      expect(await commonsIn(location)).toBeGreaterThan(0);
    },
    60_000 + KILLS_ON_REDIS * 15_000,
  );
});

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
