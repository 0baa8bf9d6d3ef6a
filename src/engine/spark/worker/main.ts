/** The program that Spark's executors run with Node: rows on standard input → rows on standard output. Bundled into one file by scripts/build-worker.mjs. */
import { Worker } from 'node:worker_threads';
import { decodePlan } from './plan.ts';
import { runTask } from './tasks.ts';

const plan = decodePlan(process.argv[2]!);

// A thread, since the work does not wait. The worker ends with the executor that started it, and with the run: Spark cannot
// stop a task that waits for its worker.
const watch = `const { statSync } = require('node:fs');
const { ppid } = process;
const { workerData: folder } = require('node:worker_threads');
const isThere = () => {
  try {
    return statSync(folder, { throwIfNoEntry: false }) !== undefined;
  } catch {}
};
let misses = 0;
setInterval(() => {
  misses = isThere() === false ? misses + 1 : 0;
  // Several times, since file systems on a network may be late.
  if (process.ppid !== ppid || misses > 3) process.kill(process.pid, 'SIGKILL');
}, 1000);`;
// Its output is apart: Node would open ours for it, without blocking, and rows would fail when Spark is slow to read them.
new Worker(watch, { eval: true, workerData: plan.folder, stdout: true, stderr: true }).unref();

try {
  await runTask(plan);
} catch (error) {
  // Node would print the line of the bundle, which is half a megabyte long, and Spark passes on the end of it.
  process.stderr.write(`Error: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
