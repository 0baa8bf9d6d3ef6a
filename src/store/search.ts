/** A text, a set or the id of a stored document → the stored documents like it, best first. */
import { setImmediate } from 'node:timers/promises';
import { joinKeys } from '../engine/key-arrays.ts';
import { fail } from '../errors.ts';
import type { Document, Measure, SearchResult } from '../model.ts';
import { type NameOf, options, parseInteger } from '../options.ts';
import type { Deciding } from './batch.ts';
import { allowedOf, chooseCandidates, type ListOf } from './candidates.ts';
import type { Numbers, Store } from './contract.ts';
import { type IsWanted, visitOuter } from './crowd-candidates.ts';
import type { IndexOptions } from './index-options.ts';
import { outerKeys } from './prefix-keys.ts';
import { CONTENT_KEY, type Prepared } from './prepare.ts';
import { Entry, isCrowded } from './record.ts';
import { isEqual, type Likeness } from './verdict.ts';

export type { SearchResult };

export interface SearchSettings {
  /** Results at most: 10 unless given. */
  readonly limit?: number;
  /** By default that of the index; below it, the recall that the index was made for is not reached. */
  readonly threshold?: number;
  readonly measure?: Measure;
}

interface Searching {
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
  const { compare, readEntries, crowds, sharesKey, isUnlike } = deciding;
  const { limit, threshold, measure } = searching;
  const keys = prepared.keys.subarray(CONTENT_KEY);
  const [commons = [], ...found] = await store.find(joinKeys([crowds.key, keys]));
  if (crowds.key.length === 0) found.unshift(commons);
  else await crowds.catchUp(commons, readEntries);
  const listOf: ListOf = place => found[place - CONTENT_KEY]!;
  const { byKeys, byElements } = chooseCandidates(prepared, listOf, threshold);
  const likely = new Set([...listOf(CONTENT_KEY), ...byKeys, ...allowedOf(byElements)]);
  const best = new BestOf(limit, measure === 'containment' ? 'containment' : 'resemblance');
  const see = (entry: Entry | undefined, isCandidate?: (entry: Entry) => boolean) => {
    if (!entry?.isStored || entry.number === itself?.number) return;
    const likeness = isEqual(prepared, entry)
      ? { entry, resemblance: 1, containment: 1 }
      : compare(prepared, entry, threshold, measure);
    if (likeness && likeness[best.by] >= threshold && (isCandidate?.(entry) ?? true)) best.add(likeness);
  };
  // What is too unlike for the index may be like enough for a lower threshold; equal texts without words are alike, too.
  const sameContent = listOf(CONTENT_KEY);
  const isLikely = (number: number) =>
    threshold < deciding.options.threshold || sameContent.includes(number) || !isUnlike(prepared, number);
  for (const entry of await readEntries([...likely].filter(isLikely), { keys: [keys] })) see(entry);
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
    return most === this.#last[this.by] && number < this.#last.entry.number;
  };

  get likenesses(): readonly Likeness[] {
    this.#sort();
    return this.#added;
  }

  #sort(): void {
    const { by } = this;
    this.#added.sort((a, b) => b[by] - a[by] || b.resemblance - a.resemblance || a.entry.number - b.entry.number);
    this.#added = this.#added.slice(0, this.#limit);
    this.#last = this.#added[this.#limit - 1];
  }
}

const SORTED_AT_A_TIME = 64;

/** Entries that are found by their prefix. It is long enough for the threshold of the index; for a lower one all are read. */
async function eachOfCrowd(
  store: Store,
  { crowds, readEntries, options, isUnlike }: Deciding,
  prepared: Prepared,
  threshold: number,
  { isWanted }: BestOf,
  see: (entry: Entry | undefined) => void,
): Promise<void> {
  const probe = crowds.areThere ? crowds.probe(prepared.set()) : undefined;
  if (!probe) return;
  if (threshold < options.threshold) {
    for await (const entry of allCrowded(store)) see(entry);
    return;
  }
  const read = async (numbers: Numbers, keys: BigUint64Array) => {
    const likely = numbers.filter(number => !isUnlike(prepared, number));
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

/** Others have their turn after so many. */
const READ_IN_A_TURN = 256;

async function* allCrowded(store: Store): AsyncGenerator<Entry> {
  let read = 0;
  for await (const { number, bytes } of store.entries()) {
    if (++read % READ_IN_A_TURN === 0) await setImmediate();
    if (isCrowded(bytes)) yield new Entry(number, bytes);
  }
}

/** A stored document is named by its id alone. */
export type SearchQuery = Pick<Document, 'text' | 'set'> & { readonly id?: string | number };
