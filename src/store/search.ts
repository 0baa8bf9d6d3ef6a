/** A text, a set or the id of a stored document → the stored documents like it, best first. */
import { fail } from '../errors.ts';
import type { Document, Measure, SearchResult } from '../model.ts';
import { type NameOf, options, parseInteger } from '../options.ts';
import type { Deciding } from './batch.ts';
import { allowedOf, chooseCandidates, type ListOf } from './candidates.ts';
import type { Store } from './contract.ts';
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
  { compare, readEntries }: Pick<Deciding, 'compare' | 'readEntries'>,
  prepared: Prepared,
  itself: Entry | undefined,
  { limit, threshold, measure }: Searching,
): Promise<SearchResult[]> {
  const keys = prepared.keys.subarray(CONTENT_KEY);
  const found = await store.find(keys);
  const listOf: ListOf = place => found[place - CONTENT_KEY]!;
  const { byKeys, byElements } = chooseCandidates(prepared, listOf, threshold);
  const likely = new Set([...listOf(CONTENT_KEY), ...byKeys, ...allowedOf(byElements)]);
  const numbers = [...likely].filter(number => number !== itself?.number);
  const entries = await readEntries(numbers, { keys: [keys] });
  const likenesses = entries.flatMap((entry): readonly Likeness[] => {
    if (!entry?.isStored) return [];
    if (isEqual(prepared, entry)) return [{ entry, resemblance: 1, containment: 1 }];
    const likeness = compare(prepared, entry, threshold, measure);
    return likeness ? [likeness] : [];
  });
  const by = measure === 'containment' ? 'containment' : 'resemblance';
  return likenesses
    .filter(likeness => likeness[by] >= threshold)
    .sort((a, b) => b[by] - a[by] || b.resemblance - a.resemblance || a.entry.number - b.entry.number)
    .slice(0, limit)
    .map(({ entry, resemblance, containment }) => ({ id: entry.id, resemblance, containment }));
}

/** A stored document is named by its id alone. */
export type SearchQuery = Pick<Document, 'text' | 'set'> & { readonly id?: string | number };
