/** Places for an index, made anew for each test and cleaned up after it. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { plainName } from '../../src/options.ts';
import type { Store, StoreSetup } from '../../src/store/contract.ts';
import { type CrowdLimits, defaultCrowdLimits } from '../../src/store/crowds/crowds.ts';
import { lmdbLocation } from '../../src/store/lmdb/lmdb-location.ts';
import type { PostingLimits } from '../../src/store/lmdb/postings/postings.ts';
import type { NearIndex } from '../../src/store/near-index.ts';
import { type GivenOpenOptions, type IndexLocation, locationAt, openIndexIn } from '../../src/store/open-index.ts';
import { redisLocation } from '../../src/store/redis/redis-location.ts';
import type { RedisLimits } from '../../src/store/redis/redis-store.ts';
import { temporaryFolder } from './folder.ts';
import { type RedisServers, redisServer } from './redis.ts';

/** What needs no server. `LMDB in small runs` writes, merges and drops runs all the time, which takes a hundred thousand documents otherwise. */
export const places = {
  memory: () => 'memory:',
  LMDB: () => join(temporaryFolder(), 'index'),
  'LMDB in small runs': () => `small:${join(temporaryFolder(), 'index')}`,
} as const;

/** With servers that were started for the tests, if they can be. */
export function placesWith(redis: RedisServers): Readonly<Record<string, () => string>> {
  return redisServer ? { ...places, Redis: redis.single, 'Redis Cluster': redis.cluster } : places;
}

export const smallRuns: PostingLimits = { tailEntries: 3, tailPostings: 1000, tailOnClose: 2, blockPostings: 20 };

/** Who is killed holds up the others for as long as this. */
export const shortLease: RedisLimits = { lease: 2_000, renewal: 400 };

export async function openAt(
  location: string,
  given: GivenOpenOptions = {},
  crowdLimits?: CrowdLimits,
): Promise<NearIndex> {
  const place = await placeOf(location, given.readOnly);
  return openIndexIn(place, location.replace(/^small:/, ''), given, plainName, plainName, crowdLimits);
}

/** Crowds of a few documents, which take hundreds otherwise. */
export const smallCrowds = (crowdedFrom: number, commonFrom = 2): CrowdLimits => ({
  ...defaultCrowdLimits,
  crowdedFrom,
  sampled: 4,
  commonFrom,
});

/** Every document is stored under its band keys, however many share them. */
export const noCrowds = smallCrowds(Number.POSITIVE_INFINITY);

/** The store alone, made if it is missing. */
export async function openStoreAt(location: string, setup: StoreSetup, readOnly = false): Promise<Store> {
  const place = await placeOf(location, readOnly);
  return place.open(setup, (await place.readMade()) ? undefined : { options: {} });
}

async function placeOf(location: string, readOnly = false): Promise<IndexLocation> {
  if (!location.startsWith('small:')) return locationAt(location, readOnly);
  const rest = location.slice('small:'.length);
  return rest.startsWith('redis:') ? redisLocation(rest, shortLease) : lmdbLocation(rest, readOnly, smallRuns);
}

/** Closed when the test ends, if it was not before. */
export async function indexAt(location: string, given: GivenOpenOptions = {}): Promise<NearIndex> {
  const index = await openAt(location, given);
  onTestFinished(() => index.close());
  return index;
}

export async function damagesIn(index: NearIndex): Promise<string[]> {
  const damages: string[] = [];
  for await (const { id, number, what } of index.verify()) damages.push(`${id ?? number ?? 'index'}: ${what}`);
  return damages;
}
