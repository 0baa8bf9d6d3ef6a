/** A text, a set or the id of a stored document → the stored documents like it, best first. */
import { setImmediate } from 'node:timers/promises';
import { joinKeys } from '../engine/analyse/key-arrays.ts';
import { fail } from '../errors.ts';
import type { GivenDocument, Measure, SearchResult } from '../model.ts';
import { type NameOf, options, parseInteger } from '../options.ts';
import type { Deciding } from './batch.ts';
import { allowedOf, chooseCandidates, type ListOf } from './candidates.ts';
import type { Numbers, Store } from './contract.ts';
import { crowdBands } from './crowds/containing-keys.ts';
import { type IsWanted, visitOuter } from './crowds/crowd-candidates.ts';
import { mostLike } from './crowds/crowd-sizes.ts';
import { outerKeys, rareKeys } from './crowds/prefix-keys.ts';
import type { IndexOptions } from './index-options.ts';
import { CONTENT_KEY, type Prepared } from './prepare.ts';
import type { Entry } from './record.ts';
import { isEqual, type Likeness } from './verdict.ts';

export type { SearchResult };

export interface SearchSettings {
  /** Results at most: 10 unless given. */
  readonly limit?: number;
  /** By default that of the index; below it, the recall that the index was made for is not reached. */
  readonly threshold?: number;
  readonly measure?: Measure;
}

export interface Searching {
  readonly limit: number;
  readonly threshold: number;
  readonly measure: Measure;
}

export function readSearchSettings(given: SearchSettings, made: IndexOptions, nameOf: NameOf): Searching {
  const { threshold = made.threshold, measure = made.measure, limit = 10 } = given;
  const searching = {
    limit: parseInteger(limit, nameOf('limit'), 1, 2 ** 32),
    threshold: options.threshold.parse(threshold, nameOf('threshold')),
    measure: options.measure.parse(measure, nameOf('measure')),
  };
  if (searching.measure === 'edit') {
    fail('BAD_COMBINATION', {
      what: `${nameOf('measure')} edit with an index`,
      why: 'an index has no edit distance; search by resemblance, or by containment in an index made for it',
    });
  }
  if (searching.measure !== 'resemblance' && searching.measure !== made.measure) {
    fail('BAD_COMBINATION', {
      what: `${nameOf('measure')} ${searching.measure} in an index made with ${nameOf('measure')} ${made.measure}`,
      why: 'it has no postings to find candidates by',
    });
  }
  return searching;
}

/** `itself` is left out: the stored document that was asked about. */
export async function searchStore(
  store: Store,
  deciding: Deciding,
  prepared: Prepared,
  itself: Entry | undefined,
  searching: Searching,
): Promise<SearchResult[]> {
  const { compare, readEntries, crowds, sharesKey, unlikeTo, readySets } = deciding;
  const { limit, threshold, measure } = searching;
  const keys = prepared.keys.subarray(CONTENT_KEY);
  const [commons = [], ...found] = await store.find(joinKeys([crowds.key, keys]));
  await crowds.catchUp(commons, readEntries);
  const listOf: ListOf = place => found[place - CONTENT_KEY]!;
  const { byKeys, byElements } = chooseCandidates(prepared, listOf, threshold);
  const likely = new Set([...listOf(CONTENT_KEY), ...byKeys, ...allowedOf(byElements)]);
  const best = new BestOf(limit, measure === 'containment' ? 'containment' : 'resemblance');
  const see = (entry: Entry | undefined, isCandidate?: (entry: Entry) => boolean) => {
    if (!entry?.isStored || entry.number === itself?.number) return;
    const likeness = isEqual(prepared, entry)
      ? { entry, resemblance: 1, containment: 1 }
      : compare(prepared, entry, threshold, measure);
    if (!likeness || likeness[best.by] < threshold) return;
    // Asking costs more than comparing.
    if (isCandidate && !(best.wants(likeness) && isCandidate(entry))) return;
    best.add(likeness);
  };
  // What is too unlike for the index may be like enough for a lower threshold; equal texts without words are alike, too.
  const sameContent = listOf(CONTENT_KEY);
  const isUnlike = unlikeTo(prepared);
  const isLikely = (number: number) =>
    threshold < deciding.options.threshold || sameContent.includes(number) || !isUnlike(number);
  const seeAll = async (entries: readonly (Entry | undefined)[], seeOne: (entry: Entry | undefined) => void) => {
    for (let from = 0; from < entries.length; from += SETS_AT_A_TIME) {
      const some = entries.slice(from, from + SETS_AT_A_TIME);
      await readySets(some.filter(entry => entry && !isEqual(prepared, entry)));
      some.forEach(seeOne);
    }
  };
  await seeAll(await readEntries([...likely].filter(isLikely), { keys: [keys] }), entry => see(entry));
  const seeOfCrowd = (entry: Entry | undefined) => {
    if (!entry || likely.has(entry.number)) return;
    likely.add(entry.number);
    see(entry, () => sharesKey(prepared, entry));
  };
  await eachOfCrowd(store, deciding, prepared, threshold, best, seeOfCrowd);
  return best.likenesses.map(({ entry, resemblance, containment }) => ({ id: entry.id, resemblance, containment }));
}

