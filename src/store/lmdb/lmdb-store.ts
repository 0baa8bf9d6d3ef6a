/**
 * The contract on LMDB, in one folder: one process writes, any number read.
 *
 * Entries are appended to a table; nothing else is needed to know what the index holds. What finds them again, postings,
 * is derived (postings.ts). Opening reads the entries after the last run, so it takes as long for a large index as for a
 * small one.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileLog, type LineLog } from '../../decisions/line-log.ts';
import { halvesOf } from '../../engine/analyse/key-arrays.ts';
import { fail, type NeardupError } from '../../errors.ts';
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
import { tellDamage } from '../damages.ts';
import { keyKinds, limitOf } from '../keys.ts';
import { createMutex } from '../mutex.ts';
import { type Version, versionFor } from '../versions.ts';
import { copyIndex } from './backup.ts';
import { checkTables, requireSoundTables } from './check.ts';
import { CommitQueue } from './commit-queue.ts';
import { DamagedMeta, type Made, type MetaName, readMeta, sealMeta } from './meta.ts';
import { emptyManifest, type Manifest } from './postings/manifest.ts';
import { type PostingLimits, Postings } from './postings/postings.ts';
import { pairKey, type Tables } from './tables.ts';
import { askWriterToCompact, type WriterLock } from './writer-lock.ts';

const ONE = Buffer.from([1]);
/** Beside the data: people read it, and other programs may. */
const DECISIONS = 'decisions.jsonl';

export interface LmdbParts {
  readonly name: string;
  readonly folder: string;
  readonly tables: Tables;
  readonly setup: StoreSetup;
  /** Who only reads has none. */
  readonly lock: WriterLock | undefined;
  readonly limits: PostingLimits;
}

interface StoredState extends State {
  /** From this number on, each has an entry or a tombstone. Indexes of older versions do not say. */
  readonly markedFrom?: number;
}

interface Pending {
  readonly bytes: Uint8Array | undefined;
}

export class LmdbStore implements Store {
  readonly #parts: LmdbParts;
  readonly #tables: Tables;
  readonly #inOrder = createMutex();
  readonly #decisions: LineLog;
  readonly #postings: Postings;
  #state = emptyState;
  #markedFrom = 0;
  #version: Version = 1;
  /** Entries that are not committed yet. */
  readonly #pending = new Map<number, Pending>();
  readonly #queue: CommitQueue;
  /** Of a reader: the state it has caught up with. */
  #seen: Buffer | undefined;

  static async open(parts: LmdbParts): Promise<LmdbStore> {
    const store = new LmdbStore(parts);
    store.#catchUp();
    if (parts.lock) {
      store.#postings.takeOver();
      parts.lock.onCompact(() => store.compact());
    }
    return store;
  }

