/**
 * The online index: documents in one at a time, verdicts out; decided in order, committed together.
 *
 * Longer than other files: it is the whole public object, a few lines for each call, whose work is done elsewhere.
 */
import { setImmediate } from 'node:timers/promises';
import type { ComparisonWithPassages } from '../engine/calls/compare.ts';
import { SetCache } from '../engine/decide/set-cache.ts';
import type { CallSettings } from '../engine/pace.ts';
import { fail, NeardupError } from '../errors.ts';
import type { Document } from '../model.ts';
import { type NameOf, parseInteger, requireNames } from '../options.ts';
import './async-dispose.ts';
import { type Added, addAll, inGroups } from './add-all.ts';
import { type Deciding, decideBatch, type Operation, type Outcome, requirePolicy, type StorePolicy } from './batch.ts';
import { Calls } from './calls.ts';
import { ChangeQueue, type Following, type OnDecided } from './change-queue.ts';
import { type ClusterPage, ClusterPages, type ClusterQuery } from './cluster-pages.ts';
import { type ClusterPairs, type ClusterPairsQuery, clusterPairs } from './cluster-pairs.ts';
import { type ClusterReading, clusterEntries, clusterWith, type IndexCluster } from './clusters.ts';
import type { Damage, Store } from './contract.ts';
import { CrowdSizes } from './crowds/crowd-sizes.ts';
import { type CrowdLimits, Crowds, defaultCrowdLimits } from './crowds/crowds.ts';
import { damagesOf } from './damages.ts';
import { type DocumentPage, type DocumentQuery, documentPage } from './documents-page.ts';
import { EntriesById } from './entries-by-id.ts';
import { IndexDecisions } from './index-decisions.ts';
import { HistogramCounter, type IndexHistogram } from './index-histogram.ts';
import type { IndexInput } from './index-input.ts';
import type { IndexOptions, WrittenIndexOptions } from './index-options.ts';
import {
  type AddOutcome,
  type AddSettings,
  addNames,
  type Boilerplate,
  type BoilerplateSettings,
  boilerplateNames,
  checkNames,
  clusterNames,
  documentNames,
  pairNames,
  putNames,
  recallNames,
  SETTING,
  type Stats,
  searchNames,
} from './index-settings.ts';
import { textsAround } from './look-around.ts';
import { type MeasuredRecall, measureRecall, type RecallSettings } from './measure-recall.ts';
import type { Prepared, Preparer } from './prepare.ts';
import type { PrepareStage } from './prepare-stage.ts';
import { createOpenEntry, createReadEntries } from './read-entries.ts';
import type { Verdict } from './record.ts';
import {
  readSearchSettings,
  type Searching,
  type SearchQuery,
  type SearchResult,
  type SearchSettings,
  searchStore,
} from './search.ts';
import { cachedSets, createCompare, createReadySets, createUnlikeTo, type KnownSet } from './verdict.ts';

/** Reading calls one after another: some milliseconds of work. */
const ASKED_IN_A_TURN = 16;

const MOST_PAIRS = 100_000;

/** Documents that say something for it to be boilerplate. */
const MANY = 8;

export interface IndexParts {
  readonly name: string;
  readonly store: Store;
  readonly preparer: Preparer;
  /** Who does the work on large documents. */
  readonly stage: PrepareStage;
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
  /** What people decided about its documents. */
  readonly decisions: IndexDecisions;
  readonly #clusterReading: ClusterReading;
  readonly #clusterPages: ClusterPages;
  readonly #histogram: HistogramCounter;
  readonly #byId: EntriesById;
  readonly #sets = new SetCache<KnownSet>(SET_BYTES);
  readonly #changes: ChangeQueue;
  readonly #calls = new Calls();
  #closing: Promise<void> | undefined;
  #asked = 0;
  #measuring: { readonly key: string; readonly result: Promise<MeasuredRecall> } | undefined;

