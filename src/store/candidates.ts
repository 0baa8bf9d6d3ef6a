/** For each key of a document the entries that have it → the entries it is compared with, those that share most first. */
import { MAX_POSTINGS } from '../engine/decide/buckets.ts';
import type { Numbers } from './contract.ts';
import type { Probe } from './crowds/prefix-keys.ts';
import { FIRST_CANDIDATE_KEY, type Prepared } from './prepare.ts';
import { SharedCounts } from './shared-counts.ts';

/** Of elements that very many share, the rarest are looked at: so many. */
const MOST_COMMON = 64;

export type ListOf = (place: number) => Numbers;

export interface Candidates {
  /** By keys that few share: all of them are compared. */
  readonly byKeys: Numbers;
  readonly byElements: Ranking;
}

export function isNobody({ byKeys, byElements }: Candidates): boolean {
  return byKeys.length === 0 && byElements.length === 0;
}

export function chooseCandidates(prepared: Prepared, listOf: ListOf, threshold: number): Candidates {
  const { telling, common } = listsOf(prepared, listOf);
  const byElements = sharing(telling, common, prepared.mostMissing(threshold));
  return { byKeys: sharingKeys(prepared, listOf), byElements };
}

/** Of entries that came after those of `before`, and are not to be found where its lists are full. */
export function chooseAdded(prepared: Prepared, before: ListOf, listOf: ListOf, threshold: number): Candidates {
  const telling: Numbers[] = [];
  for (let place = prepared.firstElement; place < prepared.keys.length; place++) {
    const room = MAX_POSTINGS - before(place).length;
    if (room <= 0) continue;
    const list = listOf(place);
    telling.push(list.length > room ? list.slice(0, room) : list);
  }
  const byElements = sharing(telling, [], prepared.mostMissing(threshold));
  return { byKeys: sharingKeys(prepared, listOf), byElements };
}

function sharingKeys({ firstElement }: Prepared, listOf: ListOf): Numbers {
  let numbers: Set<number> | undefined;
  for (let place = FIRST_CANDIDATE_KEY; place < firstElement; place++) {
    const list = listOf(place);
    if (list.length === 0) continue;
    numbers ??= new Set();
    for (const number of list) numbers.add(number);
  }
  // Most documents are new, and share none.
  return numbers ? [...numbers] : noNumbers;
}

const noNumbers: Numbers = [];

/** An entry found by its prefix. */
export interface ByPrefix {
  readonly number: number;
  /** Of the first element known to be shared, in the order of the document that is looked for. */
  readonly place: number;
}

/** Those that may share most first; of equals, those added first. */
export function chooseByPrefix({ keys, places }: Pick<Probe, 'keys' | 'places'>, listOf: ListOf): readonly ByPrefix[] {
  let found: Map<number, number> | undefined;
  for (let at = 0; at < keys.length; at++) {
    const list = listOf(at);
    if (list.length === 0) continue;
    found ??= new Map();
    const place = places[at]!;
    for (const number of list) if (place < (found.get(number) ?? Number.POSITIVE_INFINITY)) found.set(number, place);
  }
  if (!found) return noneByPrefix;
  return Array.from(found, ([number, place]) => ({ number, place })).sort(
    (a, b) => a.place - b.place || a.number - b.number,
  );
}

export const noneByPrefix: readonly ByPrefix[] = [];

/** A list that is full may be of many more, and has only the first of them. */
function listsOf({ keys, firstElement }: Prepared, listOf: ListOf): Record<'telling' | 'common', Numbers[]> {
  const telling: Numbers[] = [];
  const common: Numbers[] = [];
  for (let place = firstElement; place < keys.length; place++) {
    const list = listOf(place);
    (list.length < MAX_POSTINGS ? telling : common).push(list);
  }
  return { telling, common };
}

/** An entry that shares elements. */
export interface Sharing {
  readonly number: number;
  /** Of the elements looked at, those it lacks for sure. */
  readonly missing: number;
  /** It shares none but those that very many share. */
  readonly isCommon: boolean;
}

/** Those that lack fewest first; of equals, those added first. */
export class Ranking {
  readonly #ranks: Float64Array;

  constructor(ranks: Float64Array) {
    this.#ranks = ranks.sort();
  }

