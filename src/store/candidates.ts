/** For each key of a document the entries that have it → the entries it is compared with. */
import { MAX_POSTINGS } from '../engine/buckets.ts';
import type { Numbers } from './contract.ts';
import { FIRST_CANDIDATE_KEY, type Prepared } from './prepare.ts';

/** Of entries that share elements only, those that share most are compared. */
const MOST_BY_ELEMENTS = 256;

export type ListOf = (place: number) => Numbers;

export function chooseCandidates(prepared: Prepared, listOf: ListOf, threshold: number): Numbers {
  const chosen = new Set<number>();
  for (let place = FIRST_CANDIDATE_KEY; place < prepared.firstElement; place++)
    for (const number of listOf(place)) chosen.add(number);
  for (const number of sharingElements(prepared, listOf, threshold)) chosen.add(number);
  return [...chosen];
}

/** Elements that very many share say nothing, and are left out. Of the others, what is enough of the document has most. */
function sharingElements({ keys, firstElement, leastShared }: Prepared, listOf: ListOf, threshold: number): Numbers {
  const shared = new Map<number, number>();
  let telling = 0;
  for (let place = firstElement; place < keys.length; place++) {
    const numbers = listOf(place);
    if (numbers.length >= MAX_POSTINGS) continue;
    telling++;
    for (const number of numbers) shared.set(number, (shared.get(number) ?? 0) + 1);
  }
  if (shared.size === 0) return [];
  const least = leastShared(telling, threshold);
  const enough = [...shared].filter(([, count]) => count >= least);
  if (enough.length > MOST_BY_ELEMENTS) enough.sort(([a, countA], [b, countB]) => countB - countA || a - b);
  return enough.slice(0, MOST_BY_ELEMENTS).map(([number]) => number);
}