  constructor(parts: IndexParts) {
    this.#parts = parts;
    const { name, store, preparer, options } = parts;
    const readEntries = createReadEntries(store, name);
    this.#byId = new EntriesById(store, preparer, readEntries);
    const setOf = cachedSets(preparer, this.#sets);
    const compare = createCompare(preparer, setOf);
    const crowds = new Crowds(options, parts.crowdLimits ?? defaultCrowdLimits);
    const crowdSizes = new CrowdSizes(store, createOpenEntry(name));
    const unlikeTo = createUnlikeTo(preparer, this.#sets, options);
    const { sharesKey } = preparer;
    const readySets = createReadySets(parts.stage, this.#sets);
    this.#deciding = {
      store,
      options,
      compare,
      setOf,
      readySets,
      unlikeTo,
      sharesKey,
      crowds,
      crowdSizes,
      readEntries,
    };
    // After a failure the numbers will be those of other documents.
    this.#changes = new ChangeQueue(store, this.#deciding, () => this.#sets.clear());
    this.decisions = new IndexDecisions(store.decisions, options.seed, id => this.#ask(() => this.#byId.find(id)));
    const { book, hasTheirContents } = this.decisions;
    this.#clusterReading = { read: readEntries, book, hasTheirContents };
    this.#clusterPages = new ClusterPages(store, this.#clusterReading);
    this.#histogram = new HistogramCounter(store, readEntries);
  }

  /** What it was made with, as a user writes it. */
  get options(): Readonly<Record<string, string | number>> {
    return this.#parts.written.options;
  }

  /** Says what the document is, and remembers it. The answer is given when it is durable. */
  async add<Given extends IndexInput>(given: Given, settings: AddSettings<Given> = {}): Promise<Verdict> {
    requireNames(settings, addNames, SETTING);
    return this.#add(given, settings).outcome;
  }

  /** The same for many, in order, faster than one by one. `signal` ends it; what was decided until then stays decided. */
  async *addAll<Given extends IndexInput>(
    documents: AsyncIterable<Given> | Iterable<Given>,
    given: AddSettings<Given> & Pick<CallSettings, 'signal'> = {},
  ): AsyncGenerator<AddOutcome> {
    for await (const outcomes of this.addGroups(inGroups(documents), given))
      for (const outcome of outcomes) yield outcome;
  }

  /** The same for documents that come several at a time, as the lines of what a socket brings do; so do their verdicts. */
  async *addGroups<Given extends IndexInput>(
    groups: AsyncIterable<readonly Given[]> | Iterable<readonly Given[]>,
    given: AddSettings<Given> & Pick<CallSettings, 'signal'> = {},
  ): AsyncGenerator<readonly AddOutcome[]> {
    const { signal, ...settings } = given;
    requireNames(settings, addNames, SETTING);
    yield* addAll(groups, (document, queued) => this.#add(document, settings, queued), signal);
  }

  #add<Given extends IndexInput>(given: Given, settings: AddSettings<Given>, before?: Promise<unknown>): Added {
    const { store = this.#parts.policy, onDecided, onRefused, json, mayTake } = settings;
    const decided: OnDecided =
      (onDecided || onRefused) &&
      (outcome => (outcome instanceof NeardupError ? onRefused?.(outcome, given) : onDecided?.(outcome, given)));
    const enqueue = (prepared: Prepared) => this.#change<Verdict>({ kind: 'add', prepared, store }, decided, settings);
    try {
      this.#requireWritable();
      requirePolicy(store, 'store');
      const prepared = this.#parts.stage.prepare(given, { json: json?.(given), mayTake });
      if (!before && !(prepared instanceof Promise)) return { outcome: enqueue(prepared) };
      const queued = enqueueAfter(prepared, before, enqueue);
      const outcome = this.#calls.during(async () => (await queued).outcome);
      return { outcome, queued: queued.catch(() => {}) };
    } catch (error) {
      return { outcome: Promise.reject(error), ...(before && { queued: before }) };
    }
  }

  /** What `add` would say; nothing is stored. */
  async check(given: IndexInput, settings: Pick<AddSettings, 'mayTake'> = {}): Promise<Verdict> {
    requireNames(settings, checkNames, SETTING);
    return this.#ask(async () => {
      const prepared = await this.#parts.stage.prepare(given, { ...settings, isAsked: true });
      const state = await this.#parts.store.state();
      const { outcomes } = await decideBatch(this.#deciding, state, [{ kind: 'check', prepared }]);
      return unlessError(outcomes[0]!) as Verdict;
    });
  }

  /** Stored documents like this one, best first. */
  async search(query: SearchQuery, settings: SearchSettings = {}): Promise<SearchResult[]> {
    requireNames(settings, searchNames, SETTING);
    const searching = readSearchSettings(settings, this.#parts.options, this.#parts.nameOf);
    return this.#ask(() => this.#search(query, searching));
  }

  async #search(query: SearchQuery, searching: Searching): Promise<SearchResult[]> {
    const { store, stage } = this.#parts;
    if (query.text !== undefined || query.set !== undefined) {
      const prepared = await stage.prepare({ ...query, id: 'query' }, { isAsked: true });
      return searchStore(store, this.#deciding, prepared, undefined, searching);
    }
    if (query.id === undefined) fail('BAD_DOCUMENT', { reason: 'a query has a text, a set or the id of a document' });
    const entry = await this.#byId.stored(query.id);
    return searchStore(
      store,
      this.#deciding,
      await stage.prepare(entry.document!, { isAsked: true }),
      entry,
      searching,
    );
  }

  /** A stored document as it came. */
  async get(id: string | number): Promise<Document | undefined> {
    return this.#ask(async () => (await this.#byId.find(id))?.document);
  }

  /** The same as JSON text, with every number as it was written, if it was added with its `json`. */
  async getJson(id: string | number): Promise<string | undefined> {
    return this.#ask(async () => {
      const entry = await this.#byId.find(id);
      return entry?.isStored ? this.#parts.stage.jsonOf(entry) : undefined;
    });
  }

  /** The same; fails with `UNKNOWN_ID`, or with `NOT_STORED` where only a verdict is kept. */
  async storedJson(id: string | number): Promise<string> {
    return this.#ask(async () => this.#parts.stage.jsonOf(await this.#byId.stored(id)));
  }

  /** The first verdict on an id, whether its document is stored or not. */
  async verdictOf(id: string | number): Promise<Verdict | undefined> {
    return this.#ask(async () => (await this.#byId.find(id))?.verdict);
  }

  /** Adds, in place of what was known under this id. Verdicts that rested on the old text are forgotten. */
  async put<Given extends IndexInput>(
    given: Given,
    settings: Pick<AddSettings<Given>, 'store' | 'json' | 'onRemembered' | 'mayTake'> = {},
  ): Promise<Verdict> {
    requireNames(settings, putNames, SETTING);
    const { store = this.#parts.policy, json, mayTake } = settings;
    requirePolicy(store, 'store');
    this.#requireWritable();
    return this.#calls.during(async () => {
      const preparing = this.#parts.stage.prepare(given, { json: json?.(given), mayTake });
      // Waiting for what is there would let calls that come later go first.
      const prepared = preparing instanceof Promise ? await preparing : preparing;
      return this.#change<Verdict>({ kind: 'put', prepared, store }, undefined, settings);
    });
  }

  /** False when there was nothing under this id. Verdicts that rested on it are forgotten. */
  async remove(given: string | number): Promise<boolean> {
    const id = String(given);
    this.#requireWritable();
    return this.#change<boolean>({ kind: 'remove', id, idKey: this.#parts.preparer.idKey(id) });
  }

  /** All documents that are known, in the order they were added, whether stored or not. */
  async documents(query: DocumentQuery = {}): Promise<DocumentPage> {
    requireNames(query, documentNames, SETTING);
    return this.#ask(() => documentPage(this.#parts.store, query));
  }

  /** Stored documents with those that were found to be duplicates of them. */
  async clusters(query: ClusterQuery = {}): Promise<ClusterPage> {
    requireNames(query, clusterNames, SETTING);
    return this.#ask(() => this.#clusterPages.page(query));
  }

  /** The cluster a document is in, if it is in one. */
  async cluster(id: string | number): Promise<IndexCluster | undefined> {
    return this.#ask(() => this.#clusterWith(id));
  }

  async #clusterWith(id: string | number): Promise<IndexCluster | undefined> {
    const entry = await this.#byId.find(id);
    await this.decisions.book.catchUp();
    return entry && clusterWith(this.#parts.store, this.#clusterReading, entry);
  }

  /** Every measure of two documents, each given by its text, its set, or the id of a stored one; and what they share. */
  async compare(a: SearchQuery, b: SearchQuery): Promise<ComparisonWithPassages> {
    return this.#ask(async () =>
      this.#parts.stage.compare(await this.#byId.contentOf(a), await this.#byId.contentOf(b)),
    );
  }

