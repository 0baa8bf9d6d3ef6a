/** Requests → answers, from a thread that is started with the first of them. */
import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { perform, type TaskName, type ThreadTasks } from './thread-tasks.ts';

const program = new URL('./thread-worker.js', import.meta.url);
/** Not when this runs from its sources, or bundled into one file: then the work is done right here. */
const canStart = import.meta.url.startsWith('file:') && existsSync(fileURLToPath(program));

export class Thread {
  #worker: Worker | undefined;
  #waiting: { resolve(output: unknown): void; reject(error: Error): void } | undefined;

  /** One at a time. What is in `moved` is gone here afterwards. */
  async ask<Name extends TaskName>(
    name: Name,
    input: ThreadTasks[Name]['input'],
    moved: readonly ArrayBuffer[] = [],
  ): Promise<ThreadTasks[Name]['output']> {
    if (!canStart) {
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
