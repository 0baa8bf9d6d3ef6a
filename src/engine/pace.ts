/** A signal and a listener → checkpoints of a long call: it ends when it is told to, reports, and lets others have their turn. */
import type { Steps } from '../cluster/steps.ts';

/** What every long call takes besides its options. */
export interface CallSettings {
  /** Ends the call: it fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told how far the call is, some forty times a second at most. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** How far a call is. */
export interface Progress {
  /** `sketch`: documents are read and sketched; `decide`: candidates are compared; `evidence`: what was found is written down. */
  readonly stage: 'sketch' | 'decide' | 'evidence';
  /** Documents that were read; while they are decided on, checkpoints that were passed. */
  readonly done: number;
}

/** Milliseconds at a time: what comes between two checkpoints comes on top, and 50 are promised. */
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

  /** Whether the turn is over: then `rest`. */
  get isDue(): boolean {
    return performance.now() >= this.#until;
  }

  async rest(progress: Progress): Promise<void> {
    this.#onProgress?.(progress);
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#until = performance.now() + TURN;
  }

  /** The computation, with pauses. */
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

/** Browsers have no `setImmediate`, and make a `setTimeout` that follows others wait for four milliseconds. */
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
