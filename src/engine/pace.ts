/** A signal and a listener → checkpoints of a long call, at which it can be aborted, reports progress and lets other work run. */
import type { Steps } from '../cluster/steps.ts';

/** What every long call takes besides its options. */
export interface CallSettings {
  /** Ends the call, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress, at most some forty times a second. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** How far a call is. */
export interface Progress {
  /** `sketch`: documents are read and sketched; `decide`: candidates are found and compared; `evidence`: the result is put together. */
  readonly stage: 'sketch' | 'decide' | 'evidence';
  /** Documents read so far; in the later stages, checkpoints passed so far. */
  readonly done: number;
}

/** Milliseconds of work before a pause. Work up to the next checkpoint is added to it, and the promise is 50 ms. */
const TURN = 20;

export class Pace {
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: CallSettings['onProgress'];
  #until = performance.now() + TURN;

  constructor({ signal, onProgress }: CallSettings = {}) {
    this.#signal = signal;
    this.#onProgress = onProgress;
    signal?.throwIfAborted();
  }

  /** Whether it is time to call `rest`. */
  get isDue(): boolean {
    return performance.now() >= this.#until;
  }

  async rest(progress: Progress): Promise<void> {
    this.#onProgress?.(progress);
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#until = performance.now() + TURN;
  }

  /** Runs the computation to its end, with pauses. */
  async finish<Result>(stage: Progress['stage'], steps: Steps<Result>): Promise<Result> {
    for (let done = 0; ; done++) {
      const next = steps.next();
      if (next.done) return next.value;
      if (this.isDue) await this.rest({ stage, done });
    }
  }
}

interface Scheduling {
  readonly setImmediate?: (resume: () => void) => unknown;
}

/** Browsers have no `setImmediate`, and delay a nested `setTimeout` by four milliseconds. */
function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as Scheduling;
  return new Promise(resolve => {
    if (setImmediate) return void setImmediate(resolve);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
