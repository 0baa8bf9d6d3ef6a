/** Tasks → answers, from threads that are started when they are first needed. */
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, NeardupError } from '../../errors.ts';
import { canStart, programUrl } from '../../files/package.ts';
import type { IndexOptions } from '../index-options.ts';
import { perform, type TaskName, type Tasks } from './tasks.ts';
import type { Tools } from './tools.ts';

export interface Asked<Name extends TaskName = TaskName> {
  readonly name: Name;
  readonly input: Tasks[Name]['input'];
}

export type Answer =
  | { readonly output: unknown }
  | {
      readonly failed: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly place: Readonly<Record<string, unknown>>;
      };
    }
  | { readonly error: unknown };

interface Waiting extends Asked {
  readonly moved: readonly ArrayBuffer[];
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

const program = programUrl('store/threads/worker.js');
/** Otherwise the work is done right here. */
const hasThreads = canStart(program);
/** More would only wait for the one thread that decides. */
const MOST_THREADS = 4;

export class ThreadPool {
  readonly #options: IndexOptions;
  readonly #tools: Tools;
  readonly #size: number;
  readonly #workers = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #queue: Waiting[] = [];
  readonly #current = new Map<Worker, Waiting>();
  #isEnded = false;

  constructor(options: IndexOptions, tools: Tools, size = Math.min(MOST_THREADS, availableParallelism())) {
    this.#options = options;
    this.#tools = tools;
    this.#size = size;
  }

  /** What is in `moved` is gone here afterwards. */
  async ask<Name extends TaskName>(
    name: Name,
    input: Tasks[Name]['input'],
    moved: readonly ArrayBuffer[] = [],
  ): Promise<Tasks[Name]['output']> {
    if (!hasThreads) {
      await setImmediate();
      return perform(this.#tools, name, input);
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
    while (hasThreads && this.#workers.size < this.#size) this.#idle.push(this.#start());
  }

  #work(): void {
    while (this.#queue.length > 0) {
      const worker = this.#idle.pop() ?? (this.#workers.size < this.#size ? this.#start() : undefined);
      if (!worker) return;
      const waiting = this.#queue.shift()!;
      this.#current.set(worker, waiting);
      // A process that has nothing else to do ends, but not while it waits for this.
      worker.ref();
      const { name, input, moved } = waiting;
      worker.postMessage({ name, input } satisfies Asked, moved);
    }
  }

  #start(): Worker {
    const worker = new Worker(program, { workerData: this.#options });
    this.#workers.add(worker);
    worker.unref();
    worker.on('message', (answer: Answer) => {
      this.#settle(worker, waiting => {
        if ('output' in answer) waiting.resolve(answer.output);
        else waiting.reject('failed' in answer ? revived(answer.failed) : answer.error);
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

  #settle(worker: Worker, settle: (waiting: Waiting) => void): void {
    const waiting = this.#current.get(worker);
    this.#current.delete(worker);
    if (waiting) settle(waiting);
  }
}

function revived({ code, message, place }: { code: ErrorCode; message: string; place: object }): NeardupError {
  return new NeardupError(code, message, place);
}
