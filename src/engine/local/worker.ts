/** A worker thread: takes tasks one at a time, answers each. */
import { parentPort, workerData } from 'node:worker_threads';
import { decideItems } from './decide-items.ts';
import { createLineKernel } from './line-kernel.ts';
import { sharedKeys } from './shared-keys.ts';
import { shingleChunk } from './shingle-chunk.ts';
import { sketchChunk } from './sketch-chunk.ts';
import type { Answer, Task, TaskName, Tasks } from './tasks.ts';

const port = parentPort!;
const kernel = await createLineKernel(workerData);

const run: { readonly [Name in TaskName]: (input: Tasks[Name]['input']) => Tasks[Name]['output'] } = {
  sketch: chunk => sketchChunk(kernel, chunk),
  sharedKeys,
  shingle: task => shingleChunk(kernel, task),
  decide: task => decideItems(kernel, task),
};

port.on('message', ({ name, input }: Task) => {
  port.postMessage(answer(() => run[name](input as never)));
});

function answer(work: () => unknown): Answer {
  try {
    return { output: work() };
  } catch (error) {
    return { error };
  }
}
