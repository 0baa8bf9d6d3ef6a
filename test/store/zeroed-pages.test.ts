/** 4 KB of zeroes somewhere in the file of an index → every answer is the right one, or an error. */
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { type Made, readMeta } from '../../src/store/lmdb/meta.ts';
import { openTables } from '../../src/store/lmdb/tables.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openAt } from '../support/indexes.ts';

const SEED = Number(process.env.NEARDUP_SEED ?? 1);
const CHUNK = 4096;
/** `NEARDUP_ZEROED=all` zeroes every part of the file, one after another. */
const ZEROED = process.env.NEARDUP_ZEROED ?? '12';
const LIVES = 3;
const worker = fileURLToPath(new URL('../support/zeroed-worker.mjs', import.meta.url));

type TextOf = (n: number) => string;

const textOf: TextOf = n => {
  const random = createRandom(n + 1);
  return Array.from({ length: 40 }, () => `w${random.below(5000)}`).join(' ');
};

/** Resemblance 0.69 to one another: crowds, which are found by their rare elements. */
const shared = Array.from({ length: 150 }, (_, at) => `shared${at}`).join(' ');
const withBoilerplate: TextOf = n => `${shared} ${textOf(n)}`;

/** Three runs, duplicates, removals, and a tail that is in no run yet. */
async function madeIndex(documents: number, tail: number, textOf: TextOf): Promise<string> {
  const folder = join(temporaryFolder(), 'index');
  const add = async (documents: Iterable<{ id: string; text: string }>, removed: readonly string[]) => {
    const index = await openAt(folder);
    for await (const outcome of index.addAll(documents)) expect(outcome).not.toHaveProperty('error');
    await Promise.all(removed.map(id => index.remove(id)));
    await index.close();
  };
  const some = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({ id: `d${from + at}`, text: textOf(from + at) }));
  const step = documents / LIVES;
  for (let life = 0; life < LIVES; life++) {
    const copies = Array.from({ length: step / 25 }, (_, n) => ({
      id: `copy${life}-${n}`,
      text: textOf(life * step + n),
    }));
    await add([...some(life * step, (life + 1) * step), ...copies], [`d${life * step + 0.7 * step}`]);
  }
  await add(some(documents, documents + tail), ['d5', `d${documents + tail / 2}`]);
  return folder;
}

async function isCrowded(folder: string): Promise<boolean> {
  const tables = openTables(folder, true);
  const { version } = readMeta<Made>(tables, 'made')!;
  await tables.root.close();
  return version === 2;
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
  it.each([
    { documents: 3000, what: 'nothing shared', tail: 100, questionCount: 150, zeroed: ZEROED, textOf },
    { documents: 30, what: 'nothing shared', tail: 10, questionCount: 10, zeroed: 'all', textOf },
    { documents: 300, what: 'with boilerplate', tail: 60, questionCount: 40, zeroed: ZEROED, textOf: withBoilerplate },
  ])(
    'never change an answer in silence ($documents, $what)',
    async ({ documents, tail, questionCount, zeroed, textOf }) => {
      const folder = await madeIndex(documents, tail, textOf);
      expect(await isCrowded(folder)).toBe(textOf === withBoilerplate);
      const random = createRandom(SEED);
      const { size } = statSync(join(folder, 'data.mdb'));
      const all = Array.from({ length: Math.floor(size / CHUNK) }, (_, at) => String(at * CHUNK));
      const places = zeroed === 'all' ? all : Array.from({ length: Number(zeroed) }, () => random.pick(all));
      const asked = Array.from({ length: questionCount }, () => random.below(documents + tail));
      const removed = `d${0.7 * (documents / LIVES)}`;
      const near = (n: number) => `${textOf(n)} and`;
      const questions = {
        ids: [...asked.map(n => `d${n}`), 'copy0-1', 'copy2-1', 'd5', removed, `d${documents + tail / 2}`, 'nobody'],
        texts: [...asked.map(near), near(5), textOf(0.7 * (documents / LIVES)), textOf(1_000_000)],
        added: [
          ...asked.map((n, at) => ({ id: `added${at}`, text: near(n) })),
          { id: 'd8', text: textOf(8) },
          { id: 'fresh', text: textOf(1_000_001) },
        ],
      };
      const [wanted] = [...answersAt(folder, questions, ['nowhere'])] as [Answers];
      expect(JSON.stringify(wanted)).not.toMatch(/failed|unexpected/);
      expect((wanted.writing as { status: string }[]).filter(({ status }) => status === 'near').length).toBeGreaterThan(
        questionCount / 2,
      );
      const counts = { right: 0, failed: 0, crashed: 0 };
      const wrong: string[] = [];
      for (const answers of answersAt(folder, questions, places)) {
        if (answers === 'crashed') {
          counts.crashed++;
          continue;
        }
        const differences = differencesOf(answers, wanted);
        wrong.push(...differences.filter(difference => difference !== 'failed'));
        counts[differences.length === 0 ? 'right' : 'failed']++;
      }
      console.log(`${places.length} parts of ${all.length} zeroed: ${JSON.stringify(counts)}`);
      expect(wrong).toEqual([]);
      expect(counts.right).toBeGreaterThan(0);
      expect(counts.failed).toBeGreaterThan(0);
    },
    ZEROED === 'all' ? 3_600_000 : 120_000,
  );
});

/** What is not as wanted: `failed` for an error that names the damage, otherwise the place and the answer. */
function differencesOf({ place, reading, writing }: Answers, wanted: Answers): string[] {
  return [
    [reading, wanted.reading],
    [writing, wanted.writing],
  ].flatMap(([given, right]) => {
    if (typeof given === 'string') return given === 'failed' ? ['failed'] : [`${place}: ${given}`];
    if (given!.length !== right!.length) return [`${place}: ${given!.length} answers of ${right!.length}`];
    return given!.flatMap((answer, at) => {
      if (answer === 'failed') return ['failed'];
      return isDeepStrictEqual(answer, right![at]) ? [] : [`${place}: answer ${at} is ${JSON.stringify(answer)}`];
    });
  });
}
