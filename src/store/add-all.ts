/** Documents, as they come → their verdicts in the same order, with as many under way as make full batches. */
import { untilAborted } from '../engine/until-aborted.ts';
import { NeardupError } from '../errors.ts';
import type { Document } from '../model.ts';
import { BATCH, IN_FLIGHT } from './change-queue.ts';
import { bytesOf, type IndexInput, weightOf } from './index-input.ts';
import type { AddOutcome } from './index-settings.ts';
import type { Verdict } from './record.ts';

/** Bytes of documents that wait for their verdicts. */
const WAITING_BYTES = 64 * 2 ** 20;

/** A document that is being added. `queued` is there when it does not stand in the queue yet. */
export interface Added {
  readonly outcome: Promise<Verdict>;
  readonly queued?: Promise<unknown>;
}

/** `add` is given what the document before it waits for, if it does. */
export async function* addAll<Given extends IndexInput>(
  documents: AsyncIterable<Given> | Iterable<Given>,
  add: (given: Given, queued: Promise<unknown> | undefined) => Added,
  signal: AbortSignal | undefined,
): AsyncGenerator<AddOutcome> {
  signal?.throwIfAborted();
  const stop = untilAborted(signal);
  const source = Symbol.asyncIterator in documents ? documents[Symbol.asyncIterator]() : documents[Symbol.iterator]();
  const waiting: { readonly outcome: Promise<AddOutcome>; readonly weight: number }[] = [];
  let bytes = 0;
  let coming: Promise<IteratorResult<Given>> | undefined = stop.race(source.next());
  let isDone = false;
  /** Of a document that is prepared on a thread: those behind it wait for their turn. */
  let queued: Promise<unknown> | undefined;
  try {
    while (coming || waiting.length > 0) {
      signal?.throwIfAborted();
      const isFull = waiting.length >= BATCH * (IN_FLIGHT + 1);
      // What is decided is told even when the next document lets wait for it.
      const isHeavy = waiting.length > 0 && bytes >= WAITING_BYTES;
      if (!coming || isFull || isHeavy || (waiting.length > 0 && !(await isFirst(coming, waiting[0]!.outcome)))) {
        const told = waiting.splice(0, isFull ? BATCH : 1);
        for (const { weight } of told) bytes -= weight;
        yield* await Promise.all(told.map(({ outcome }) => outcome));
        continue;
      }
      const { done, value }: IteratorResult<Given> = await coming;
      coming = done ? undefined : stop.race(source.next());
      if (done) continue;
      const added = add(value, queued);
      queued = added.queued;
      const weight = weightOf(value);
      bytes += weight;
      waiting.push({ outcome: orError(added.outcome, value), weight });
    }
    isDone = true;
  } finally {
    stop.end();
    const ended = Promise.resolve(source.return?.());
    // Otherwise it may be waiting for a document itself, which may never come.
    if (isDone) await ended;
    else ended.catch(() => {});
  }
}

/** Errors that are of one document, and leave the others alone. */
const documentErrors: ReadonlySet<string> = new Set(['ID_TAKEN', 'BAD_DOCUMENT']);

function orError(added: Promise<Verdict>, given: IndexInput): Promise<AddOutcome> {
  const outcome = added.catch(error => {
    if (!(error instanceof NeardupError) || !documentErrors.has(error.code)) throw error;
    const id = bytesOf(given) ? error.place.id : (given as Document).id;
    return id === undefined ? { error } : { id: String(id), error };
  });
  // Those that wait may fail before they are looked at.
  outcome.catch(() => {});
  return outcome;
}

/** Of two promises that are both settled, the first. */
function isFirst(one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> {
  return Promise.race([one.then(yes, yes), other.then(no, no)]);
}

const yes = () => true;
const no = () => false;
