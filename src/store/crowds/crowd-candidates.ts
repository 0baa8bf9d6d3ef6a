/** Entries that share a common element with a document, in lists that may be long → those that may still be wanted, few at a time. */
import { joinKeys } from '../../engine/analyse/key-arrays.ts';
import type { Numbers, Store } from '../contract.ts';
import type { OuterKey } from './prefix-keys.ts';

/** Whether an entry that resembles the document by no more than this is wanted. Of equals, those added first are. */
export type IsWanted = (most: number, number: number) => boolean;

/** Keys looked up at a time: a round trip on Redis. */
const KEYS = 16;
/** Entries read at a time: mostly the first is the best of its list. */
const FIRST = 4;
const MORE = 64;

export async function visitOuter(
  keys: readonly OuterKey[],
  find: Store['find'],
  isWanted: IsWanted,
  /** In ascending order. */
  visit: (numbers: Numbers, most: number, by: BigUint64Array) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < keys.length; from += KEYS) {
    const some = keys.slice(from, from + KEYS).filter(({ most }) => isWanted(most, 0));
    // Those that follow find none that is more alike.
    if (some.length === 0) return;
    const lists = await find(joinKeys(some.map(({ key }) => key)));
    for (const [at, list] of lists.entries()) {
      const { key, most } = some[at]!;
      let end = 0;
      for (let start = 0; start < list.length && isWanted(most, list[start]!); start = end) {
        end = start + (start === 0 ? FIRST : MORE);
        await visit(list.slice(start, end), most, key);
      }
    }
  }
}
