/** The program that executors run, without Spark: its rows are what the local engine gives, and its trailer counts them. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { readRunOptions } from '../src/engine/run-options.ts';
import { encodePlan, type WorkerPlan } from '../src/engine/spark/worker/plan.ts';
import { neardup, words } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';

const worker = fileURLToPath(new URL('../dist/spark-worker.mjs', import.meta.url));

function planOf(task: WorkerPlan['task']): string {
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
  });
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
    '7\t{"id":"a\\t","text":"one"}',
    '8\t \t',
    `9\t${long}`,
    '10\tno\tJSON',
    '11\t{"text":""}',
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
    documents.map((line, rid) => `0\t0\t${rid}\t${line}`),
  );
  const evidence = rows.filter(([kind]) => kind === 'X').map(row => `${row[4]}\n`);
  expect(evidence.join('')).toBe(readFileSync(join(folder, 'removed'), 'utf8'));
  expect(evidence).toHaveLength(3);
  expect(trailer).toMatchObject({ seen: 4, written: rows.length });
});

test('copies without a text are decided on like those that have one', () => {
  const lines = [0, 1, 2].map(id => JSON.stringify({ id: `d${id}`, text: words(0, 80 + id) }));
  const copy = JSON.stringify({ id: 'copy', text: words(0, 81) });
  const whole = [...lines, copy].map((line, rid) => `0\t0\t${rid}\t${line}`);
  const short = [...whole.slice(0, 3), '0\t1\t3\t[1,"copy",{}]'];
  expect(run('decide', short).rows).toEqual(run('decide', whole).rows);
  expect(run('pair', short).rows).toEqual(run('pair', whole).rows);
  expect(run('pair', short).rows).toHaveLength(6);
});

test('a row of another form is an error, not a shorter result', () => {
  expect(run('analyse', []).trailer).toMatchObject({ seen: 0, written: 0 });
  const { status, trailer } = run('decide', ['0\t0\tnot a number\t{}']);
  expect([status, trailer]).toEqual([1, null]);
});

test('a worker ends with the executor that started it, also while it waits for rows', async () => {
  // A pipe that the worker holds open itself: it never ends.
  const script = 'mkfifo rows; "$0" "$@" <>rows >/dev/null & echo $!; wait';
  const cwd = temporaryFolder();
  const executor = spawn('sh', ['-c', script, process.execPath, worker, planOf('analyse')], { cwd });
  const pid = await new Promise<number>(resolve => executor.stdout.once('data', line => resolve(Number(line))));
  const isRunning = () => existsSync(`/proc/${pid}/stat`);
  await setTimeout(1000);
  expect(isRunning()).toBe(true);
  executor.kill('SIGKILL');
  await vi.waitFor(() => expect(isRunning()).toBe(false), { timeout: 30_000, interval: 100 });
});
