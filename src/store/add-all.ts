/** Groups of documents, as they come → groups of their verdicts in the same order, with as many under way as make full batches. */
import { untilAborted } from '../engine/until-aborted.ts';
import { NeardupError } from '../errors.ts';
import type { Document } from '../model.ts';
import { BATCH, IN_FLIGHT } from './change-queue.ts';
import { bytesOf, type IndexInput, weightOf } from './index-input.ts';
import type { AddOutcome } from './index-settings.ts';
import type { Verdict } from './record.ts';

/** Documents that wait for their verdicts, and their bytes. */
const MOST_WAITING = BATCH * (IN_FLIGHT + 1);
const WAITING_BYTES = 64 * 2 ** 20;
/** Bytes of the documents that are taken from a list at once: a few milliseconds of work. */
const GROUP_BYTES = 256 * 1024;

/** A document that is being added. `queued` is there when it does not stand in the queue yet. */
export interface Added {
  readonly outcome: Promise<Verdict>;
  readonly queued?: Promise<unknown>;
}

/** `add` is given what the document before it waits for, if it does. */
export async function* addAll<Given extends IndexInput>(
  groups: AsyncIterable<readonly Given[]> | Iterable<readonly Given[]>,
  add: (given: Given, queued: Promise<unknown> | undefined) => Added,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly AddOutcome[]> {
  signal?.throwIfAborted();
  const stop = untilAborted(signal);
  const source = Symbol.asyncIterator in groups ? groups[Symbol.asyncIterator]() : groups[Symbol.iterator]();
  const waiting = new WaitingGroups();
  const next = (): Promise<IteratorResult<readonly Given[]>> => stop.race((async () => source.next())());
  let coming: ReturnType<typeof next> | undefined = next();
  let failed: { readonly error: unknown } | undefined;
  let isDone = false;
  /** Of a document that is prepared on a thread: those behind it wait for their turn. */
  let queued: Promise<unknown> | undefined;
  const addOne = (given: Given) => {
    const added = add(given, queued);
    queued = added.queued;
    return orError(added.outcome, given);
  };
  try {
    while (coming || waiting.first) {
      signal?.throwIfAborted();
      // What is decided is told even when the next document lets wait for it.
      if (waiting.first && (!coming || waiting.isFull || !(await isFirst(coming, waiting.first)))) {
        yield* told(waiting.take());
        continue;
      }
      const { done, value }: IteratorResult<readonly Given[]> = await coming!.catch(error => {
        failed = { error };
        return END;
      });
      coming = done ? undefined : next();
      if (!done) waiting.add(value.map(addOne), weightOfAll(value));
    }
    // What came before is told by now.
    if (failed) throw failed.error;
    isDone = true;
  } finally {
    stop.end();
    const ended = Promise.resolve(source.return?.());
    // Otherwise it may be waiting for a document itself, which may never come.
    if (isDone) await ended;
    else ended.catch(() => {});
  }
}

/** Where one fails, those before it are told all the same. */
async function* told(outcomes: readonly Promise<AddOutcome>[]): AsyncGenerator<readonly AddOutcome[]> {
  const all = await Promise.all(outcomes).catch(() => undefined);
  if (all) yield all;
  else for (const outcome of outcomes) yield [await outcome];
}

/** Groups of documents that wait for their verdicts. */
class WaitingGroups {
  readonly #groups: Group[] = [];
  #documents = 0;
  #weight = 0;

  /** Settles when all of the first group are decided, or one has failed. */
  get first(): Promise<unknown> | undefined {
    return this.#groups[0]?.decided;
  }

  get isFull(): boolean {
    return this.#hasMany || this.#weight >= WAITING_BYTES;
  }

  get #hasMany(): boolean {
    return this.#documents >= MOST_WAITING;
  }

  add(outcomes: readonly Promise<AddOutcome>[], weight: number): void {
    const decided = Promise.all(outcomes);
    decided.catch(() => {});
    this.#groups.push({ outcomes, weight, decided });
    this.#documents += outcomes.length;
    this.#weight += weight;
  }

  /** The first group, or, where many documents wait, as many groups as make room for a batch. */
  take(): readonly Promise<AddOutcome>[] {
    const least = this.#hasMany ? BATCH : 1;
    const taken: Promise<AddOutcome>[] = [];
    do {
      const { outcomes, weight } = this.#groups.shift()!;
      taken.push(...outcomes);
      this.#documents -= outcomes.length;
      this.#weight -= weight;
    } while (taken.length < least && this.#groups.length > 0);
    return taken;
  }
}

interface Group {
  readonly outcomes: readonly Promise<AddOutcome>[];
  readonly weight: number;
  readonly decided: Promise<unknown>;
}

/** Documents of a list in groups that make batches; others one by one, since nobody knows how long the next one takes. */
export function inGroups<Given extends IndexInput>(
  documents: AsyncIterable<Given> | Iterable<Given>,
): AsyncIterable<readonly Given[]> | Iterable<readonly Given[]> {
  return Symbol.asyncIterator in documents ? oneByOne(documents) : groupsOf(documents);
}

function* groupsOf<Given extends IndexInput>(documents: Iterable<Given>): Generator<readonly Given[]> {
  let group: Given[] = [];
  let weight = 0;
  try {
    for (const document of documents) {
      group.push(document);
      weight += weightOf(document);
      if (group.length < BATCH && weight < GROUP_BYTES) continue;
      yield group;
      group = [];
      weight = 0;
    }
  } catch (error) {
    // What came before it is added.
    yield group;
    throw error;
  }
  if (group.length > 0) yield group;
}

/** Not a generator: one that waits for its source cannot be ended. */
function oneByOne<Given>(documents: AsyncIterable<Given>): AsyncIterable<readonly Given[]> {
  return {
    [Symbol.asyncIterator]() {
      const source = documents[Symbol.asyncIterator]();
      return {
        async next() {
          const { done, value } = await source.next();
          return done ? END : { done: false, value: [value] };
        },
        async return() {
          await source.return?.();
          return END;
        },
      };
    },
  };
}

const END = { done: true, value: undefined } as const;

function weightOfAll(group: readonly IndexInput[]): number {
  return group.reduce((sum, given) => sum + weightOf(given), 0);
}

/** Errors that are of one document, and leave the others alone. */
const documentErrors: ReadonlySet<string> = new Set(['ID_TAKEN', 'BAD_DOCUMENT']);

/** Of what is given it keeps the id only: a thousand texts that wait for the disk would be in memory twice. */
function orError(added: Promise<Verdict>, given: IndexInput): Promise<AddOutcome> {
  const givenId = bytesOf(given) ? undefined : (given as Document | null)?.id;
  const outcome = added.catch(error => {
    if (!(error instanceof NeardupError) || !documentErrors.has(error.code)) throw error;
    const id = givenId ?? error.place.id;
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
