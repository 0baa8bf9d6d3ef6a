/** A worker that is started when it is first asked, and ended to cancel what it does. */
import type { Api, WorkerMessage } from './protocol.ts';

interface Waiting {
  resolve(reply: unknown): void;
  reject(error: Error): void;
  onEvent(event: unknown): void;
}

/** What a call fails with when it was cancelled: nothing to show. */
export class Cancelled extends Error {}

export class WorkerClient<A extends Api> {
  readonly #start: () => Worker;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #last = 0;

  constructor(start: () => Worker) {
    this.#start = start;
  }

  call<Name extends keyof A & string>(
    name: Name,
    args: A[Name]['args'],
    onEvent: (event: A[Name]['event']) => void = () => {},
  ): Promise<A[Name]['reply']> {
    this.#worker ??= this.#open();
    const worker = this.#worker;
    const number = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject, onEvent });
      worker.postMessage({ number, name, args });
    });
  }

  /** What it knew is gone with it; the next call starts another. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#fail(new Cancelled());
  }

  #open(): Worker {
    const worker = this.#start();
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      const waiting = this.#waiting.get(data.number);
      if (!waiting) return;
      if ('event' in data) return waiting.onEvent(data.event);
      this.#waiting.delete(data.number);
      if ('error' in data) waiting.reject(new Error(data.error));
      else waiting.resolve(data.reply);
    };
    // A worker that could not be loaded, or ran out of memory, answers nothing any more.
    worker.onerror = event => {
      event.preventDefault();
      this.#worker?.terminate();
      this.#worker = undefined;
      this.#fail(new Error(event.message || 'The work was ended by the browser, perhaps for lack of memory.'));
    };
    return worker;
  }

  #fail(error: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}
