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
  /** Ends them whatever they are at. */
  abort(): Promise<void>;
}

export function openPool(size: number, plan: WorkerPlan, onNews: (news: News) => void): Pool {
  const workers = Array.from({ length: size }, () => new Worker(program, { workerData: plan }));
  return {
    async run(name, inputs, onDone) {
      const outputs: unknown[] = new Array(inputs.length);
      let next = 0;
      let done = 0;
      const work = async (worker: Worker) => {
        while (next < inputs.length) {
          const place = next++;
          outputs[place] = await ask(worker, { name, input: inputs[place] }, onNews);
          onDone?.(++done);
        }
      };
      await Promise.all(workers.map(work));
      return outputs as never;
    },
    async tell(common) {
      await Promise.all(workers.map(worker => ask(worker, { common })));
    },
    async end() {
      await Promise.all(
        workers.map(worker => {
          const ended = once(worker, 'exit');
          worker.postMessage(LAST);
          return ended;
        }),
      );
    },
    async abort() {
      await Promise.all(workers.map(worker => worker.terminate()));
    },
  };
}

function ask(worker: Worker, message: Message, onNews: (news: News) => void = () => {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      finish();
    };
    const onError = (error: Error) => settle(() => reject(error));
    const onMessage = (answer: Answer) => {
      if ('news' in answer) return onNews(answer.news);
      settle(() => ('error' in answer ? reject(answer.error) : resolve(answer.output)));
    };
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.postMessage(message);
  });
}
