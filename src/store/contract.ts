/**
 * What a store does for the index: entries by number, found by 64-bit keys, changed in transactions.
 *
 * An entry is opaque bytes. Numbers only ever grow, so that of two entries the one added first has the smaller one. Three
 * keep this contract (memory, LMDB, Redis), and one suite runs over them all.
 */
import type { LineLog } from '../decisions/line-log.ts';

export interface Addition {
  readonly number: number;
  /** What it is to be found by; see keys.ts. */
  readonly keys: BigUint64Array;
  readonly bytes: Uint8Array;
  /** The entry it is a duplicate of. */
  readonly of?: number | undefined;
}

export interface Removal {
  readonly number: number;
  readonly of?: number | undefined;
}

/** New bytes under an old number; its keys stay. */
export interface Rewrite {
  readonly number: number;
  readonly bytes: Uint8Array;
  /** What it was a duplicate of, and is no longer. */
  readonly noLongerOf?: number | undefined;
}

/** What the index knows of itself besides its entries. Counts are of ids. */
export interface State {
  /** The number of the next entry. */
  readonly next: number;
  /** Entries that hold a document; the others hold a verdict only. */
  readonly documents: number;
  readonly new: number;
  readonly exact: number;
  readonly near: number;
  readonly contained: number;
  /** Entries that are of no id, but name common elements (see crowds.ts). Indexes of older versions do not say. */
  readonly commons: number;
}

export const emptyState: State = { next: 0, documents: 0, new: 0, exact: 0, near: 0, contained: 0, commons: 0 };

/** Entries there should be. */
export function entriesIn({ new: fresh, exact, near, contained, commons = 0 }: State): number {
  return fresh + exact + near + contained + commons;
}

/** All of it, or nothing. */
export interface Change {
  readonly additions: readonly Addition[];
  readonly removals: readonly Removal[];
  readonly rewrites: readonly Rewrite[];
  readonly state: State;
}

/** Ascending. */
export type Numbers = readonly number[];

export interface Group {
  readonly of: number;
  readonly members: Numbers;
}

/** Something that is not as it was written. */
export interface Damage {
  /** The entry it was found in, if it is in one. */
  readonly number?: number;
  /** The document, where its id could still be read. */
  readonly id?: string;
  readonly what: string;
}

export interface Applied {
  /** Settles when the change will survive whatever happens to the process or the machine. */
  readonly durable: Promise<void>;
}

export interface Store {
  /** One at a time, over all processes that may write; `state` is the newest. */
  exclusively<Result>(work: (state: State) => Promise<Result>): Promise<Result>;
  state(): Promise<State>;
  /** For each key the entries that have it. Some of them may be removed by now: reading tells. */
  find(keys: BigUint64Array): Promise<readonly Numbers[]>;
  /** Undefined for entries that are not there. */
  read(numbers: Numbers): Promise<readonly (Uint8Array | undefined)[]>;
  /** Of entries that these keys found and `read` did not have, those that nobody removed: they are lost. */
  lost(numbers: Numbers, keys: BigUint64Array): Promise<Numbers>;
  /** Seen by `find` and `read` once this resolves. Only inside `exclusively`. */
  apply(change: Change): Promise<Applied>;
  /** The entries that are duplicates of this one. */
  membersOf(number: number): Promise<Numbers>;
  /** Entries that others are duplicates of, in order of their numbers, from the given one on. */
  groups(from: number, limit: number): Promise<readonly Group[]>;
  /** Every entry, in order of numbers, from the given one on. */
  entries(from?: number): AsyncIterable<{ readonly number: number; readonly bytes: Uint8Array }>;
  /** What people decided about documents (see src/decisions). */
  readonly decisions: LineLog;
  /** What the store itself keeps beside the entries: postings, filters, lists. */
  check(): AsyncIterable<Damage>;
  /** Bytes it takes, where it takes them: on disk, or in memory. */
  size(): Promise<number>;
  backup(path: string): Promise<void>;
  /** Gives up what removed entries still hold. */
  compact(): Promise<void>;
  close(): Promise<void>;
}

/** What a store must be told to open: how entries are found again when postings are rebuilt from them. */
export interface StoreSetup {
  keysOf(number: number, bytes: Uint8Array): BigUint64Array;
}
