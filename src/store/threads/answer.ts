/** What a thread of an index is asked → its answers, one after another. */
import { parentPort } from 'node:worker_threads';
import { type Failure, failureOf } from '../../errors.ts';

/** Names of tasks, each with what it takes and what it gives. */
export type TaskTable<Tasks> = {
  readonly [Name in keyof Tasks]: { readonly input: unknown; readonly output: unknown };
};

export type Perform<Tasks extends TaskTable<Tasks>> = <Name extends keyof Tasks>(
  name: Name,
  input: Tasks[Name]['input'],
) => Tasks[Name]['output'];

export interface Asked<Tasks extends TaskTable<Tasks>, Name extends keyof Tasks = keyof Tasks> {
  readonly name: Name;
  readonly input: Tasks[Name]['input'];
}

export type Answer = { readonly output: unknown } | { readonly failure: Failure };

/** `memoryOf`: the memory of an answer, which moves to who asked and is not copied. */
export function answerTasks<Tasks extends TaskTable<Tasks>>(
  perform: Perform<Tasks>,
  memoryOf: (output: Tasks[keyof Tasks]['output']) => ArrayBuffer[],
): void {
  const port = parentPort!;
  port.on('message', ({ name, input }: Asked<Tasks>) => {
    let output: Tasks[keyof Tasks]['output'];
    try {
      output = perform(name, input);
    } catch (error) {
      port.postMessage({ failure: failureOf(error) } satisfies Answer);
      return;
    }
    port.postMessage({ output } satisfies Answer, memoryOf(output));
  });
}

/** The memory of those arrays that share theirs with nobody. */
export function movable(arrays: readonly (Uint8Array | Uint32Array | BigUint64Array)[]): ArrayBuffer[] {
  return arrays
    .filter(({ byteLength, buffer }) => byteLength === buffer.byteLength)
    .map(({ buffer }) => buffer as ArrayBuffer);
}
