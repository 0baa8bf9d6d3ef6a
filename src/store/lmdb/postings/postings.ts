/**
 * Keys and numbers → the numbers of a key. New ones live in memory (the tail); every few thousand entries they are sorted
 * and written as a run, and runs are merged, on a thread, while others go on reading and writing.
 *
 * All of it is derived from the entries. A run counts once the manifest names it, in the same transaction as its last part.
 */
import { setImmediate } from 'node:timers/promises';
import { halvesOf } from '../../../engine/analyse/key-arrays.ts';
import type { Damage, StoreSetup } from '../../contract.ts';
import { movable } from '../../threads/answer.ts';
import type { CommitQueue } from '../commit-queue.ts';
import { sealMeta } from '../meta.ts';
import { pairKey, type Tables } from '../tables.ts';
import { createThread } from '../thread.ts';
import { type Filtered, FilterKeeper } from './filter-keeper.ts';
import { FilterPages } from './filter-pages.ts';
import { Garbage } from './garbage.ts';
import { byHighHalf, pick } from './key-order.ts';
import { type MadePages, makePages, type PagesToMake } from './make-pages.ts';
import { emptyManifest, type Manifest } from './manifest.ts';
import { Merge, runsToMerge } from './merge.ts';
import { readTail, type TailEntries } from './read-tail.ts';
import { describeRun, type OnDamage, pagesOf, Run, type RunDescription } from './run.ts';
import { Segment } from './tail.ts';

/** How much is kept in memory, and stands together. */
export interface PostingLimits {
  /** Entries, or postings, after which the tail becomes a run. */
  readonly tailEntries: number;
  readonly tailPostings: number;
  /** A tail of so many is written when the index is closed: opening it again is quicker. */
  readonly tailOnClose: number;
  /** Of a run, about; 1,250 at most. */
  readonly blockPostings?: number;
}

export const defaultLimits: PostingLimits = { tailEntries: 4096, tailPostings: 200_000, tailOnClose: 256 };

/** Who adds waits while more than so many are to be written, or to be looked into for each key. */
const MOST_WAITING = 4;
const MOST_RUNS = 40;
const ONE = Buffer.from([1]);

export interface PostingParts {
  readonly tables: Tables;
  readonly queue: CommitQueue;
  readonly limits: PostingLimits;
  readonly onDamage: OnDamage;
}

export class Postings {
  readonly #parts: PostingParts;
  readonly #pages = new FilterPages();
  readonly #thread = createThread();
  #manifest = emptyManifest;
  #nextRun = 1;
  #runs: Run[] = [];
  /** The last one grows, the others are on their way into runs. */
  #segments: Segment[] = [new Segment(0)];
  #merges: Merge[] = [];
  /** All keys go through here. */
  readonly #filter: FilterKeeper;
  readonly #garbage = new Garbage();
  /** Writing and merging, one piece after another. */
  #work: Promise<void> | undefined;
  #piece: Promise<boolean> = Promise.resolve(false);
  #failure: { readonly error: unknown } | undefined;
  /** An entry of the tail that could not be read: whatever is looked up might be in it. */
  #damage: Damage | undefined;
  /** Removed entries whose tombstones are on their way out, with the postings that made them necessary. */
  readonly #leaving = new Set<number>();
  /** Then no other merges are begun. */
  #isCompacting = false;
  #isClosing = false;

  constructor(parts: PostingParts) {
    this.#parts = parts;
    this.#filter = new FilterKeeper(this.#thread, parts.onDamage);
  }

