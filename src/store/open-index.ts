/** A location (a folder, `memory:`, `redis://…`) and options → an index, made if there is none. */
import { fail } from '../errors.ts';
import { type NameOf, parseInteger, plainName, requireNames } from '../options.ts';
import { requirePolicy, type StorePolicy } from './batch.ts';
import type { Store, StoreSetup } from './contract.ts';
import type { CrowdLimits } from './crowds/crowds.ts';
import {
  type GivenIndexOptions,
  type IndexOptions,
  indexOptionNames,
  matchIndexOptions,
  type ReadIndexOptions,
  readIndexOptions,
  type WrittenIndexOptions,
} from './index-options.ts';
import { NearIndex } from './near-index.ts';
import { prepareHere, prepareOnThreads } from './prepare-stage.ts';
import { Entry } from './record.ts';
import { ThreadPool } from './threads/pool.ts';
import { perform, type Tasks } from './threads/tasks.ts';
import { createToolsOf, type Tools } from './threads/tools.ts';

export interface OpenSettings {
  /** Which documents are stored with their text: `new` ones (the default), `all`, or `none`. */
  readonly store?: StorePolicy;
  /** Any number of processes may read an index while one writes it. */
  readonly readOnly?: boolean;
  /** Threads that work on documents past 128 KB, so that the others do not wait for them. None (0) unless given. */
  readonly threads?: number;
}

export type GivenOpenOptions = GivenIndexOptions & OpenSettings;

/** What a kind of location can do before its store is opened. */
export interface IndexLocation {
  /** What errors name, where it is not the location as it was given. */
  readonly name?: string;
  /** What the index there was made with; undefined when there is none. */
  readMade(): Promise<WrittenIndexOptions | undefined>;
  /** `make` is what to write when there is no index yet. */
  open(setup: StoreSetup, make: WrittenIndexOptions | undefined): Promise<Store>;
  /** When it is not opened after all. */
  abandon(): Promise<void>;
}

/** `:memory:`, as SQLite has it, would become a folder. A folder of that name is `./:memory:`. */
const MISSPELT_MEMORY = /^(:?memory:.*|:memory)$/i;

/**
 * A folder, `memory:` or `redis://host:port` → the index there, made if there is none. Close it when you are done.
 *
 * @example
 * ```ts
 * const index = await openIndex('memory:', { threshold: 0.8 });
 * await index.add({ id: 'a', text: 'one two three four five' });
 * (await index.add({ id: 'b', text: 'one two three four five' })).status; // → 'exact'
 * await index.close();
 * ```
 */
export async function openIndex(
  location: string,
  given: GivenOpenOptions = {},
  nameOf: NameOf = plainName,
  nameOfSetting: NameOf = nameOf,
): Promise<NearIndex> {
  if (typeof location !== 'string' || location === '' || (MISSPELT_MEMORY.test(location) && location !== 'memory:'))
    fail('BAD_OPTION', {
      option: nameOf === plainName ? 'location' : 'the index',
      expected: "a folder, 'memory:' or 'redis://host:port'",
      got: location,
    });
  return openIndexIn(await locationAt(location, given.readOnly ?? false), location, given, nameOf, nameOfSetting);
}

/** The same at a location that is known already; `written` is how its user writes it. */
export async function openIndexIn(
  location: IndexLocation,
  written: string,
  given: GivenOpenOptions = {},
  nameOf: NameOf = plainName,
  nameOfSetting: NameOf = nameOf,
  crowdLimits?: CrowdLimits,
): Promise<NearIndex> {
  const { store: policy = 'new', readOnly = false, threads = 0, ...options } = given;
  const name = location.name ?? written;
  requirePolicy(policy, nameOf('store'));
  parseInteger(threads, nameOf('threads'), 0, 64);
  try {
    const { made, read } = await optionsAt(location, name, options, readOnly, nameOf);
    const tools = await createToolsOf(read.options);
    const { preparer } = tools;
    const setup = {
      keysOf: (number: number, bytes: Uint8Array) => preparer.keysOf(Entry.checked(number, bytes)),
    };
    const store = await location.open(setup, made ? undefined : read.written);
    const stage =
      threads === 0 ? prepareHere(tools) : prepareOnThreads(tools, startThreads(read.options, tools, threads));
    return new NearIndex({
      name,
      store,
      preparer,
      stage,
      ...read,
      policy,
      readOnly,
      nameOf: nameOfSetting,
      crowdLimits,
    });
  } catch (error) {
    await location.abandon();
    throw error;
  }
}

function startThreads(options: IndexOptions, tools: Tools, size: number): ThreadPool<Tasks> {
  const pool = new ThreadPool<Tasks>({
    program: 'store/threads/worker.js',
    workerData: options,
    size,
    perform: (name, input) => perform(tools, name, input),
  });
  pool.start();
  return pool;
}

/** Wrong options are found before anything is made. */
async function optionsAt(
  location: IndexLocation,
  name: string,
  given: GivenIndexOptions,
  readOnly: boolean,
  nameOf: NameOf,
): Promise<{ made: boolean; read: ReadIndexOptions }> {
  requireNames(given, openNames);
  const made = await location.readMade();
  if (made) return { made: true, read: { options: matchIndexOptions(made, given, name, nameOf), written: made } };
  if (readOnly) fail('NO_INDEX', { index: name });
  return { made: false, read: readIndexOptions(given, nameOf) };
}

export async function locationAt(location: string, readOnly: boolean): Promise<IndexLocation> {
  if (location === 'memory:') {
    const { createMemoryStore } = await import('./memory/memory-store.ts');
    return { readMade: async () => undefined, open: async () => createMemoryStore(), abandon: async () => {} };
  }
  if (isOnRedis(location)) {
    const { redisLocation } = await import('./redis/redis-location.ts');
    return redisLocation(location);
  }
  const { lmdbLocation } = await import('./lmdb/lmdb-location.ts');
  return lmdbLocation(location, readOnly);
}

const openNames: readonly string[] = [...indexOptionNames, 'normalize', 'store', 'readOnly', 'threads'];

export function isOnRedis(location: string): boolean {
  return /^rediss?:\/\//.test(location);
}
