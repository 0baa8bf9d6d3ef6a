/**
 * A process of neardup → a file of when its workers had a task: `node --import ./bench/trace-tasks.mjs …`, with TASKS_FILE set.
 *
 * Node loads it into the main thread and into each worker. A line is JSON: a task with its times in ms since 1970, or, of the
 * main thread, when the process began and ended.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const lines = [];
const note = record => lines.push(`${JSON.stringify(record)}\n`);
const now = () => performance.timeOrigin + performance.now();

subscribe('neardup:task', ({ name, from, to }) =>
  note({ name, from: performance.timeOrigin + from, to: performance.timeOrigin + to }),
);
process.on('exit', () => {
  if (isMainThread) note({ name: 'process', from: performance.timeOrigin, to: now() });
  appendFileSync(process.env.TASKS_FILE, lines.join(''));
});