  /** Takes over what the tables have. */
  catchUp(manifest: Manifest, tail: TailEntries, keysOf: StoreSetup['keysOf']): void {
    const { flushedTo } = manifest;
    const isSameTail = this.#segments.length === 1 && this.#segments[0]!.from === flushedTo;
    this.#useRuns(manifest.runs);
    this.#manifest = manifest;
    this.#nextRun = manifest.nextRun;
    if (!isSameTail) this.#segments = [new Segment(flushedTo)];
    const start = isSameTail ? Math.max(tail.seen, flushedTo) : flushedTo;
    const damage = readTail(this.#parts.tables, this.#segments[0]!, start, tail, keysOf);
    this.#damage ??= damage;
  }

  /** What opening has found. */
  get damage(): Damage | undefined {
    return this.#damage;
  }

  /** Its postings may still be found. */
  isRemoved(number: number): boolean {
    return this.#leaving.has(number) || this.#parts.tables.tombstones.doesExist(number);
  }

  /** From now on all changes are made here. */
  takeOver(): void {
    // What a process that was killed has left.
    for (const id of this.#manifest.garbage) this.#garbage.add(id);
    if (this.#manifest.runs.length === 0) this.#filter.startEmpty(this.#filtered);
  }

  /** For each key what there is of it, in order. */
  find(halves: Uint32Array): (number[] | undefined)[] {
    const passed = this.#filter.passed(halves) ?? Array.from({ length: halves.length / 2 }, (_, at) => at);
    const places = byHighHalf(halves, passed);
    const found = this.#findAll(pick(halves, places));
    const lists: (number[] | undefined)[] = new Array(halves.length / 2);
    for (let i = 0; i < places.length; i++) lists[places[i]!] = found[i];
    return lists;
  }

  #findAll(halves: Uint32Array): (number[] | undefined)[] {
    const lists: (number[] | undefined)[] = new Array(halves.length / 2);
    for (const run of this.#runs) run.find(halves, lists);
    for (const segment of this.#segments) segment.find(halves, lists);
    return lists;
  }

  add(keys: BigUint64Array, number: number): void {
    const halves = halvesOf(keys);
    this.#segments.at(-1)!.add(halves, number);
    this.#filter.add(halves);
  }

  /** Marked until no posting of it is left, so that what is removed can be told from what is lost. */
  remove(number: number): void {
    const { tables, queue } = this.#parts;
    const growing = this.#segments.at(-1)!;
    if (number >= growing.from) growing.dead.add(number);
    queue.put(tables.tombstones, number, ONE);
  }

  /** Waits while there is too much to be done, before even more is added. */
  async room(): Promise<void> {
    this.#requireWell();
    while (this.#work && (this.#segments.length > MOST_WAITING || this.#manifest.runs.length > MOST_RUNS)) {
      await this.#onePiece();
      this.#requireWell();
    }
  }

  /** After each change: what has to be done from time to time. `next` is the number of the next entry. */
  keepHouse(next: number): void {
    const { tailEntries, tailPostings } = this.#parts.limits;
    const { entries, table } = this.#segments.at(-1)!;
    if (entries >= tailEntries || table.count >= tailPostings) this.#endTail(next);
    this.#begin();
  }

  /** All runs into one, without the postings of removed entries. Others may go on. */
  async compact(next: number): Promise<void> {
    this.#endTail(next);
    this.#isCompacting = true;
    try {
      await this.#until(() => this.#segments.length === 1 && this.#merges.length === 0);
      const { runs } = this.#manifest;
      if (runs.length > 1 || (runs.length === 1 && this.#hasDead())) {
        const merge = this.#startMerge(runs);
        await this.#until(() => !this.#merges.includes(merge));
      }
    } finally {
      this.#isCompacting = false;
    }
    await this.#until(() => this.#garbage.isEmpty);
  }

  async close(next: number): Promise<void> {
    this.#isClosing = true;
    await this.#work;
    await this.#thread.end();
    const { queue, limits } = this.#parts;
    // A run of a damaged tail would look sound.
    if (queue.broken || this.#failure || this.#damage) return;
    if (this.#segments.at(-1)!.entries >= limits.tailOnClose) this.#endTail(next);
    try {
      while (this.#segments.length > 1) await this.#flush(this.#segments[0]!);
    } catch {
      // Whoever opens it next finds these entries without a run, and sorts them again.
    }
  }

  #requireWell(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /** The tail is read until its run can be. */
  #endTail(next: number): void {
    const tail = this.#segments.at(-1)!;
    if (next > tail.from) this.#segments.push(tail.next(next));
  }

  #begin(): void {
    this.#work ??= this.#workUntilDone();
  }

  async #workUntilDone(): Promise<void> {
    try {
      do this.#piece = this.#doNext();
      while ((await this.#piece) && !this.#isClosing);
    } catch (error) {
      // That nothing can be written any more is told by the queue.
      if (!this.#parts.queue.broken) this.#failure ??= { error };
    }
    this.#work = undefined;
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      this.#requireWell();
      this.#begin();
      await this.#onePiece();
    }
  }

  /** Till the one at hand is done. */
  async #onePiece(): Promise<void> {
    await this.#piece.catch(() => {});
    await setImmediate();
    if (this.#parts.queue.broken) throw this.#parts.queue.broken.error;
  }

  /** False when there is nothing to do. Small merges go first: there are always few small runs. */
  async #doNext(): Promise<boolean> {
    const isCleaning = this.#clean();
    if (this.#segments.length > 1) {
      await this.#flush(this.#segments[0]!);
      return true;
    }
    if (await this.#filter.makePart(this.#filtered)) return true;
    if (!this.#isCompacting) {
      const group = runsToMerge(this.#manifest.runs, run => this.#merges.some(merge => merge.has(run)));
      if (group.length > 0) this.#startMerge(group);
    }
    const [merge] = this.#merges.toSorted((a, b) => a.left - b.left);
    if (merge) await this.#moveOn(merge);
    else if (isCleaning) await this.#parts.queue.committed;
    return merge !== undefined || isCleaning;
  }

  get #filtered(): Filtered {
    return { runs: this.#runs, postings: countOf(this.#manifest.runs), segments: this.#segments };
  }

  async #flush(segment: Segment): Promise<void> {
    const to = this.#segments[1]!.from;
    const { table, dead } = segment;
    const run = this.#describe(segment.from, to, table.count);
    const from = table.columns();
    const made = await this.#make({ run, firstPage: 0, endPage: pagesOf(run), from, dead: [...dead] });
    // In one go, and so in one transaction: nobody would know of parts without their run.
    this.#put(run, made);
    const { runs } = this.#manifest;
    const withThis = made.postings > 0 ? [...runs, { ...run, postings: made.postings }] : runs;
    this.#unmark(dead);
    this.#changeManifest({ flushedTo: to, runs: withThis }, () => {
      this.#segments = this.#segments.filter(one => one !== segment);
      for (const number of dead) this.#leaving.delete(number);
    });
    await this.#parts.queue.committed;
  }

  #startMerge(descriptions: readonly RunDescription[]): Merge {
    const inputs = descriptions.map(({ id }) => this.#runs.find(run => run.description.id === id)!);
    const [from, to] = [descriptions[0]!.from, descriptions.at(-1)!.to];
    const dead = [...this.#parts.tables.tombstones.getKeys({ start: from, end: to })];
    const output = this.#describe(from, to, countOf(descriptions));
    // Should we be killed half-way, whoever opens the index next knows what to clean up.
    this.#changeManifest({ garbage: [...this.#manifest.garbage, output.id] });
    const merge = new Merge(inputs, output, dead);
    this.#merges.push(merge);
    return merge;
  }

  async #moveOn(merge: Merge): Promise<void> {
    const page = merge.nextPage();
    const made = await this.#make(page);
    this.#put(page.run, made);
    merge.pageMade(made);
    if (merge.isDone) this.#finish(merge);
    await this.#parts.queue.committed;
    if (merge.isDone) this.#merges = this.#merges.filter(one => one !== merge);
  }

  #finish(merge: Merge): void {
    const { output } = merge;
    this.#unmark(merge.dead);
    const isEmpty = output.postings === 0;
    const old = [...merge.inputs.map(({ description }) => description.id), ...(isEmpty ? [output.id] : [])];
    const { runs, garbage } = this.#manifest;
    const place = runs.findIndex(run => merge.has(run));
    const left = runs.filter(run => !merge.has(run));
    this.#changeManifest(
      {
        runs: isEmpty ? left : left.toSpliced(place, 0, output),
        garbage: [...garbage.filter(id => id !== output.id), ...old],
      },
      () => {
        for (const id of old) this.#garbage.add(id);
        for (const number of merge.dead) this.#leaving.delete(number);
      },
    );
  }

  /** In the transaction that lets go of their postings. */
  #unmark(dead: Iterable<number>): void {
    const { tables, queue } = this.#parts;
    for (const number of dead) {
      this.#leaving.add(number);
      queue.remove(tables.tombstones, number);
    }
  }

  #describe(from: number, to: number, postings: number): RunDescription {
    return describeRun(this.#nextRun++, from, to, postings, this.#parts.limits.blockPostings);
  }

  async #make(pages: PagesToMake): Promise<MadePages> {
    const made = this.#isClosing ? makePages(pages) : await this.#thread.ask('makePages', pages, memoryOf(pages));
    if (made.damaged) this.#parts.onDamage(made.damaged);
    return made;
  }

  #put({ id }: RunDescription, { parts }: MadePages): void {
    const { tables, queue } = this.#parts;
    for (const { table, part, bytes } of parts) queue.put(tables[table], pairKey(id, part), bytes);
  }

