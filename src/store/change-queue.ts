/** Operations → their outcomes: decided in order, in batches of those that wait, each answered when it is durable. */
import { setImmediate } from 'node:timers/promises';
import { NeardupError } from '../errors.ts';
import { type Decided, type Deciding, decideBatch, type Operation, type Outcome } from './batch.ts';
import type { Store } from './contract.ts';
import type { AddSettings } from './index-settings.ts';
import type { Verdict } from './record.ts';

/** Operations decided on at a time: some milliseconds of work, so that those who only ask do not wait long. */
export const BATCH = 64;
/** Batches under way to the disk. */
export const IN_FLIGHT = 16;
/** Milliseconds that a batch waits for callers who are likely to come again. */
const GATHERING = 2;
/** Fewer callers do not wait for one another: their answers would come later, and little would be gained. */
const FEWEST_CALLERS = 8;

/** Of what is to be remembered, and of what cannot be. */
export type OnDecided = ((outcome: Verdict | NeardupError) => Promise<void> | void) | undefined;

export type Following = Pick<AddSettings, 'beforeRemembering' | 'onRemembered'>;

interface Waiting {
  readonly operation: Operation;
  readonly onDecided: OnDecided;
  readonly following: Following;
  readonly settle: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export class ChangeQueue {
  readonly #store: Store;
  readonly #deciding: Deciding;
  readonly #onFailed: () => void;
  readonly #queue: Waiting[] = [];
  #pumping: Promise<void> | undefined;
  readonly #inFlight: Promise<unknown>[] = [];
  /** Operations that are decided on and not yet answered. */
  #unanswered = 0;
  /** Operations that were under way when the last batch was taken: about as many callers there are. */
  #callers = 0;
  #onGathered: (() => void) | undefined;
  /** Of the newest change; an answer that rests on it waits for it. */
  #durable: Promise<void> = Promise.resolve();

  constructor(store: Store, deciding: Deciding, onFailed: () => void) {
    this.#store = store;
    this.#deciding = deciding;
    this.#onFailed = onFailed;
  }

  get durable(): Promise<void> {
    return this.#durable;
  }

  add(operation: Operation, onDecided: OnDecided, following: Following): Promise<Outcome> {
    const outcome = new Promise<Outcome>((settle, reject) =>
      this.#queue.push({ operation, onDecided, following, settle, reject }),
    );
    if (this.#isGathered) this.#onGathered?.();
    this.#pumping ??= this.#pump();
    return outcome;
  }

  /** Waits for what is under way. */
  async end(): Promise<void> {
    await this.#pumping;
    await Promise.allSettled(this.#inFlight);
  }

  /** Operations that come while a batch is decided on or written make the next batch. */
  async #pump(): Promise<void> {
    // Those of one turn of the event loop go together: clients that were answered at once ask again at once.
    await setImmediate();
    while (this.#queue.length > 0) {
      await this.#gather();
      const batch = this.#queue.splice(0, BATCH);
      try {
        await this.#commit(batch);
      } catch (error) {
        this.#onFailed();
        for (const { reject } of batch) reject(error);
      }
      // Others wait for the event loop, too, the disk's answers among them.
      await setImmediate();
      while (this.#inFlight.length >= IN_FLIGHT) await this.#inFlight[0];
    }
    this.#pumping = undefined;
  }

  /**
   * Callers that were answered together ask again, but over a network not all in the same moment. A transaction takes as much as some
   * eight documents, so it waits a moment for those who were answered last: 64 clients make half as many transactions.
   */
  async #gather(): Promise<void> {
    if (!this.#isGathered) {
      await new Promise<void>(resolve => {
        const late = setTimeout(resolve, GATHERING);
        this.#onGathered = () => {
          clearTimeout(late);
          resolve();
        };
      });
      this.#onGathered = undefined;
    }
    this.#callers = this.#unanswered + this.#queue.length;
  }

  get #isGathered(): boolean {
    return this.#callers < FEWEST_CALLERS || this.#queue.length >= Math.min(BATCH, this.#callers);
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const store = this.#store;
    const decided = await store.exclusively(async (state): Promise<Decided> => {
      const operations = batch.map(({ operation }) => operation);
      const decided = await decideBatch(this.#deciding, state, operations);
      // Should we be killed, no more than one batch was passed on and not remembered.
      if (batch.some(({ onDecided }) => onDecided)) await this.#durable;
      for (const [at, { onDecided }] of batch.entries()) {
        const outcome = decided.outcomes[at]!;
        if (onDecided && (outcome instanceof NeardupError || decided.fresh.has(outcome)))
          await onDecided(outcome as Verdict | NeardupError);
      }
      for (const before of new Set(batch.map(({ following }) => following.beforeRemembering))) await before?.();
      if (decided.change) this.#durable = (await store.apply(decided.change)).durable;
      return decided;
    });
    const durable = this.#durable;
    this.#unanswered += batch.length;
    const settled = durable.then(
      () => {
        this.#unanswered -= batch.length;
        for (const [at, { settle, following }] of batch.entries()) {
          const outcome = decided.outcomes[at]!;
          if (following.onRemembered && decided.fresh.has(outcome)) following.onRemembered(outcome as Verdict);
          settle(outcome);
        }
      },
      error => {
        this.#unanswered -= batch.length;
        for (const { reject } of batch) reject(error);
      },
    );
    this.#inFlight.push(settled);
    void settled.then(() => this.#inFlight.splice(this.#inFlight.indexOf(settled), 1));
  }
}
