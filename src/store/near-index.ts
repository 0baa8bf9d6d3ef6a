/** The online index: documents in one at a time, verdicts out; decided in order, committed together. */
import { setImmediate } from 'node:timers/promises';
import { SetCache } from '../engine/set-cache.ts';
import { fail, NeardupError } from '../errors.ts';
import type { Cluster, Document } from '../model.ts';
import { type NameOf, requireNames } from '../options.ts';
import {
  type Decided,
  type Deciding,
  decideBatch,
  type Operation,
  type Outcome,
  requirePolicy,
  type StorePolicy,
} from './batch.ts';
import { type ClusterPage, type ClusterQuery, clusterPage, clusterWith } from './clusters.ts';
import type { Damage, Store } from './contract.ts';
import { type CrowdLimits, Crowds, defaultCrowdLimits } from './crowds.ts';
import { damagesOf } from './damages.ts';
import type { IndexOptions, WrittenIndexOptions } from './index-options.ts';
import type { Preparer } from './prepare.ts';
import { createReadEntries, type ReadEntries } from './read-entries.ts';
import type { Entry, Verdict } from './record.ts';
import { readSearchSettings, type SearchQuery, type SearchResult, type SearchSettings, searchStore } from './search.ts';
import { cachedSets, createCompare, createIsUnlike } from './verdict.ts';

export interface AddSettings {
  /** Which documents are stored with their text; by default what the index was opened with. */
  readonly store?: StorePolicy;
  /**
   * Called with a verdict before it is remembered, and not when a known id gets its first one again. If it fails, nothing
   * of the batch is remembered; so what it passes on comes at least once, even if the process is killed in between.
   */
  readonly onDecided?: (verdict: Verdict, document: Document) => Promise<void> | void;
  /** Called once for a batch, between `onDecided` of all its documents and remembering them: to sync what was passed on, say. */
  readonly beforeRemembering?: () => Promise<void> | void;
  /** Called in the same order for a document that cannot be added. If it fails, nothing of the batch is remembered. */
  readonly onRefused?: (error: NeardupError, document: Document) => Promise<void> | void;
  /** The JSON text a document was read from: numbers that JavaScript would change (1.0, 2 ** 64) are stored as written there. */
  readonly json?: (document: Document) => string | undefined;
}

/** Of a stream of documents, one that cannot be added does not end it. */
export type AddOutcome = Verdict | { readonly id: string; readonly error: NeardupError };

export interface Stats {
  /** Stored, with their text. */
  readonly documents: number;
  /** On disk; in memory, of its entries; on Redis, in the memory of the servers, of its keys (past 100 entries, estimated from as many). */
  readonly bytes: number;
  readonly options: Readonly<Record<string, string | number>>;
  /** Verdicts by status, of all ids that are known. */
  readonly verdicts: Readonly<Record<Verdict['status'], number>>;
}

/** Operations decided on at a time: some milliseconds of work, so that those who only ask do not wait long. */
const BATCH = 64;
/** Batches under way to the disk. */
const IN_FLIGHT = 16;
/** Reading calls one after another: some milliseconds of work. */
const ASKED_IN_A_TURN = 16;

interface Waiting {
  readonly operation: Operation;
  /** Of what is to be remembered, and of what cannot be. */
  readonly onDecided: ((outcome: Verdict | NeardupError) => Promise<void> | void) | undefined;
  readonly beforeRemembering: AddSettings['beforeRemembering'] | undefined;
  readonly settle: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface IndexParts {
  readonly name: string;
  readonly store: Store;
  readonly preparer: Preparer;
  readonly options: IndexOptions;
  readonly written: WrittenIndexOptions;
  readonly policy: StorePolicy;
  readonly readOnly: boolean;
  readonly nameOf: NameOf;
  readonly crowdLimits?: CrowdLimits | undefined;
}

/** Of the shingle sets of entries that were compared lately. */
const SET_BYTES = 64 * 2 ** 20;

export class NearIndex {
  readonly #parts: IndexParts;
  readonly #deciding: Deciding;
  readonly #readEntries: ReadEntries;
  readonly #sets = new SetCache(SET_BYTES);
  readonly #queue: Waiting[] = [];
  #pumping: Promise<void> | undefined;
  readonly #inFlight: Promise<unknown>[] = [];
  /** Of the newest change; an answer that rests on it waits for it. */
  #durable: Promise<void> = Promise.resolve();
  #closed = false;
  #asked = 0;

