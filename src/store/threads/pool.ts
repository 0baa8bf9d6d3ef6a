/** Tasks → answers, from threads that are started when they are first needed. */
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { errorOf } from '../../errors.ts';
import { canStart, programUrl } from '../../files/package.ts';
import type { Answer, Asked, Perform, TaskTable } from './answer.ts';

interface Waiting<Tasks extends TaskTable<Tasks>> extends Asked<Tasks> {
  readonly moved: readonly ArrayBuffer[];
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

export interface PoolSetup<Tasks extends TaskTable<Tasks>> {
  /** What the threads run, by its path in dist/; it answers with `answerTasks`. */
  readonly program: string;
  readonly workerData?: unknown;
  readonly size: number;
  /** The same right here, where no thread can be started. */
  readonly perform: Perform<Tasks>;
}

export class ThreadPool<Tasks extends TaskTable<Tasks>> {
  readonly #setup: PoolSetup<Tasks>;
  readonly #program: URL;
  readonly #hasThreads: boolean;
  readonly #workers = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #queue: Waiting<Tasks>[] = [];
  readonly #current = new Map<Worker, Waiting<Tasks>>();
  #isEnded = false;

  constructor(setup: PoolSetup<Tasks>) {
    this.#setup = setup;
    this.#program = programUrl(setup.program);
    this.#hasThreads = canStart(this.#program);
  }

  /** What is in `moved` is gone here afterwards. */
  async ask<Name extends keyof Tasks>(
    name: Name,
    input: Tasks[Name]['input'],
    moved: readonly ArrayBuffer[] = [],
  ): Promise<Tasks[Name]['output']> {
    if (!this.#hasThreads) {
      await setImmediate();
      return this.#setup.perform(name, input);
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ name, input, moved, resolve: output => resolve(output as never), reject });
      this.#work();
    });
  }

  /** Only when nothing is under way any more. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all([...this.#workers].map(worker => worker.terminate()));
  }

  /** Starts them all: loading takes a thread some hundred milliseconds. */
  start(): void {
    while (this.#hasThreads && this.#workers.size < this.#setup.size) this.#idle.push(this.#start());
  }

  #work(): void {
    while (this.#queue.length > 0) {
      const worker = this.#idle.pop() ?? (this.#workers.size < this.#setup.size ? this.#start() : undefined);
      if (!worker) return;
      const waiting = this.#queue.shift()!;
      this.#current.set(worker, waiting);
      // A process that has nothing else to do ends, but not while it waits for this.
      worker.ref();
      const { name, input, moved } = waiting;
      worker.postMessage({ name, input } satisfies Asked<Tasks>, moved);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#program, { workerData: this.#setup.workerData });
    this.#workers.add(worker);
    worker.unref();
    worker.on('message', (answer: Answer) => {
      this.#settle(worker, waiting => {
        if ('output' in answer) waiting.resolve(answer.output);
        else waiting.reject(errorOf(answer.failure));
      });
      worker.unref();
      this.#idle.push(worker);
      this.#work();
    });
    worker.on('error', error => this.#settle(worker, ({ reject }) => reject(error)));
    worker.on('exit', code => {
      this.#settle(worker, ({ reject }) => reject(new Error(`a thread of the index ended with ${code}`)));
      this.#workers.delete(worker);
      const place = this.#idle.indexOf(worker);
      if (place >= 0) this.#idle.splice(place, 1);
      // Another takes what is still waiting.
      if (!this.#isEnded) this.#work();
    });
    return worker;
  }

  #settle(worker: Worker, settle: (waiting: Waiting<Tasks>) => void): void {
    const waiting = this.#current.get(worker);
    this.#current.delete(worker);
    if (waiting) settle(waiting);
  }
}
