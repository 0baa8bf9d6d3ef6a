/**
 * A whole verified dedup as a ratio to `wc -w` on the same file in the same run: JSON lines in, JSON lines and evidence out.
 * With the memory it takes, how time grows with the number of documents, and for how much of the time no worker had a task.
 *
 *   npm run bench:dedup [-- --documents 500000] [--corpus FILE --times 8]
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { makeCorpus } from './make-corpus.ts';
import { createRandom } from './random.ts';
import { type Serial, serialShare } from './serial-share.ts';

const ROUNDS = 3;
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const tracing = fileURLToPath(new URL('trace-tasks.mjs', import.meta.url));
const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '500000' },
    corpus: { type: 'string' },
    times: { type: 'string', default: '1' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
try {
  const corpus = join(folder, 'corpus.jsonl');
  if (values.corpus === undefined) makeCorpus(corpus, corpusOf(Number(values.documents)));
  else repeatWithEdits(values.corpus, Number(values.times), corpus);
  const outputs = ['-o', join(folder, 'kept.jsonl'), '--removed', join(folder, 'removed.jsonl')];
  const dedup = (...args: string[]) => [process.execPath, main, 'dedup', ...args, '--quiet', '--tmp', folder];
  const runs: Record<string, string[]> = {
    'wc -w': ['wc', '-w', corpus],
    'dedup --dry-run': dedup(corpus, '--dry-run'),
    dedup: dedup(corpus, ...outputs),
    'dedup --memory 512MB': dedup(corpus, ...outputs, '--memory', '512MB'),
  };
  const quarter = join(folder, 'quarter.jsonl');
  if (values.corpus === undefined) {
    makeCorpus(quarter, corpusOf(Number(values.documents) / 4));
    runs['dedup of a quarter'] = dedup(quarter, ...outputs);
  }
  const best = new Map<string, Measured>();
  let serial: Serial | undefined;
  // Interleaved, best of each: a busy moment of the machine then hits all alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, command] of Object.entries(runs)) {
      const measured = await measure(command);
      const known = best.get(name) ?? measured;
      best.set(name, {
        seconds: Math.min(known.seconds, measured.seconds),
        memory: Math.max(known.memory, measured.memory),
      });
    }
    const traced = await trace(runs.dedup!.slice(1));
    if (!serial || traced.serial / traced.total < serial.serial / serial.total) serial = traced;
  }
  const megabytes = statSync(corpus).size / 1e6;
  const yardstick = best.get('wc -w')!.seconds;
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; best of ${ROUNDS}; ${megabytes.toFixed(0)} MB`,
  );
  for (const [name, { seconds, memory }] of best) {
    const ratio = name.endsWith('quarter') ? '' : `${(seconds / yardstick).toFixed(2)} × wc -w`;
    console.log(
      `${name.padEnd(22)} ${seconds.toFixed(2).padStart(6)} s  ${String(Math.round(memory / 2 ** 20)).padStart(5)} MB peak  ${ratio}`,
    );
  }
  const { total, serial: milliseconds, gaps } = serial!;
  const longest = gaps.slice(0, 5).map(([between, gap]) => `${between} ${gap.toFixed(0)} ms`);
  console.log(
    `no worker had a task for ${((100 * milliseconds) / total).toFixed(1)} % of dedup: ${longest.join(', ')} …`,
  );
  if (best.has('dedup of a quarter')) {
    const growth = best.get('dedup')!.seconds / best.get('dedup of a quarter')!.seconds;
    console.log(`four times the documents take ${growth.toFixed(2)} times as long`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

function corpusOf(documents: number) {
  return { documents, copies: 0.3, script: 'latin', seed: 1 } as const;
}

/** Real documents as often as asked: the first time as they are, then with up to 15 % of their words changed. */
function repeatWithEdits(from: string, times: number, to: string): void {
  const bytes = readFileSync(from);
  const lines = (from.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trimEnd().split('\n');
  const random = createRandom(1);
  const file = openSync(to, 'w');
  for (let turn = 0; turn < times; turn++) {
    for (const line of lines) {
      const { id, text } = JSON.parse(line);
      const edited = turn === 0 ? text : edit(text, random.below(16) / 100, random);
      writeSync(file, `${JSON.stringify({ id: `${id}#${turn}`, text: edited })}\n`);
    }
  }
  closeSync(file);
}

function edit(text: string, rate: number, random: ReturnType<typeof createRandom>): string {
  return text.replace(/\S+/g, word => (random.below(1000) < rate * 1000 ? `changed${random.below(10_000)}` : word));
}

/** The same command once more, with notes of when workers had a task. */
async function trace(args: readonly string[]): Promise<Serial> {
  const tasks = join(folder, 'tasks');
  rmSync(tasks, { force: true });
  await measure([process.execPath, '--import', tracing, ...args], { TASKS_FILE: tasks });
  return serialShare(tasks);
}

interface Measured {
  readonly seconds: number;
  /** The most that was in memory at once, as the kernel of Linux counts it; 0 elsewhere. */
  readonly memory: number;
}

async function measure([program, ...args]: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Measured> {
  const start = performance.now();
  const child = spawn(program!, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } });
  let memory = 0;
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve));
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    memory = Math.max(memory, peakOf(child.pid!));
    await Promise.race([ended, sleep(20)]);
  }
  if ((await ended) !== 0) throw new Error(`${[program, ...args].join(' ')} failed`);
  return { seconds: (performance.now() - start) / 1000, memory };
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