  /** It is read by only when it is committed. */
  #changeManifest(change: Partial<Manifest>, after: () => void = () => {}): void {
    const { tables, queue } = this.#parts;
    const manifest = { ...this.#manifest, ...change, nextRun: this.#nextRun };
    this.#manifest = manifest;
    queue.put(tables.meta, 'runs', sealMeta('runs', manifest));
    const use = () => {
      this.#useRuns(manifest.runs);
      after();
    };
    void queue.committed.then(use, () => {});
  }

  #useRuns(descriptions: readonly RunDescription[]): void {
    const { tables, onDamage } = this.#parts;
    const known = new Map(this.#runs.map(run => [run.description.id, run]));
    this.#runs = descriptions.map(
      description => known.get(description.id) ?? new Run(description, tables, this.#pages, onDamage),
    );
    const ids = new Set(descriptions.map(({ id }) => id));
    for (const id of known.keys()) if (!ids.has(id)) this.#pages.drop(id);
  }

  #hasDead(): boolean {
    return this.#parts.tables.tombstones.getKeysCount({ limit: 1 }) > 0;
  }

  /** False when there is nothing to delete. */
  #clean(): boolean {
    const { tables, queue } = this.#parts;
    const cleaned = this.#garbage.clean(tables, queue);
    if (cleaned?.isGone) this.#changeManifest({ garbage: this.#manifest.garbage.filter(one => one !== cleaned.id) });
    return cleaned !== undefined;
  }
}

function countOf(runs: readonly RunDescription[]): number {
  return runs.reduce((sum, { postings }) => sum + postings, 0);
}

function memoryOf({ from }: PagesToMake): ArrayBuffer[] {
  return movable('high' in from ? [from.high, from.low, from.number] : from.map(({ bytes }) => bytes));
}
