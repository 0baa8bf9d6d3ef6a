/** Tasks → answers in the order of the tasks, whichever worker gave them. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programUrl } from '../../files/package.ts';
import type { WorkerPlan } from './plan/plan.ts';
import { type Answer, type Common, LAST, type Message, type News, type TaskName, type Tasks } from './tasks.ts';

const program = programUrl('engine/threads/worker.js');

export interface Pool {
  run<Name extends TaskName>(
    name: Name,
    inputs: readonly Tasks[Name]['input'][],
    onDone?: (done: number) => void,
  ): Promise<Tasks[Name]['output'][]>;
  /** Told to all workers, in place of what they were told before. */
  tell(common: Common): Promise<void>;
  /** Lets the workers end, which have nothing to do any more. */
  end(): Promise<void>;
  /** Ends them whatever they are at; then nothing of them is under way. */
  abort(): Promise<void>;
}

/** A worker is given a task more while it is at one, so that it need not wait for the main thread; but none of the last, so many for each: another may be free for them. */
const AHEAD = 2;

export function openPool(size: number, plan: WorkerPlan, onNews: (news: News) => void): Pool {
  const workers = Array.from({ length: size }, () => new PoolWorker(plan, onNews));
  let isOver = false;
  return {
    async run(name, inputs, onDone) {
      const outputs: unknown[] = new Array(inputs.length);
      let next = 0;
      let done = 0;
      const work = async (worker: PoolWorker, isAhead: boolean) => {
        while (next < inputs.length && !(isAhead && inputs.length - next <= AHEAD * size)) {
          const place = next++;
          outputs[place] = await worker.ask({ name, input: inputs[place] });
          onDone?.(++done);
        }
      };
      await Promise.all([false, true].flatMap(isAhead => workers.map(worker => work(worker, isAhead)))).catch(error => {
        next = inputs.length;
        throw error;
      });
      return outputs as never;
    },
    async tell(common) {
      await Promise.all(workers.map(worker => worker.ask({ common })));
    },
    async end() {
      if (isOver) return;
      isOver = true;
      await Promise.all(workers.map(worker => worker.end()));
    },
    async abort() {
      isOver = true;
      await Promise.all(workers.map(worker => worker.terminate()));
    },
  };
}

interface Asked {
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/** Answers come in the order of what was asked. */
class PoolWorker {
  readonly #worker: Worker;
  readonly #asked: Asked[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(plan: WorkerPlan, onNews: (news: News) => void) {
    this.#worker = new Worker(program, { workerData: plan });
    this.#worker.on('message', (answer: Answer) => {
      if ('news' in answer) return onNews(answer.news);
      const { resolve, reject } = this.#asked.shift()!;
      if ('error' in answer) reject(answer.error);
      else resolve(answer.output);
    });
    this.#worker.on('error', error => {
      this.#failure = { error };
      for (const { reject } of this.#asked.splice(0)) reject(error);
    });
  }

  ask(message: Message): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure.error);
      this.#asked.push({ resolve, reject });
      this.#worker.postMessage(message);
    });
  }

  async end(): Promise<void> {
    const ended = once(this.#worker, 'exit');
    this.#worker.postMessage(LAST);
    await ended;
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }
}
