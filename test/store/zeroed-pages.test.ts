/** 4 KB of zeroes somewhere in the file of an index → every answer is the right one, or an error. */
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { openAt, temporaryFolder } from '../support/indexes.ts';

const SEED = Number(process.env.NEARDUP_SEED ?? 1);
const CHUNK = 4096;
/** `NEARDUP_ZEROED=all` zeroes every part of the file, one after another. */
const ZEROED = process.env.NEARDUP_ZEROED ?? '12';
const DOCUMENTS = 3000;
const LIVES = 3;
const worker = fileURLToPath(new URL('../support/zeroed-worker.mjs', import.meta.url));

function textOf(n: number, words = 40): string {
  const random = createRandom(n + 1);
  return Array.from({ length: words }, () => `w${random.below(5000)}`).join(' ');
}

/** Three runs, duplicates, removals, and a tail that is in no run yet. */
async function madeIndex(): Promise<string> {
  const folder = join(temporaryFolder(), 'index');
  const add = async (documents: Iterable<{ id: string; text: string }>, removed: readonly string[]) => {
    const index = await openAt(folder);
    for await (const outcome of index.addAll(documents)) expect(outcome).not.toHaveProperty('error');
    await Promise.all(removed.map(id => index.remove(id)));
    await index.close();
  };
  const some = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({ id: `d${from + at}`, text: textOf(from + at) }));
  const step = DOCUMENTS / LIVES;
  for (let life = 0; life < LIVES; life++) {
    const copies = Array.from({ length: 40 }, (_, n) => ({ id: `copy${life}-${n}`, text: textOf(life * step + n) }));
    await add([...some(life * step, (life + 1) * step), ...copies], [`d${life * step + 700}`]);
  }
  await add(some(DOCUMENTS, DOCUMENTS + 100), ['d5', `d${DOCUMENTS + 50}`]);
  return folder;
}

interface Answers {
  readonly place: string;
  readonly begun?: true;
  readonly reading: unknown[] | string;
  readonly writing: unknown[] | string;
}

/** A copy that ends the process is left out, and said so. */
function* answersAt(folder: string, questions: object, places: readonly string[]): Generator<Answers | 'crashed'> {
  const scratch = temporaryFolder();
  const file = join(scratch, 'questions.json');
  writeFileSync(file, JSON.stringify(questions));
  for (let rest = places; rest.length > 0; ) {
    const { stdout, status, signal, stderr } = spawnSync(process.execPath, [worker, folder, file, scratch, ...rest], {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      timeout: 600_000,
    });
    const lines = stdout.split('\n').filter(line => line.endsWith('}'));
    const told = lines.map(line => JSON.parse(line) as Answers);
    const done = told.filter(({ begun }) => !begun);
    yield* done;
    rest = rest.slice(done.length);
    if (rest.length === 0) return;
    expect(told.at(-1)?.begun, `ended with ${status ?? signal}: ${stderr}`).toBe(true);
    yield 'crashed';
    rest = rest.slice(1);
  }
}

describe('4 KB of zeroes in the file of an index', () => {
  it(
    'never change an answer in silence',
    async () => {
      const folder = await madeIndex();
      const random = createRandom(SEED);
      const { size } = statSync(join(folder, 'data.mdb'));
      const all = Array.from({ length: Math.floor(size / CHUNK) }, (_, at) => String(at * CHUNK));
      const places = ZEROED === 'all' ? all : Array.from({ length: Number(ZEROED) }, () => random.pick(all));
      const asked = Array.from({ length: 150 }, () => random.below(DOCUMENTS + 100));
      const near = (n: number) => `${textOf(n)} and`;
      const questions = {
        ids: [...asked.map(n => `d${n}`), 'copy0-3', 'copy2-9', 'd5', 'd700', `d${DOCUMENTS + 50}`, 'nobody'],
        texts: [...asked.map(near), near(5), near(700), textOf(1_000_000)],
        added: [
          ...asked.map((n, at) => ({ id: `added${at}`, text: near(n) })),
          { id: 'd8', text: textOf(8) },
          { id: 'fresh', text: textOf(1_000_001) },
        ],
      };
      const [wanted] = [...answersAt(folder, questions, ['nowhere'])] as [Answers];
      expect(JSON.stringify(wanted)).not.toMatch(/failed|unexpected/);
      expect((wanted.writing as { status: string }[]).filter(({ status }) => status === 'near').length).toBeGreaterThan(
        100,
      );
      const counts = { right: 0, failed: 0, crashed: 0 };
      for (const answers of answersAt(folder, questions, places)) {
        if (answers === 'crashed') counts.crashed++;
        else counts[isRightOrFailed(answers, wanted) ? 'right' : 'failed']++;
      }
      console.log(`${places.length} parts of ${all.length} zeroed: ${JSON.stringify(counts)}`);
      expect(counts.right).toBeGreaterThan(0);
      expect(counts.failed).toBeGreaterThan(0);
    },
    ZEROED === 'all' ? 3_600_000 : 120_000,
  );
});

/** True when nothing failed. */
function isRightOrFailed({ place, reading, writing }: Answers, wanted: Answers): boolean {
  let isRight = true;
  for (const [given, right] of [
    [reading, wanted.reading],
    [writing, wanted.writing],
  ] as const) {
    if (given === 'failed') isRight = false;
    else expect(given, `at ${place}`).toHaveLength(right.length);
    for (const [at, answer] of given === 'failed' ? [] : (given as unknown[]).entries()) {
      if (answer === 'failed') isRight = false;
      else expect(answer, `answer ${at} at ${place}`).toEqual(right[at]);
    }
  }
  return isRight;
}
