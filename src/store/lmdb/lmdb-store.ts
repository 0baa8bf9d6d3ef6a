/**
 * The contract on LMDB, in one folder: one process writes, any number read.
 *
 * Entries are appended to a table; nothing else is needed to know what the index holds. What finds them again, postings,
 * is derived: new ones live in memory (the tail), every few thousand entries they are sorted and written as a run, and
 * runs are merged in steps. Opening reads the entries after the last run, so it takes as long for a large index as for a
 * small one.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { halvesOf } from '../../engine/key-arrays.ts';
import { sortedOrder } from '../../engine/radix.ts';
import { fail } from '../../errors.ts';
import {
  type Change,
  type Damage,
  emptyState,
  type Group,
  type Numbers,
  type State,
  type Store,
  type StoreSetup,
} from '../contract.ts';
import { limitOf } from '../keys.ts';
import { createMutex } from '../mutex.ts';
import { DamagedEntry } from '../record.ts';
import { copyIndex } from './backup.ts';
import { checkTables } from './check.ts';
import { CommitQueue } from './commit-queue.ts';
import { Merge, runsToMerge } from './merge.ts';
import { DamagedMeta, readMeta, sealMeta } from './meta.ts';
import { describeRun, FilterPages, Run, type RunDescription } from './run.ts';
import { type PutPart, RunBuilder } from './run-builder.ts';
import { pairKey, type Tables } from './tables.ts';
import { Segment } from './tail.ts';
import type { WriterLock } from './writer-lock.ts';

export interface Manifest {
  readonly nextRun: number;
  /** Entries before this number are in runs. */
  readonly flushedTo: number;
  /** In order of their numbers. */
  readonly runs: readonly RunDescription[];
  /** Runs of which there may be parts that nobody reads: merged into others, or never finished. */
  readonly garbage: readonly number[];
}

const emptyManifest: Manifest = { nextRun: 1, flushedTo: 0, runs: [], garbage: [] };

/** How much is kept in memory, and done at a time. */
export interface LmdbLimits {
  /** Entries, or postings, after which the tail becomes a run. */
  readonly tailEntries: number;
  readonly tailPostings: number;
  /** A tail of so many is written when the index is closed: opening it again is quicker. */
  readonly tailOnClose: number;
  /** Postings that are merged in one go. */
  readonly mergeStep: number;
}

export const defaultLimits: LmdbLimits = {
  tailEntries: 4096,
  tailPostings: 200_000,
  tailOnClose: 256,
  mergeStep: 8192,
};

/** Postings merged for each that is added; each is moved four or five times before a million documents are there. */
const MERGED_PER_ADDED = 8;
const CLEAN_STEP = 32;
const ONE = Buffer.from([1]);

export interface LmdbParts {
  readonly name: string;
  readonly folder: string;
  readonly tables: Tables;
  readonly setup: StoreSetup;
  /** Who only reads has none. */
  readonly lock: WriterLock | undefined;
  readonly limits: LmdbLimits;
}

interface Pending {
  readonly bytes: Uint8Array | undefined;
}

export class LmdbStore implements Store {
  readonly #parts: LmdbParts;
  readonly #tables: Tables;
  readonly #inOrder = createMutex();
  readonly #pages = new FilterPages();
  #state = emptyState;
  #manifest = emptyManifest;
  #runs: Run[] = [];
  /** The last one grows, the others are on their way into runs. */
  #segments: Segment[] = [new Segment(0)];
  /** Entries that are not committed yet. */
  readonly #pending = new Map<number, Pending>();
  readonly #queue: CommitQueue;
  #nextRun = 1;
  #merge: Merge | undefined;
  /** Runs that can be deleted: no longer read here, or left half-made by a process that was killed. */
  readonly #garbage = new Set<number>();
  #mergeCredit = 0;
  /** Of a reader: the state it has caught up with. */
  #seen: Buffer | undefined;

