/** The program that Spark's executors run with Node: rows on standard input → rows on standard output. Bundled into one file by scripts/build-worker.mjs. */
import { decodePlan } from './plan.ts';
import { runTask } from './tasks.ts';

await runTask(decodePlan(process.argv[2]!));
