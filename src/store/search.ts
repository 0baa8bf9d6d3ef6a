/** A text, a set or the id of a stored document → the stored documents like it, best first. */
import { setImmediate } from 'node:timers/promises';
import { joinKeys } from '../engine/key-arrays.ts';
import { fail } from '../errors.ts';
import type { Document, Measure, SearchResult } from '../model.ts';
import { type NameOf, options, parseInteger } from '../options.ts';
import type { Deciding } from './batch.ts';
import { allowedOf, chooseCandidates, type ListOf } from './candidates.ts';
import type { Store } from './contract.ts';
import type { IndexOptions } from './index-options.ts';
import { outerProbe } from './prefix-keys.ts';
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
  const by = measure === 'containment' ? 'containment' : 'resemblance';
  const likenesses: Likeness[] = [];
  const see = (entry: Entry | undefined, isCandidate?: (entry: Entry) => boolean) => {
    if (!entry?.isStored || entry.number === itself?.number) return;
    const likeness = isEqual(prepared, entry)
      ? { entry, resemblance: 1, containment: 1 }
      : compare(prepared, entry, threshold, measure);
    if (likeness && likeness[by] >= threshold && (isCandidate?.(entry) ?? true)) likenesses.push(likeness);
  };
  // What is too unlike for the index may be like enough for a lower threshold; equal texts without words are alike, too.
  const sameContent = listOf(CONTENT_KEY);
  const isLikely = (number: number) =>
    threshold < deciding.options.threshold || sameContent.includes(number) || !isUnlike(prepared, number);
  for (const entry of await readEntries([...likely].filter(isLikely), { keys: [keys] })) see(entry);
  for await (const entry of crowdOf(store, deciding, prepared, threshold))
    if (entry && !likely.has(entry.number)) see(entry, () => sharesKey(prepared, entry));
  return likenesses
    .sort((a, b) => b[by] - a[by] || b.resemblance - a.resemblance || a.entry.number - b.entry.number)
    .slice(0, limit)
    .map(({ entry, resemblance, containment }) => ({ id: entry.id, resemblance, containment }));
}

/** Entries that are found by their prefix. It is long enough for the threshold of the index; for a lower one all are read. */
async function* crowdOf(
  store: Store,
  { crowds, readEntries, options, isUnlike }: Deciding,
  prepared: Prepared,
  threshold: number,
): AsyncGenerator<Entry | undefined> {
  const probe = crowds.areThere ? crowds.probe(prepared.set()) : undefined;
  if (!probe) return;
  if (threshold < options.threshold) {
    yield* allCrowded(store);
    return;
  }
  const outer = outerProbe(probe, options.threshold, () => true);
  const keys = joinKeys([probe.keys, outer.keys]);
  const numbers = new Set((await store.find(keys)).flat());
  const likely = [...numbers].filter(number => !isUnlike(prepared, number));
  yield* await readEntries(likely, { keys: [keys] });
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