  get length(): number {
    return this.#ranks.length;
  }

  at(place: number): Sharing {
    const rank = this.#ranks[place]!;
    const missing = Math.floor(rank / 2 ** 33);
    const rest = rank - missing * 2 ** 33;
    return { number: Math.floor(rest / 2), missing, isCommon: rest % 2 === 1 };
  }

  /** The next so many from a place on, without those that are to be skipped. */
  numbers(from: number, most: number, isSkipped: (number: number) => boolean): Numbers {
    const numbers: number[] = [];
    for (let place = from; place < this.length && numbers.length < most; place++) {
      const { number } = this.at(place);
      if (!isSkipped(number)) numbers.push(number);
    }
    return numbers;
  }
}

/** All of it in 53 bits; who lacks a million elements and more lacks a million. */
function rankOf(missing: number, number: number, isCommon: boolean): number {
  return Math.min(missing, 2 ** 20 - 1) * 2 ** 33 + number * 2 + (isCommon ? 1 : 0);
}

export const nobody = new Ranking(new Float64Array(0));
const counts = new SharedCounts();

/**
 * Who lacks `most` elements at most. Of more than that it has one, whichever they are: the rarest, which few share. Elements
 * that very many share are looked at only where the others are no more than may be lacking.
 */
function sharing(telling: Numbers[], common: Numbers[], most: number): Ranking {
  telling.sort((a, b) => a.length - b.length);
  // Of full lists the one that goes furthest is of the rarest element.
  const looked = telling.length > most ? [] : common.sort((a, b) => b.at(-1)! - a.at(-1)!).slice(0, MOST_COMMON);
  const elements = telling.length + looked.length;
  const mostOfThese = Math.min(most, elements - 1);
  counts.clear();
  let byTelling = 0;
  for (let at = 0; at < elements; at++) {
    const list = at < telling.length ? telling[at]! : looked[at - telling.length]!;
    if (at <= mostOfThese) counts.add(list);
    else if (counts.size === 0) return nobody;
    else counts.addKnown(list);
    if (at < telling.length) byTelling = counts.size;
  }
  const ranks = new Float64Array(counts.size);
  let count = 0;
  for (let place = 0; place < counts.size; place++) {
    const number = counts.numberAt(place);
    const missing = elements - counts.countAt(place) - endedBefore(looked, number);
    if (missing <= mostOfThese) ranks[count++] = rankOf(missing, number, place >= byTelling);
  }
  return count === 0 ? nobody : new Ranking(ranks.slice(0, count));
}

/** Full lists that do not tell whether they would have the number. */
function endedBefore(looked: readonly Numbers[], number: number): number {
  let ended = 0;
  while (ended < looked.length && looked[looked.length - 1 - ended]!.at(-1)! < number) ended++;
  return ended;
}

/** Of those that share elements, so many are compared, whatever they turn out to be. */
const MOST_COMPARED = { sharingAll: MAX_POSTINGS, telling: 256, common: 16 };
/** Where one was found that is enough, there may be a better one, or one added earlier. */
const MOST_COMPARED_WHEN_FOUND = { ...MOST_COMPARED, telling: MAX_POSTINGS };

export class Allowance {
  readonly #used = { sharingAll: 0, telling: 0, common: 0 };

  has(sharing: Sharing, isFound: boolean): boolean {
    const kind = kindOf(sharing);
    return this.#used[kind] < (isFound ? MOST_COMPARED_WHEN_FOUND : MOST_COMPARED)[kind];
  }

  use(sharing: Sharing): void {
    this.#used[kindOf(sharing)]++;
  }
}

/** All that may be compared. */
export function allowedOf(ranking: Ranking): number[] {
  const allowance = new Allowance();
  const numbers: number[] = [];
  for (let place = 0; place < ranking.length; place++) {
    const sharing = ranking.at(place);
    if (!allowance.has(sharing, true)) continue;
    allowance.use(sharing);
    numbers.push(sharing.number);
  }
  return numbers;
}

function kindOf({ missing, isCommon }: Sharing): keyof typeof MOST_COMPARED {
  if (missing === 0) return 'sharingAll';
  return isCommon ? 'common' : 'telling';
}