/** The most alike of those added, best first; of equals the ones that were stored first. */
class BestOf {
  readonly by: 'resemblance' | 'containment';
  readonly #limit: number;
  #added: Likeness[] = [];
  #last: Likeness | undefined;

  constructor(limit: number, by: 'resemblance' | 'containment') {
    this.#limit = limit;
    this.by = by;
  }

  add(likeness: Likeness): void {
    if (this.#added.push(likeness) >= this.#limit + SORTED_AT_A_TIME) this.#sort();
  }

  /** Whether one that is no more alike than this may be among the best. */
  readonly isWanted: IsWanted = (most, number) => {
    if (!this.#last && this.#added.length >= this.#limit) this.#sort();
    if (!this.#last || most > this.#last[this.by]) return true;
    if (most < this.#last[this.by]) return false;
    // Of those that contain as much the one that is more alike comes first.
    return this.by === 'containment' || number < this.#last.entry.number;
  };

  /** Whether it would be among the best. */
  wants(likeness: Likeness): boolean {
    if (!this.#last && this.#added.length >= this.#limit) this.#sort();
    return !this.#last || this.#compare(likeness, this.#last) < 0;
  }

  get likenesses(): readonly Likeness[] {
    this.#sort();
    return this.#added;
  }

  #sort(): void {
    this.#added.sort((a, b) => this.#compare(a, b));
    this.#added = this.#added.slice(0, this.#limit);
    this.#last = this.#added[this.#limit - 1];
  }

  #compare(a: Likeness, b: Likeness): number {
    return b[this.by] - a[this.by] || b.resemblance - a.resemblance || a.entry.number - b.entry.number;
  }
}

const SORTED_AT_A_TIME = 64;
/** Large ones fill the memory for sets. */
const SETS_AT_A_TIME = 8;

type See = (entry: Entry | undefined) => void;

/** Entries that are found by their prefix. It is long enough for the threshold of the index. */
async function eachOfCrowd(
  store: Store,
  deciding: Deciding,
  prepared: Prepared,
  threshold: number,
  best: BestOf,
  see: See,
): Promise<void> {
  const { crowds, readEntries, options, unlikeTo } = deciding;
  const probe = crowds.areThere ? crowds.probe(prepared) : undefined;
  if (!probe) return;
  if (threshold < options.threshold) {
    if (crowds.isForContainment) await eachByBands(store, deciding, prepared.bands, see);
    else await eachBelow(store, deciding, prepared.set(), threshold, best, see);
    return;
  }
  const { isWanted } = best;
  const isUnlike = unlikeTo(prepared);
  const read = async (numbers: Numbers, keys: BigUint64Array) => {
    const likely = numbers.filter(number => !isUnlike(number));
    for (const entry of await readEntries(likely, { keys: [keys] })) see(entry);
  };
  await read([...new Set((await store.find(probe.keys)).flat())], probe.keys);
  const find: Store['find'] = keys => store.find(keys);
  await visitOuter(outerKeys(probe, options.threshold), find, isWanted, (numbers, most, key) =>
    read(
      numbers.filter(number => isWanted(most, number)),
      key,
    ),
  );
}

/** Entries read at a time. */
const PORTION = 64;

/** In an index for containment, for a lower threshold: all that share a band key. */
async function eachByBands(store: Store, { readEntries }: Deciding, bands: BigUint64Array, see: See): Promise<void> {
  const keys = crowdBands(bands);
  const numbers = [...new Set((await store.find(keys)).flat())];
  for (let from = 0; from < numbers.length; from += PORTION) {
    for (const entry of await readEntries(numbers.slice(from, from + PORTION), { keys: [keys] })) see(entry);
    await setImmediate();
  }
}

/** For a lower threshold: those that share a rare element they are stored under, then the others as long as they may be like enough. */
async function eachBelow(
  store: Store,
  { crowds, crowdSizes, readEntries, options }: Deciding,
  set: BigUint64Array,
  threshold: number,
  { isWanted }: BestOf,
  see: See,
): Promise<void> {
  const read = async (numbers: Numbers, keys: BigUint64Array[], isStillWanted: (number: number) => boolean) => {
    for (let from = 0; from < numbers.length && isStillWanted(numbers[from]!); from += PORTION) {
      for (const entry of await readEntries(numbers.slice(from, from + PORTION), { keys })) see(entry);
      await setImmediate();
    }
  };
  const keys = rareKeys(set);
  await read([...new Set((await store.find(keys)).flat())], [keys], () => true);
  const common = crowds.commonIn(set);
  const classes = (await crowdSizes.classes())
    .map(one => ({ numbers: one.numbers, most: mostLike(one, set.length, common, options.threshold) }))
    .filter(({ most }) => most >= threshold)
    .sort((a, b) => b.most - a.most);
  for (const { numbers, most } of classes) await read(numbers, [], number => isWanted(most, number));
}

/** A stored document is named by its id alone. */
export type SearchQuery = Pick<GivenDocument, 'text' | 'set'> & { readonly id?: string | number | undefined };
