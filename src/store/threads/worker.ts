/** A thread of the index: tasks in, answers out, one after another. */
import { workerData } from 'node:worker_threads';
import type { IndexOptions } from '../index-options.ts';
import { answerTasks, movable } from './answer.ts';
import { perform, type Tasks } from './tasks.ts';
import { createToolsOf } from './tools.ts';

const tools = await createToolsOf(workerData as IndexOptions);
answerTasks<Tasks>((name, input) => perform(tools, name, input), ownMemory);

/** The memory of arrays moves to who asked. Buffers are copied: from Node 21 on, memory of some of them must not be moved. */
function ownMemory(output: unknown): ArrayBuffer[] {
  const arrays = new Set<BigUint64Array | Uint8Array>();
  const visit = (value: unknown) => {
    if (value instanceof BigUint64Array || (value instanceof Uint8Array && !Buffer.isBuffer(value))) arrays.add(value);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value))
      Object.values(value).forEach(visit);
  };
  visit(output);
  return [...new Set(movable([...arrays]))];
}
