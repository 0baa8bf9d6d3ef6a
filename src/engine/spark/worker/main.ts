/** The program that Spark's executors run with Node: rows on standard input → rows on standard output. Bundled into one file by scripts/build-worker.mjs. */
import { Worker } from 'node:worker_threads';
import { decodePlan } from './plan.ts';
import { runTask } from './tasks.ts';

// A thread, since the work does not wait: it ends with the executor that started it, whatever it is busy with.
const watch = `const { ppid } = process;
setInterval(() => process.ppid === ppid || process.kill(process.pid, 'SIGKILL'), 1000);`;
new Worker(watch, { eval: true }).unref();

try {
  await runTask(decodePlan(process.argv[2]!));
} catch (error) {
  // Node would print the line of the bundle, which is half a megabyte long, and Spark passes on the end of it.
  process.stderr.write(`Error: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