  private constructor(parts: LmdbParts) {
    this.#parts = parts;
    this.#tables = parts.tables;
    this.#decisions = fileLog(join(parts.folder, DECISIONS));
    const { tables, limits } = parts;
    this.#queue = new CommitQueue(tables.root, parts);
    this.#postings = new Postings({ tables, queue: this.#queue, limits, onDamage: what => this.#damaged(what) });
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
    const halves = halvesOf(keys);
    const lists = this.#postings.find(halves);
    if (this.#postings.damage) this.#requireKnownIds(halves, lists, this.#postings.damage);
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

  async lost(numbers: Numbers, keys: BigUint64Array): Promise<Numbers> {
    this.#refresh();
    const missing = numbers.filter(number => this.#read(number) === undefined && !this.#isRemoved(number));
    if (missing.length === 0) return missing;
    // A run that had their postings may have been merged since.
    const listed = new Set(this.#postings.find(halvesOf(keys)).flatMap(list => list ?? []));
    return missing.filter(number => listed.has(number));
  }

  async apply(change: Change): Promise<{ durable: Promise<void> }> {
    this.#requireSound();
    if (this.#postings.damage) this.#damaged(tellDamage(this.#postings.damage));
    await this.#postings.room();
    this.#raiseVersion(versionFor(change.state));
    const { entries, members, meta } = this.#tables;
    const queue = this.#queue;
    const pending: [number, Pending][] = [];
    for (const { number, bytes, of, keys } of change.additions) {
      queue.put(entries, number, bytes, 'new entry');
      pending.push([number, { bytes }]);
      if (of !== undefined) queue.put(members, pairKey(of, number), ONE);
      this.#postings.add(keys, number);
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
      this.#postings.remove(number);
    }
    this.#markSkipped(change);
    const stored: StoredState = { ...change.state, markedFrom: this.#markedFrom };
    queue.put(meta, 'state', sealMeta('state', stored));
    this.#state = change.state;
    this.#remember(pending);
    const { durable } = queue;
    this.#postings.keepHouse(change.state.next);
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
  async *entries(first = 0): AsyncGenerator<{ number: number; bytes: Uint8Array }> {
    await this.#settled();
    for (let from = first; ; ) {
      this.#tables.root.resetReadTxn();
      const portion = [...this.#tables.entries.getRange({ start: from, limit: 256 })];
      for (const { key: number, value: bytes } of portion) yield { number, bytes };
      if (portion.length < 256) return;
      from = portion.at(-1)!.key + 1;
    }
  }

  get decisions(): LineLog {
    return this.#decisions;
  }

  async *check(): AsyncGenerator<Damage> {
    await this.#settled();
    if (this.#postings.damage) yield this.#postings.damage;
    yield* checkTables(this.#tables);
  }

  async size(): Promise<number> {
    return statSync(join(this.#parts.folder, 'data.mdb')).size;
  }

  async backup(path: string): Promise<void> {
    await this.#settled();
    await copyIndex(this.#tables, this.#parts.name, path, [join(this.#parts.folder, DECISIONS)]);
  }

  /** All runs into one, without the postings of removed entries, while others go on. Who only reads asks who writes. */
  async compact(): Promise<void> {
    const { name, folder, lock } = this.#parts;
    if (!lock) return (await askWriterToCompact(folder, this.#tables)) ? undefined : fail('READ_ONLY', { index: name });
    await this.#settled();
    // What is merged would have new checksums, and look sound.
    await requireSoundTables(this.#tables, this.#parts.name);
    await this.#postings.compact(this.#state.next);
    await this.#queue.durable;
  }

  async close(): Promise<void> {
    const { lock } = this.#parts;
    if (lock) await this.#postings.close(this.#state.next);
    await this.#queue.close();
    await lock?.release();
    const closed = this.#tables.root.close();
    // After a failed transaction LMDB waits for ever for it to be flushed.
    if (!this.#queue.broken) await closed;
  }

  #read(number: number): Uint8Array | undefined {
    const pending = this.#pending.get(number);
    return pending ? pending.bytes : this.#tables.entries.getBinary(number);
  }

  /** An id that is found is right; anything else may be in the entry that could not be read. */
  #requireKnownIds(halves: Uint32Array, lists: readonly (Numbers | undefined)[], damage: Damage): void {
    for (let at = 0; at < lists.length; at++) {
      const isId = (halves[2 * at]! & 3) === keyKinds.id;
      if (!isId || !lists[at]?.some(number => this.#read(number) !== undefined)) this.#damaged(tellDamage(damage));
    }
  }

  #isRemoved(number: number): boolean {
    return this.#pending.has(number) || this.#postings.isRemoved(number);
  }

  /** Numbers of documents that were added and removed in one batch. */
  #markSkipped({ additions, state }: Change): void {
    if (additions.length === state.next - this.#state.next) return;
    const added = new Set(additions.map(({ number }) => number));
    for (let number = this.#state.next; number < state.next; number++)
      if (!added.has(number)) this.#postings.remove(number);
  }

  /** In the transaction that has what older code would not find. */
  #raiseVersion(version: Version): void {
    if (version <= this.#version) return;
    const made = this.#orDamage(() => readMeta<Made>(this.#tables, 'made'));
    // Stores are also opened without an index around them.
    if (made && made.version < version)
      this.#queue.put(this.#tables.meta, 'made', sealMeta('made', { ...made, version } satisfies Made));
    this.#version = version;
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
    const { place } = broken.error as Partial<NeardupError>;
    const reason = place?.reason ?? String(broken.error);
    fail('CANNOT_WRITE', { file: this.#parts.name, reason: `${reason}; open the index again` }, broken.error);
  }

  async #settled(): Promise<void> {
    this.#refresh();
    await this.#queue.committed.catch(() => {});
    this.#requireSound();
  }

  /** Runs and tail as the tables have them. */
  #catchUp(): void {
    this.#orDamage(() => {
      const manifest = readMeta<Manifest>(this.#tables, 'runs') ?? this.#none('runs', 'blocks', emptyManifest);
      const stored = readMeta<StoredState>(this.#tables, 'state') ?? this.#none('state', 'entries', newState);
      const { markedFrom = stored.next, ...state } = stored;
      const { next } = state;
      this.#postings.catchUp(manifest, { seen: this.#state.next, next, markedFrom }, this.#parts.setup.keysOf);
      this.#state = { ...emptyState, ...state, next: Math.max(next, manifest.flushedTo) };
      this.#markedFrom = markedFrom;
    });
  }

  #orDamage<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      if (error instanceof DamagedMeta) this.#damaged(error.message);
      throw error;
    }
  }

  /** A record that is written with the first of what is in a table. */
  #none<Value>(record: MetaName, table: 'entries' | 'blocks', value: Value): Value {
    if (this.#tables[table].getKeysCount({ limit: 1 }) > 0) throw new DamagedMeta(`its ${record} record is missing`);
    return value;
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

  #damaged(what: string): never {
    return fail('INDEX_DAMAGED', { index: this.#parts.name, what });
  }
}

const empty = Buffer.alloc(0);
const newState: StoredState = { ...emptyState, markedFrom: 0 };
const noNumbers: number[] = [];
