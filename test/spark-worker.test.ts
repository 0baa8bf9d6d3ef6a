/** The program that executors run, without Spark: its rows are what the local engine gives, and its trailer counts them. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { boilerplateDocuments } from '../bench/boilerplate.ts';
import { readRunOptions } from '../src/engine/run-options.ts';
import { encodePlan, type WorkerPlan } from '../src/engine/spark/worker/plan.ts';
import { neardup, words } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { largestPeak, tellPeak } from './support/peak-memory.ts';

const worker = fileURLToPath(new URL('../dist/spark-worker.mjs', import.meta.url));

function planOf(task: WorkerPlan['task'], folder?: string): string {
  const reading = { textField: 'text', idField: 'id', html: 'auto' } as const;
  return encodePlan({
    task,
    options: readRunOptions({}),
    reading,
    protectedCount: 0,
    maxPairs: 100,
    converted: [],
    memory: 2 ** 30,
    hasDecisions: false,
    folder,
  });
}

/** As Spark gives it to a worker: numbers, the checksum of the rest, the rest. */
function row(...fields: [...numbers: number[], rest: string]): string {
  return [...fields.slice(0, -1), crc32(String(fields.at(-1))), fields.at(-1)].join('\t');
}

function run(task: WorkerPlan['task'], rows: readonly string[]) {
  const input = rows.map(row => `${row}\n`).join('');
  const ran = spawnSync(process.execPath, [worker, planOf(task)], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const made = ran.stdout
    .split('\n')
    .slice(0, -1)
    .map(row => row.split('\t'));
  return { ...ran, rows: made.slice(0, -1), trailer: JSON.parse(made.at(-1)?.[4] ?? 'null') };
}

test('each line is a document, a reject or blank, and the trailer counts them', () => {
  const long = JSON.stringify({ id: 'long', text: 'x'.repeat(3 << 20) });
  const { rows, trailer } = run('analyse', [
    row(7, '{"id":"a\\t","text":"one"}'),
    row(8, ' \t'),
    row(9, long),
    row(10, 'no\tJSON'),
    row(11, '{"text":""}'),
  ]);
  expect(rows.map(([kind, rid, , , json]) => [kind, rid, json])).toEqual([
    ['D', '7', '"a\\t"'],
    ['B', '8', ''],
    ['D', '9', '"long"'],
    ['R', '10', '"not JSON"'],
    ['D', '11', 'null'],
  ]);
  expect(trailer).toMatchObject({ seen: 5, written: 5, rids: '45' });
});

test('components are decided as the local engine decides', async () => {
  const folder = temporaryFolder();
  const documents = [0, 1, 2, 3].map(id => JSON.stringify({ id, text: words(0, 80 + id) }));
  writeFileSync(join(folder, 'in.jsonl'), documents.join('\n'));
  await neardup(['dedup', join(folder, 'in.jsonl'), '-o', '/dev/null', '--removed', join(folder, 'removed')]);
  const { rows, trailer } = run(
    'decide',
    documents.map((line, rid) => row(0, 0, rid, line)),
  );
  const evidence = rows.filter(([kind]) => kind === 'X').map(row => `${row[4]}\n`);
  expect(evidence.join('')).toBe(readFileSync(join(folder, 'removed'), 'utf8'));
  expect(evidence).toHaveLength(3);
  expect(trailer).toMatchObject({ seen: 4, written: rows.length });
});

test('copies without a text are decided on like those that have one', () => {
  const lines = [0, 1, 2].map(id => JSON.stringify({ id: `d${id}`, text: words(0, 80 + id) }));
  const copy = JSON.stringify({ id: 'copy', text: words(0, 81) });
  const whole = [...lines, copy].map((line, rid) => row(0, 0, rid, line));
  const short = [...whole.slice(0, 3), row(0, 1, 3, '[1,"copy",{}]')];
  expect(run('decide', short).rows).toEqual(run('decide', whole).rows);
  expect(run('pair', short).rows).toEqual(run('pair', whole).rows);
  expect(run('pair', short).rows).toHaveLength(6);
});

test('a row of another form is an error, not a shorter result', () => {
  expect(run('analyse', []).trailer).toMatchObject({ seen: 0, written: 0 });
  const { status, trailer } = run('decide', ['0\t0\tnot a number\t0\t{}']);
  expect([status, trailer]).toEqual([1, null]);
});

test('a row whose bytes were changed on the way is an error', () => {
  const { status, stderr, trailer } = run('analyse', [
    row(1, '{"id":1,"text":"one"}'),
    row(2, '{"id":2,"text":"two"}').replace('two', 'too'),
  ]);
  expect([status, trailer]).toEqual([1, null]);
  expect(stderr).toBe('Error: row 2 of the input was changed on the way: its checksum is wrong\n');
});

test('the trailer has the sum of the checksums of all rows', () => {
  const given = Array.from({ length: 20_000 }, (_, id) => row(id, JSON.stringify({ id, text: words(id, id + 9) })));
  const { rows, trailer } = run('analyse', given);
  const sum = rows.reduce((total, fields) => total + BigInt(crc32(fields.join('\t'))), 0n);
  expect(trailer.sum).toBe(String(sum));
});

test('rows are whole when they are read slowly', () => {
  const rows = Array.from(
    { length: 2000 },
    (_, id) => `${row(id, JSON.stringify({ id, text: words(id, id + 60) }))}\n`,
  );
  const slowly = '"$0" "$@" | { sleep 1; cat; }';
  const command = ['-c', slowly, process.execPath, worker, planOf('analyse')];
  const { stdout, stderr } = spawnSync('sh', command, { input: rows.join(''), encoding: 'utf8', maxBuffer: 2 ** 28 });
  // A pipe holds 64 KB.
  expect([stderr, stdout.length > 2 ** 18]).toEqual(['', true]);
  expect(JSON.parse(stdout.split('\n').at(-2)!.split('\t')[4]!)).toMatchObject({ seen: 2000, written: 2000 });
});

/** Bytes that a worker had in memory at most, given 1 GB, when it decided one component of these rows. */
function mostMemory(rows: Iterable<string>): number {
  const folder = temporaryFolder();
  const file = openSync(join(folder, 'rows'), 'w');
  for (const row of rows) writeSync(file, `${row}\n`);
  closeSync(file);
  const peaks = join(folder, 'peaks');
  tellPeak(join(folder, 'tell.cjs'), peaks);
  const options = ['--max-old-space-size=1024', '--require', './tell.cjs', worker, planOf('decide')];
  const command = ['-c', 'exec "$0" "$@" <rows >/dev/null', process.execPath, ...options];
  const { status } = spawnSync('sh', command, { cwd: folder });
  expect(status).toBe(0);
  const most = largestPeak(peaks);
  console.log(`the worker took ${Math.round(most / 2 ** 20)} MB`);
  return most;
}

const MOST = 640 * 2 ** 20;
// `npm run test:spark` runs them: each takes most of a minute.
if (process.env.NEARDUP_SPARK === 'full')
  describe('in 640 MB', () => {
    test('a million copies of two texts are decided', { timeout: 600_000 }, () => {
      const texts = [words(0, 12), words(0, 14)].map((text, id) => row(0, 0, id, JSON.stringify({ id, text })));
      const copies = Array.from({ length: 999_998 }, (_, at) => row(0, 1, at + 2, `[${at % 2},"copy ${at}",{}]`));
      expect(mostMemory([...texts, ...copies])).toBeLessThan(MOST);
    });

    test('100,000 documents of one template are decided', { timeout: 600_000 }, () => {
      const rows = Array.from(boilerplateDocuments('boil79', 100_000), (one, rid) =>
        row(0, 0, rid, JSON.stringify(one)),
      );
      expect(mostMemory(rows)).toBeLessThan(MOST);
    });
  });

/** A worker that waits for rows, which never come: it holds its input open itself. */
async function waitingWorker(plan: string) {
  const script = 'mkfifo rows; "$0" "$@" <>rows >/dev/null & echo $!; wait';
  const executor = spawn('sh', ['-c', script, process.execPath, worker, plan], { cwd: temporaryFolder() });
  const pid = await new Promise<number>(resolve => executor.stdout.once('data', line => resolve(Number(line))));
  const isRunning = () => existsSync(`/proc/${pid}/stat`);
  // As long as it takes to start, and to look twice.
  await setTimeout(3000);
  expect(isRunning()).toBe(true);
  const ends = () => vi.waitFor(() => expect(isRunning()).toBe(false), { timeout: 30_000, interval: 100 });
  return { executor, ends };
}

test('a worker ends with the executor that started it, also while it waits for rows', async () => {
  const { executor, ends } = await waitingWorker(planOf('analyse'));
  executor.kill('SIGKILL');
  await ends();
});

test('a worker ends with the run, of which the folder tells it', async () => {
  const folder = temporaryFolder();
  const { ends } = await waitingWorker(planOf('analyse', folder));
  rmSync(folder, { recursive: true });
  await ends();
  // It may start when the run is over.
  await (await waitingWorker(planOf('analyse', folder))).ends();
});
