/** A thread of the index: tasks in, answers out, one after another. */
import { parentPort, workerData } from 'node:worker_threads';
import { NeardupError } from '../../errors.ts';
import type { IndexOptions } from '../index-options.ts';
import type { Answer, Asked } from './pool.ts';
import { perform } from './tasks.ts';
import { createToolsOf } from './tools.ts';

const port = parentPort!;
const tools = await createToolsOf(workerData as IndexOptions);

port.on('message', ({ name, input }: Asked) => {
  const answer = answerTo(() => perform(tools, name, input));
  port.postMessage(answer, 'output' in answer ? memoryIn(answer.output) : []);
});

function answerTo(work: () => unknown): Answer {
  try {
    return { output: work() };
  } catch (error) {
    // A class does not survive the way between threads.
    if (error instanceof NeardupError)
      return { failed: { code: error.code, message: error.message, place: error.place } };
    return { error };
  }
}

/** The memory of sets and keys moves to who asked. Bytes are copied: from Node 21 on, memory of some Buffers must not be moved. */
function memoryIn(output: unknown): ArrayBuffer[] {
  const memory = new Set<ArrayBuffer>();
  const visit = (value: unknown) => {
    if (value instanceof BigUint64Array) {
      if (value.byteLength === value.buffer.byteLength) memory.add(value.buffer as ArrayBuffer);
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value))
      Object.values(value).forEach(visit);
  };
  visit(output);
  return [...memory];
}