  constructor(parts: IndexParts) {
    this.#parts = parts;
    const { name, store, preparer, options } = parts;
    const readEntries = createReadEntries(store, name);
    this.#readEntries = readEntries;
    const setOf = cachedSets(preparer, this.#sets);
    const compare = createCompare(preparer, setOf);
    const crowds = new Crowds(options, parts.crowdLimits ?? defaultCrowdLimits);
    const isUnlike = createIsUnlike(preparer, this.#sets, options);
    const { sharesKey } = preparer;
    this.#deciding = { store, options, compare, setOf, isUnlike, sharesKey, crowds, readEntries };
  }

  /** What it was made with, as a user writes it. */
  get options(): Readonly<Record<string, string | number>> {
    return this.#parts.written.options;
  }

  /** Says what the document is, and remembers it. The answer is given when it is durable. */
  async add(document: Document, settings: AddSettings = {}): Promise<Verdict> {
    requireNames(settings, addNames, SETTING);
    const { store = this.#parts.policy, onDecided, onRefused, beforeRemembering, json } = settings;
    requirePolicy(store, 'store');
    const prepared = this.#parts.preparer.prepare(document, json?.(document));
    const decided: Waiting['onDecided'] =
      (onDecided || onRefused) &&
      (outcome => (outcome instanceof NeardupError ? onRefused?.(outcome, document) : onDecided?.(outcome, document)));
    return this.#change<Verdict>({ kind: 'add', prepared, store }, decided, beforeRemembering);
  }

  /** The same for many, in order, faster than one by one. */
  async *addAll(
    documents: AsyncIterable<Document> | Iterable<Document>,
    settings: AddSettings = {},
  ): AsyncGenerator<AddOutcome> {
    requireNames(settings, addNames, SETTING);
    const source = Symbol.asyncIterator in documents ? documents[Symbol.asyncIterator]() : documents[Symbol.iterator]();
    const waiting: Promise<AddOutcome>[] = [];
    let coming: Promise<IteratorResult<Document>> | undefined = Promise.resolve(source.next());
    let isDone = false;
    try {
      while (coming || waiting.length > 0) {
        const isFull = waiting.length >= BATCH * (IN_FLIGHT + 1);
        // What is decided is told even when the next document lets wait for it.
        if (!coming || isFull || (waiting.length > 0 && !(await isFirst(coming, waiting[0]!)))) {
          yield* await Promise.all(waiting.splice(0, isFull ? BATCH : 1));
          continue;
        }
        const { done, value }: IteratorResult<Document> = await coming;
        coming = done ? undefined : Promise.resolve(source.next());
        if (!done) waiting.push(this.#addOrError(value, settings));
      }
      isDone = true;
    } finally {
      const ended = Promise.resolve(source.return?.());
      // Otherwise it may be waiting for a document itself, which may never come.
      if (isDone) await ended;
      else ended.catch(() => {});
    }
  }

  #addOrError(document: Document, settings: AddSettings): Promise<AddOutcome> {
    const outcome = this.add(document, settings).catch(error => {
      if (error instanceof NeardupError && documentErrors.has(error.code)) return { id: String(document.id), error };
      throw error;
    });
    // Those that wait may fail before they are looked at.
    outcome.catch(() => {});
    return outcome;
  }

  /** What `add` would say; nothing is stored. */
  async check(document: Document): Promise<Verdict> {
    await this.#turn();
    const prepared = this.#parts.preparer.prepare(document);
    const state = await this.#parts.store.state();
    const { outcomes } = await decideBatch(this.#deciding, state, [{ kind: 'check', prepared }]);
    return unlessError(outcomes[0]!) as Verdict;
  }

  /** Stored documents like this one, best first. */
  async search(query: SearchQuery, settings: SearchSettings = {}): Promise<SearchResult[]> {
    await this.#turn();
    const { store, preparer, options, nameOf } = this.#parts;
    requireNames(settings, searchNames, SETTING);
    const searching = readSearchSettings(settings, options, nameOf);
    if (query.text !== undefined || query.set !== undefined) {
      const prepared = preparer.prepare({ ...query, id: query.id ?? 'query' });
      return searchStore(store, this.#deciding, prepared, undefined, searching);
    }
    if (query.id === undefined) fail('BAD_DOCUMENT', { reason: 'a query has a text, a set or the id of a document' });
    const entry = await this.#entryOf(query.id);
    if (!entry?.isStored) return fail('UNKNOWN_ID', { id: String(query.id) });
    return searchStore(store, this.#deciding, preparer.prepare(entry.document), entry, searching);
  }

  /** A stored document as it came. */
  async get(id: string | number): Promise<Document | undefined> {
    return (await this.#entryOf(id))?.document;
  }

  /** The same as JSON text, with every number as it was written, if it was added with its `json`. */
  async getJson(id: string | number): Promise<string | undefined> {
    return (await this.#entryOf(id))?.json;
  }

  /** The first verdict on an id, whether its document is stored or not. */
  async verdictOf(id: string | number): Promise<Verdict | undefined> {
    return (await this.#entryOf(id))?.verdict;
  }

  /** Adds, in place of what was known under this id. Verdicts that rested on the old text are forgotten. */
  async put(document: Document, settings: Pick<AddSettings, 'store' | 'json'> = {}): Promise<Verdict> {
    requireNames(settings, putNames, SETTING);
    const { store = this.#parts.policy, json } = settings;
    requirePolicy(store, 'store');
    const prepared = this.#parts.preparer.prepare(document, json?.(document));
    return this.#change<Verdict>({ kind: 'put', prepared, store });
  }

  /** False when there was nothing under this id. Verdicts that rested on it are forgotten. */
  async remove(given: string | number): Promise<boolean> {
    const id = String(given);
    return this.#change<boolean>({ kind: 'remove', id, idKey: this.#parts.preparer.idKey(id) });
  }

  /** Stored documents with those that were found to be duplicates of them, in the order they were added. */
  async clusters(query: ClusterQuery = {}): Promise<ClusterPage> {
    this.#requireOpen();
    requireNames(query, clusterNames, SETTING);
    return clusterPage(this.#parts.store, this.#readEntries, query);
  }

  /** The cluster that this document represents or is in. */
  async cluster(id: string | number): Promise<Cluster | undefined> {
    const entry = await this.#entryOf(id);
    return entry && clusterWith(this.#parts.store, this.#readEntries, entry);
  }

  async stats(): Promise<Stats> {
    this.#requireOpen();
    const { store } = this.#parts;
    const state = await store.state();
    const { documents, new: fresh, exact, near, contained } = state;
    return {
      documents,
      bytes: await store.size(),
      options: this.options,
      verdicts: { new: fresh, exact, near, contained },
    };
  }

  /** Reads everything; yields what is not as it was written. */
  async *verify(): AsyncGenerator<Damage> {
    this.#requireOpen();
    yield* damagesOf(this.#parts);
  }

  /** A copy of one moment, while others go on reading and writing. A damaged index is not copied: what is damaged is told. */
  async backup(path: string): Promise<void> {
    this.#requireOpen();
    await this.#durable;
    await this.#parts.store.backup(path);
  }

  /**
   * Gives up what removed documents still hold; a damaged index is left as it is. Who opened it only to read asks the
   * process that writes it, if one does.
   */
  async compact(): Promise<void> {
    this.#requireOpen();
    await this.#parts.store.compact();
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pumping;
    await Promise.allSettled(this.#inFlight);
    await this.#parts.store.close();
  }

  async #entryOf(given: string | number): Promise<Entry | undefined> {
    await this.#turn();
    const id = String(given);
    const { store, preparer } = this.#parts;
    const key = preparer.idKey(id);
    const [numbers] = await store.find(key);
    const entries = await this.#readEntries(numbers!, { keys: [key] });
    return entries.find(entry => entry?.id === id);
  }

  #change<Result extends Outcome>(
    operation: Operation,
    onDecided?: Waiting['onDecided'],
    beforeRemembering?: Waiting['beforeRemembering'],
  ): Promise<Result> {
    this.#requireWritable();
    const outcome = new Promise<Outcome>((settle, reject) =>
      this.#queue.push({ operation, onDecided, beforeRemembering, settle, reject }),
    );
    this.#pumping ??= this.#pump();
    return outcome.then(unlessError) as Promise<Result>;
  }

  /** Operations that come while a batch is decided on or written make the next batch. */
  async #pump(): Promise<void> {
    // Those of one turn of the event loop go together: clients that were answered at once ask again at once.
    await setImmediate();
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, BATCH);
      try {
        await this.#commit(batch);
      } catch (error) {
        // Its numbers will be those of other documents.
        this.#sets.clear();
        for (const { reject } of batch) reject(error);
      }
      // Others wait for the event loop, too, the disk's answers among them.
      await setImmediate();
      while (this.#inFlight.length >= IN_FLIGHT) await this.#inFlight[0];
    }
    this.#pumping = undefined;
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const { store } = this.#parts;
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
      for (const before of new Set(batch.map(({ beforeRemembering }) => beforeRemembering))) await before?.();
      if (decided.change) this.#durable = (await store.apply(decided.change)).durable;
      return decided;
    });
    const durable = this.#durable;
    const settled = durable.then(
      () => {
        for (const [at, { settle }] of batch.entries()) settle(decided.outcomes[at]!);
      },
      error => {
        for (const { reject } of batch) reject(error);
      },
    );
    this.#inFlight.push(settled);
    void settled.then(() => this.#inFlight.splice(this.#inFlight.indexOf(settled), 1));
  }

  /** What is asked again and again must not keep others, who wait for the event loop, from their turn. */
  async #turn(): Promise<void> {
    this.#requireOpen();
    if (++this.#asked % ASKED_IN_A_TURN === 0) await setImmediate();
  }

  #requireOpen(): void {
    if (this.#closed) fail('INDEX_CLOSED', { index: this.#parts.name });
  }

  #requireWritable(): void {
    this.#requireOpen();
    if (this.#parts.readOnly) fail('READ_ONLY', { index: this.#parts.name });
  }
}

const SETTING = 'setting name';
const putNames = ['store', 'json'] as const satisfies readonly (keyof AddSettings)[];
const addNames = [
  ...putNames,
  'onDecided',
  'onRefused',
  'beforeRemembering',
] as const satisfies readonly (keyof AddSettings)[];
const searchNames = ['limit', 'threshold', 'measure'] as const satisfies readonly (keyof SearchSettings)[];
const clusterNames = ['limit', 'cursor', 'minSize'] as const satisfies readonly (keyof ClusterQuery)[];

/** Errors that are of one document, and leave the others alone. */
const documentErrors: ReadonlySet<string> = new Set(['ID_TAKEN', 'BAD_DOCUMENT']);

/** Of two promises that are both settled, the first. */
function isFirst(one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> {
  return Promise.race([one.then(yes, yes), other.then(no, no)]);
}

const yes = () => true;
const no = () => false;

function unlessError(outcome: Outcome): Verdict | boolean {
  if (outcome instanceof NeardupError) throw outcome;
  return outcome;
}
