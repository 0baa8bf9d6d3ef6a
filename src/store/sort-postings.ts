/** Postings in any order → sorted by key, then by number. */
import { sortedOrder } from '../engine/decide/radix.ts';

/** High halves of the keys, low halves, and the numbers that have them. */
export interface PostingColumns {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly number: Uint32Array;
}

/** Without those of the numbers that are no longer wanted. */
export function sortPostings(postings: PostingColumns, isWanted: (number: number) => boolean): PostingColumns {
  const order = sortedOrder(postings.high);
  const high = new Uint32Array(order.length);
  const low = new Uint32Array(order.length);
  const number = new Uint32Array(order.length);
  let count = 0;
  for (let i = 0; i < order.length; i++) {
    const at = order[i]!;
    if (!isWanted(postings.number[at]!)) continue;
    high[count] = postings.high[at]!;
    low[count] = postings.low[at]!;
    number[count] = postings.number[at]!;
    count++;
  }
  const sorted = { high: high.subarray(0, count), low: low.subarray(0, count), number: number.subarray(0, count) };
  orderTies(sorted);
  return sorted;
}

/** Sorted by high half already; keys are hashes, so what is left are equal keys and a few neighbours. */
function orderTies({ high, low, number }: PostingColumns): void {
  for (let i = 1; i < high.length; i++) {
    for (let at = i; at > 0 && high[at - 1] === high[at] && isAfter(low, number, at - 1, at); at--) {
      [low[at - 1], low[at]] = [low[at]!, low[at - 1]!];
      [number[at - 1], number[at]] = [number[at]!, number[at - 1]!];
    }
  }
}

function isAfter(low: Uint32Array, number: Uint32Array, a: number, b: number): boolean {
  return low[a]! > low[b]! || (low[a] === low[b] && number[a]! > number[b]!);
}