  static async open(parts: LmdbParts): Promise<LmdbStore> {
    const store = new LmdbStore(parts);
    store.#catchUp();
    for (const id of store.#manifest.garbage) store.#garbage.add(id);
    return store;
  }

  private constructor(parts: LmdbParts) {
    this.#parts = parts;
    this.#tables = parts.tables;
    this.#queue = new CommitQueue(parts.tables.root);
  }

  exclusively<Result>(work: (state: State) => Promise<Result>): Promise<Result> {
    return this.#inOrder(() => work(this.#state));
  }

  async state(): Promise<State> {
    this.#refresh();
    return this.#state;
  }

  async find(keys: BigUint64Array): Promise<readonly Numbers[]> {
    this.#refresh();
    const lists: (number[] | undefined)[] = new Array(keys.length);
    const halves = halvesOf(keys);
    for (const run of this.#runs) run.find(halves, lists);
    for (const segment of this.#segments) segment.find(halves, lists);
    for (let at = 0; at < lists.length; at++) {
      const list = lists[at];
      if (!list) lists[at] = noNumbers;
      else if (list.length > limitOf(halves[2 * at]!)) list.length = limitOf(halves[2 * at]!);
    }
    return lists as Numbers[];
  }

  async read(numbers: Numbers): Promise<readonly (Uint8Array | undefined)[]> {
    this.#requireSound();
    return numbers.map(number => this.#read(number));
  }

  async apply(change: Change): Promise<{ durable: Promise<void> }> {
    this.#requireSound();
    const { entries, members, tombstones, meta } = this.#tables;
    const queue = this.#queue;
    const active = this.#segments.at(-1)!;
    const pending: [number, Pending][] = [];
    let postings = 0;
    for (const { number, bytes, of, keys } of change.additions) {
      queue.put(entries, number, bytes, 'new entry');
      pending.push([number, { bytes }]);
      if (of !== undefined) queue.put(members, pairKey(of, number), ONE);
      active.add(keys, number);
      postings += keys.length;
    }
    for (const { number, bytes, noLongerOf } of change.rewrites) {
      queue.put(entries, number, bytes, 'entry');
      pending.push([number, { bytes }]);
      if (noLongerOf !== undefined) queue.remove(members, pairKey(noLongerOf, number));
    }
    for (const { number, of } of change.removals) {
      queue.remove(entries, number);
      pending.push([number, { bytes: undefined }]);
      if (of !== undefined) queue.remove(members, pairKey(of, number));
      if (number >= active.from) active.dead.add(number);
      else queue.put(tombstones, number, ONE);
    }
    queue.put(meta, 'state', sealMeta('state', change.state));
    this.#state = change.state;
    this.#remember(pending);
    const { durable } = queue;
    this.#keepHouse(postings);
    return { durable };
  }

  async membersOf(number: number): Promise<Numbers> {
    await this.#settled();
    const keys = this.#tables.members.getKeys({ start: pairKey(number, 0), end: pairKey(number + 1, 0) });
    return Array.from(keys, key => key.readUInt32BE(4));
  }

  async groups(from: number, limit: number): Promise<readonly Group[]> {
    await this.#settled();
    const groups: { of: number; members: number[] }[] = [];
    for (const key of this.#tables.members.getKeys({ start: pairKey(from, 0) })) {
      const of = key.readUInt32BE(0);
      if (groups.at(-1)?.of !== of) {
        if (groups.length === limit) break;
        groups.push({ of, members: [] });
      }
      groups.at(-1)!.members.push(key.readUInt32BE(4));
    }
    return groups;
  }

  /** In portions: a reader that stays in one moment for long keeps LMDB from using freed pages again. */
  async *entries(): AsyncGenerator<{ number: number; bytes: Uint8Array }> {
    await this.#settled();
    for (let from = 0; ; ) {
      this.#tables.root.resetReadTxn();
      const portion = [...this.#tables.entries.getRange({ start: from, limit: 256 })];
      for (const { key: number, value: bytes } of portion) yield { number, bytes };
      if (portion.length < 256) return;
      from = portion.at(-1)!.key + 1;
    }
  }

  async *check(): AsyncGenerator<Damage> {
    await this.#settled();
    yield* checkTables(this.#tables);
  }

  async size(): Promise<number> {
    return statSync(join(this.#parts.folder, 'data.mdb')).size;
  }

  async backup(path: string): Promise<void> {
    await this.#settled();
    await copyIndex(this.#tables, path);
  }

  /** All runs into one, without the postings of removed entries, while others go on reading and writing. */
  async compact(): Promise<void> {
    await this.#between(() => this.#flush());
    while (this.#merge) await this.#between(() => this.#stepMerge());
    await this.#between(() => {
      if (!this.#merge && (this.#manifest.runs.length > 1 || this.#hasDead())) this.#startMerge(this.#manifest.runs);
    });
    const merge = this.#merge;
    while (this.#merge && this.#merge === merge) await this.#between(() => this.#stepMerge());
    while (this.#garbage.size > 0) await this.#between(() => this.#clean());
    await this.#queue.durable;
  }

  /** Work between the changes of others, committed when this resolves. */
  async #between(work: () => void): Promise<void> {
    await this.exclusively(async () => {
      await this.#settled();
      work();
    });
    await this.#settled();
  }

  #hasDead(): boolean {
    return this.#tables.tombstones.getKeysCount({ limit: 1 }) > 0;
  }

  async close(): Promise<void> {
    const { lock } = this.#parts;
    const { tailOnClose } = this.#parts.limits;
    if (lock && !this.#queue.broken && this.#segments.at(-1)!.entries >= tailOnClose) this.#flush();
    await this.#queue.close();
    await lock?.release();
    await this.#tables.root.close();
  }

  #read(number: number): Uint8Array | undefined {
    const pending = this.#pending.get(number);
    return pending ? pending.bytes : this.#tables.entries.getBinary(number);
  }

  /** Read from memory until it can be read from the table. */
  #remember(pending: readonly [number, Pending][]): void {
    for (const [number, entry] of pending) this.#pending.set(number, entry);
    const forget = () => {
      for (const [number, entry] of pending) if (this.#pending.get(number) === entry) this.#pending.delete(number);
    };
    void this.#queue.committed.then(forget, () => {});
  }

  #requireSound(): void {
    const { broken } = this.#queue;
    if (!broken) return;
    const reason = broken.error instanceof Error ? broken.error.message : String(broken.error);
    fail('CANNOT_WRITE', { file: this.#parts.name, reason: `${reason}; open the index again` }, broken.error);
  }

  async #settled(): Promise<void> {
    this.#refresh();
    await this.#queue.committed.catch(() => {});
    this.#requireSound();
  }

  /** Runs and tail as the tables have them. */
  #catchUp(): void {
    try {
      const manifest = readMeta<Manifest>(this.#tables, 'runs') ?? emptyManifest;
      const state = readMeta<State>(this.#tables, 'state') ?? emptyState;
      const kept = this.#segments.length === 1 && manifest.flushedTo === this.#manifest.flushedTo;
      this.#useRuns(manifest.runs);
      this.#manifest = manifest;
      if (!kept || this.#segments[0]!.from !== manifest.flushedTo) this.#segments = [new Segment(manifest.flushedTo)];
      const tail = this.#segments[0]!;
      const from = kept ? this.#state.next : manifest.flushedTo;
      for (const { key, value } of this.#tables.entries.getRange({ start: Math.max(from, manifest.flushedTo) }))
        tail.add(this.#keysOf(key, value), key);
      this.#state = { ...state, next: Math.max(state.next, manifest.flushedTo) };
      this.#nextRun = manifest.nextRun;
    } catch (error) {
      if (error instanceof DamagedMeta) this.#damaged(error.message);
      throw error;
    }
  }

  /** A damaged entry cannot be found; checking the index names it. */
  #keysOf(number: number, bytes: Uint8Array): BigUint64Array {
    try {
      return this.#parts.setup.keysOf(number, bytes);
    } catch (error) {
      if (error instanceof DamagedEntry) return new BigUint64Array(0);
      throw error;
    }
  }

  /** Who only reads looks whether somebody has written. */
  #refresh(): void {
    this.#requireSound();
    if (this.#parts.lock) return;
    this.#tables.root.resetReadTxn();
    const state = this.#tables.meta.getBinary('state');
    const runs = this.#tables.meta.getBinary('runs');
    const seen = Buffer.concat([state ?? empty, runs ?? empty]);
    if (this.#seen?.equals(seen)) return;
    this.#catchUp();
    this.#seen = seen;
  }

  #useRuns(descriptions: readonly RunDescription[]): void {
    const known = new Map(this.#runs.map(run => [run.description.id, run]));
    this.#runs = descriptions.map(
      description =>
        known.get(description.id) ?? new Run(description, this.#tables, this.#pages, what => this.#damaged(what)),
    );
    const ids = new Set(descriptions.map(({ id }) => id));
    for (const id of known.keys()) if (!ids.has(id)) this.#pages.drop(id);
  }

  #damaged(what: string): never {
    return fail('INDEX_DAMAGED', { index: this.#parts.name, what });
  }

  /** A little of what has to be done from time to time. */
  #keepHouse(postings: number): void {
    const { tailEntries, tailPostings, mergeStep } = this.#parts.limits;
    const active = this.#segments.at(-1)!;
    if (active.entries >= tailEntries || active.table.count >= tailPostings) this.#flush();
    this.#mergeCredit = Math.min(this.#mergeCredit + postings * MERGED_PER_ADDED, 4 * mergeStep);
    if (!this.#merge && this.#mergeCredit > 0) this.#startMerge(runsToMerge(this.#manifest.runs));
    while (this.#merge && this.#mergeCredit > 0) {
      this.#stepMerge();
      this.#mergeCredit -= mergeStep;
    }
    if (!this.#merge) this.#mergeCredit = 0;
    this.#clean();
  }

  /** The tail becomes a run. It is read until the run can be. */
  #flush(): void {
    const segment = this.#segments.at(-1)!;
    const to = this.#state.next;
    if (to === segment.from) return;
    // The next one will be about as large.
    this.#segments.push(new Segment(to, 2 ** Math.ceil(Math.log2(segment.table.count + 1024))));
    const { high, low, number } = segment.table.sorted(one => !segment.dead.has(one), sortedOrder);
    const builder = new RunBuilder(describeRun(this.#nextRun++, segment.from, to, high.length), this.#put);
    for (let at = 0; at < high.length; at++) builder.push(high[at]!, low[at]!, number[at]!);
    const run = builder.finish();
    const { runs } = this.#manifest;
    this.#changeManifest({ flushedTo: to, runs: run.postings > 0 ? [...runs, run] : runs }, () => {
      this.#segments = this.#segments.filter(one => one !== segment);
    });
  }

  readonly #put: PutPart = (table, run, part, bytes) => this.#queue.put(this.#tables[table], pairKey(run, part), bytes);

  /** It is read by only when it is committed. */
  #changeManifest(change: Partial<Manifest>, after: () => void = () => {}): void {
    const manifest = { ...this.#manifest, ...change, nextRun: this.#nextRun };
    this.#manifest = manifest;
    this.#queue.put(this.#tables.meta, 'runs', sealMeta('runs', manifest));
    const use = () => {
      this.#useRuns(manifest.runs);
      after();
    };
    void this.#queue.committed.then(use, () => {});
  }

  #startMerge(descriptions: readonly RunDescription[]): void {
    if (descriptions.length === 0) return;
    const inputs = descriptions.map(({ id }) => this.#runs.find(run => run.description.id === id));
    // What was flushed just now may not be committed yet.
    if (inputs.includes(undefined)) return;
    const [from, to] = [descriptions[0]!.from, descriptions.at(-1)!.to];
    const dead = new Set(this.#tables.tombstones.getKeys({ start: from, end: to }));
    const postings = descriptions.reduce((sum, run) => sum + run.postings, 0);
    const output = describeRun(this.#nextRun++, from, to, postings);
    // Should we be killed half-way, whoever opens the index next knows what to clean up.
    this.#changeManifest({ garbage: [...this.#manifest.garbage, output.id] });
    this.#merge = new Merge(inputs as Run[], output, dead, this.#put);
  }

  #stepMerge(): void {
    const merge = this.#merge;
    const merged = merge?.step(this.#parts.limits.mergeStep);
    if (!merge || !merged) return;
    this.#merge = undefined;
    const old = new Set(merge.inputs.map(({ description }) => description.id));
    const { runs, garbage } = this.#manifest;
    const place = runs.findIndex(({ id }) => old.has(id));
    const left = runs.filter(({ id }) => !old.has(id));
    for (const number of merge.dead) this.#queue.remove(this.#tables.tombstones, number);
    const isEmpty = merged.postings === 0;
    if (isEmpty) old.add(merged.id);
    this.#changeManifest(
      {
        runs: isEmpty ? left : left.toSpliced(place, 0, merged),
        garbage: [...garbage.filter(id => id !== merged.id), ...old],
      },
      () => {
        for (const id of old) this.#garbage.add(id);
      },
    );
  }

  /** Deletes some of what nobody reads. */
  #clean(): void {
    const [id] = this.#garbage;
    if (id === undefined) return;
    for (const table of [this.#tables.blocks, this.#tables.filters]) {
      const keys = [...table.getKeys({ start: pairKey(id, 0), end: pairKey(id + 1, 0), limit: CLEAN_STEP })];
      if (keys.length === 0) continue;
      for (const key of keys) this.#queue.remove(table, key);
      return;
    }
    this.#garbage.delete(id);
    this.#changeManifest({ garbage: this.#manifest.garbage.filter(one => one !== id) });
  }
}

const empty = Buffer.alloc(0);
const noNumbers: number[] = [];