  /**
   * What of a text, or of a stored document, many other documents of the index have, too. It looks into some hundreds of them, one
   * of each cluster, whatever the size of the index.
   */
  async boilerplate(query: SearchQuery, settings: BoilerplateSettings = {}): Promise<Boilerplate> {
    requireNames(settings, boilerplateNames, SETTING);
    const { atLeast = MANY } = settings;
    parseInteger(atLeast, 'atLeast', 1, 2 ** 32);
    return this.#ask(async () => {
      const { store, stage, name } = this.#parts;
      const { text } = await this.#byId.contentOf(query);
      if (text === undefined) return { ranges: [], documents: 0, atLeast };
      const isNamed = query.text === undefined && query.set === undefined;
      const itself = isNamed ? await this.#byId.find(query.id!) : undefined;
      const prepared = await stage.prepare({ id: 'query', text }, { isAsked: true });
      const others = await textsAround(store, createOpenEntry(name), prepared, itself);
      const ranges = await stage.boilerplate({ text, others, atLeast });
      return { ranges, documents: others.length, atLeast };
    });
  }

  /**
   * How alike the members of a cluster are, exactly: the representative with each of them, then each with each as far as their texts are
   * stored and the limit goes; or the strongest links that connect all.
   */
  async pairsOf(cluster: string | number, query: ClusterPairsQuery = {}): Promise<ClusterPairs | undefined> {
    requireNames(query, pairNames, SETTING);
    const { limit = 1000, tree = false } = query;
    parseInteger(limit, 'limit', 1, MOST_PAIRS);
    return this.#ask(async () => {
      const entry = await this.#byId.find(cluster);
      const entries = entry && (await clusterEntries(this.#parts.store, this.#clusterReading, entry));
      const { stage } = this.#parts;
      return (
        entries &&
        clusterPairs(
          entries,
          { limit, tree },
          {
            compareAll: input => stage.pairs(input),
            sizeOf: async one => (await stage.setOf(one)).length,
          },
        )
      );
    });
  }

  /**
   * How many near-duplicates the index recognises, measured: of a sample of its documents, copies are checked that are changed as much as
   * the threshold allows, which are the hardest to find. Calls at the same time share one measurement.
   */
  async measureRecall(settings: RecallSettings = {}): Promise<MeasuredRecall> {
    requireNames(settings, recallNames, SETTING);
    const { documents = 200, seconds = 2 } = settings;
    parseInteger(documents, 'documents', 1, 100_000);
    parseInteger(seconds, 'seconds', 1, 3600);
    const { store, preparer, name } = this.#parts;
    const tools = { store, preparer, deciding: this.#deciding, open: createOpenEntry(name) };
    const key = `${documents} ${seconds}`;
    if (this.#measuring?.key === key) return this.#measuring.result;
    const result = this.#ask(() => measureRecall(tools, { documents, seconds }));
    const measuring = { key, result };
    this.#measuring = measuring;
    const end = () => {
      if (this.#measuring === measuring) this.#measuring = undefined;
    };
    result.then(end, end);
    return result;
  }

  /** Of all duplicates how like their best match they are, and the sizes of all clusters; counted once for a state of the index. */
  async histogram(): Promise<IndexHistogram> {
    return this.#ask(() => this.#histogram.histogram());
  }

  async stats(): Promise<Stats> {
    return this.#ask(async () => {
      const { documents, verdicts } = await this.#counts();
      return { documents, bytes: await this.#parts.store.size(), options: this.options, verdicts };
    });
  }

  /** Of the same what takes no time to say. */
  async counts(): Promise<Pick<Stats, 'documents' | 'verdicts'>> {
    return this.#ask(() => this.#counts());
  }

  async #counts(): Promise<Pick<Stats, 'documents' | 'verdicts'>> {
    const { documents, new: fresh, exact, near, contained } = await this.#parts.store.state();
    return { documents, verdicts: { new: fresh, exact, near, contained } };
  }

  /** Reads everything; yields what is not as it was written. */
  async *verify(): AsyncGenerator<Damage> {
    this.#requireOpen();
    yield* damagesOf(this.#parts);
  }

  /** A copy of one moment, while others go on reading and writing. A damaged index is not copied: what is damaged is told. */
  async backup(path: string): Promise<void> {
    return this.#ask(async () => {
      await this.#changes.durable;
      await this.#parts.store.backup(path);
    });
  }

  /**
   * Gives up what removed documents still hold; a damaged index is left as it is. Who opened it only to read asks the
   * process that writes it, if one does.
   */
  async compact(): Promise<void> {
    return this.#ask(() => this.#parts.store.compact());
  }

  /** Waits for all calls that are under way, and answers them. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // A large document is on a thread before it is in the queue.
    await this.#calls.ended();
    await this.#changes.end();
    await this.#parts.stage.end();
    await this.#parts.store.close();
  }

  /** `await using index = await openIndex(…)` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #change<Result extends Outcome>(
    operation: Operation,
    onDecided?: OnDecided,
    following: Following = {},
  ): Promise<Result> {
    return this.#changes.add(operation, onDecided, following).then(unlessError) as Promise<Result>;
  }

  /** What is asked again and again must not keep others, who wait for the event loop, from their turn. */
  async #ask<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#requireOpen();
    return this.#calls.during(async () => {
      if (++this.#asked % ASKED_IN_A_TURN === 0) await setImmediate();
      return work();
    });
  }

  #requireOpen(): void {
    if (this.#closing) fail('INDEX_CLOSED', { index: this.#parts.name });
  }

  #requireWritable(): void {
    this.#requireOpen();
    if (this.#parts.readOnly) fail('READ_ONLY', { index: this.#parts.name });
  }
}

/**
 * Enqueues a document when it is prepared and those before it stand in the queue. One that cannot be prepared waits
 * for them, too: otherwise those behind it would go first. The outcome is in an object, since a promise of a promise
 * waits for both.
 */
async function enqueueAfter(
  prepared: Prepared | Promise<Prepared>,
  before: Promise<unknown> | undefined,
  enqueue: (prepared: Prepared) => Promise<Verdict>,
): Promise<{ readonly outcome: Promise<Verdict> }> {
  const [ready] = await Promise.allSettled([prepared, before]);
  if (ready.status === 'rejected') throw ready.reason;
  return { outcome: enqueue(ready.value) };
}

function unlessError(outcome: Outcome): Verdict | boolean {
  if (outcome instanceof NeardupError) throw outcome;
  return outcome;
}
