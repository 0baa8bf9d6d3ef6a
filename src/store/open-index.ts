/** A place (a folder, `memory:`, `redis://…`) and options → an index, made if there is none. */
import { createSketcher } from '../engine/sketcher.ts';
import { fail } from '../errors.ts';
import { type NameOf, plainName, requireNames } from '../options.ts';
import { requirePolicy, type StorePolicy } from './batch.ts';
import type { Store, StoreSetup } from './contract.ts';
import type { CrowdLimits } from './crowds.ts';
import {
  type GivenIndexOptions,
  indexOptionNames,
  matchIndexOptions,
  type ReadIndexOptions,
  readIndexOptions,
  type WrittenIndexOptions,
} from './index-options.ts';
import { NearIndex } from './near-index.ts';
import { createPreparer, type Preparer } from './prepare.ts';
import { Entry } from './record.ts';

export interface OpenSettings {
  /** Which documents are stored with their text: `new` ones (the default), `all`, or `none`. */
  readonly store?: StorePolicy;
  /** Any number of processes may read an index while one writes it. */
  readonly readOnly?: boolean;
}

export type GivenOpenOptions = GivenIndexOptions & OpenSettings;

/** What a kind of place can do before its store is opened. */
export interface Place {
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

export async function openIndex(
  location: string,
  given: GivenOpenOptions = {},
  nameOf: NameOf = plainName,
): Promise<NearIndex> {
  if (typeof location !== 'string' || location === '' || (MISSPELT_MEMORY.test(location) && location !== 'memory:'))
    fail('BAD_OPTION', {
      option: nameOf === plainName ? 'location' : 'the index',
      expected: "a folder, 'memory:' or 'redis://host:port'",
      got: location,
    });
  return openIndexIn(await placeAt(location, given.readOnly ?? false), location, given, nameOf);
}

/** The same in a place that is known already; `location` is what errors name. */
export async function openIndexIn(
  place: Place,
  location: string,
  given: GivenOpenOptions = {},
  nameOf: NameOf = plainName,
  crowdLimits?: CrowdLimits,
): Promise<NearIndex> {
  const { store: policy = 'new', readOnly = false, ...options } = given;
  const name = place.name ?? location;
  requirePolicy(policy, nameOf('store'));
  try {
    const { made, read } = await optionsAt(place, name, options, readOnly, nameOf);
    const preparer = await preparerOf(read.options);
    const setup = {
      keysOf: (number: number, bytes: Uint8Array) => preparer.keysOf(new Entry(number, bytes)),
    };
    const store = await place.open(setup, made ? undefined : read.written);
    return new NearIndex({ name, store, preparer, ...read, policy, readOnly, nameOf, crowdLimits });
  } catch (error) {
    await place.abandon();
    throw error;
  }
}

/** Wrong options are found before anything is made. */
async function optionsAt(
  place: Place,
  location: string,
  given: GivenIndexOptions,
  readOnly: boolean,
  nameOf: NameOf,
): Promise<{ made: boolean; read: ReadIndexOptions }> {
  requireNames(given, openNames);
  const made = await place.readMade();
  if (made) return { made: true, read: { options: matchIndexOptions(made, given, location, nameOf), written: made } };
  if (readOnly) fail('NO_INDEX', { index: location });
  return { made: false, read: readIndexOptions(given, nameOf) };
}

async function preparerOf(options: ReadIndexOptions['options']): Promise<Preparer> {
  const { shingle, sketch, normalise, seed } = options;
  const sketcher = await createSketcher({
    shingle: `${shingle.unit}:${shingle.size}`,
    sketch: sketch.kind === 'mod' && sketch.size === 0 ? 'mod:auto' : `${sketch.kind}:${sketch.size}`,
    normalise,
    seed,
  });
  return createPreparer(sketcher, options);
}

export async function placeAt(location: string, readOnly: boolean): Promise<Place> {
  if (location === 'memory:') {
    const { createMemoryStore } = await import('./memory/memory-store.ts');
    return { readMade: async () => undefined, open: async () => createMemoryStore(), abandon: async () => {} };
  }
  if (isOnRedis(location)) {
    const { redisPlace } = await import('./redis/redis-place.ts');
    return redisPlace(location);
  }
  const { lmdbPlace } = await import('./lmdb/lmdb-place.ts');
  return lmdbPlace(location, readOnly);
}

const openNames: readonly string[] = [...indexOptionNames, 'normalize', 'store', 'readOnly'];

export function isOnRedis(location: string): boolean {
  return /^rediss?:\/\//.test(location);
}
