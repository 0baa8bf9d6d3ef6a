/** Requests → answers, from a thread that is started with the first of them. */
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { canStart, programUrl } from '../../files/package.ts';
import { perform, type TaskName, type ThreadTasks } from './thread-tasks.ts';

const program = programUrl('store/lmdb/thread-worker.js');
/** Otherwise the work is done right here. */
const hasThreads = canStart(program);

export class Thread {
  #worker: Worker | undefined;
  #waiting: { resolve(output: unknown): void; reject(error: Error): void } | undefined;

  /** One at a time. What is in `moved` is gone here afterwards. */
  async ask<Name extends TaskName>(
    name: Name,
    input: ThreadTasks[Name]['input'],
    moved: readonly ArrayBuffer[] = [],
  ): Promise<ThreadTasks[Name]['output']> {
    if (!hasThreads) {
      await setImmediate();
      return perform({ name, input });
    }
    this.#worker ??= this.#start();
    const worker = this.#worker;
    // A process that has nothing else to do ends, but not while it waits for this.
    worker.ref();
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting = { resolve: output => resolve(output as ThreadTasks[Name]['output']), reject };
        worker.postMessage({ name, input }, moved);
      });
    } finally {
      worker.unref();
      this.#waiting = undefined;
    }
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    const worker = new Worker(program);
    worker.unref();
    worker.on('message', output => this.#waiting?.resolve(output));
    worker.on('error', error => this.#waiting?.reject(error));
    worker.on('exit', code => this.#waiting?.reject(new Error(`a thread of the index ended with ${code}`)));
    return worker;
  }
}
