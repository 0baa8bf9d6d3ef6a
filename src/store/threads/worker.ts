/** A thread of the index: tasks in, answers out, one after another. */
import { workerData } from 'node:worker_threads';
import type { IndexOptions } from '../index-options.ts';
import { answerTasks, movable } from './answer.ts';
import { perform, type Tasks } from './tasks.ts';
import { createToolsOf } from './tools.ts';

const tools = await createToolsOf(workerData as IndexOptions);
answerTasks<Tasks>((name, input) => perform(tools, name, input), setsIn);

/** The memory of sets and keys moves to who asked. Bytes are copied: from Node 21 on, memory of some Buffers must not be moved. */
function setsIn(output: unknown): ArrayBuffer[] {
  const sets = new Set<BigUint64Array>();
  const visit = (value: unknown) => {
    if (value instanceof BigUint64Array) sets.add(value);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value))
      Object.values(value).forEach(visit);
  };
  visit(output);
  return [...new Set(movable([...sets]))];
}
