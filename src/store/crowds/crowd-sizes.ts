/**
 * Entries of crowds → classes: those of equal size that have equally many common elements.
 *
 * The prefix of a document is long enough for the threshold of the index. A search with a lower one cannot rely on it, but
 * these two numbers say how much a document resembles another at most, if they share none of its rare elements that it is
 * stored under. Kept in memory from the first such search on, about 8 bytes a document; what is added later is read then.
 */
import { setImmediate } from 'node:timers/promises';
import { prefixLength } from '../../similarity/prefix-bound.ts';
import type { Store } from '../contract.ts';
import { createMutex } from '../mutex.ts';
import type { OpenEntry } from '../read-entries.ts';
import { countsOf } from './prefix-keys.ts';

export interface CrowdClass {
  readonly size: number;
  readonly common: number;
  /** Ascending. Some may be removed by now. */
  readonly numbers: number[];
}

/** Others have their turn after so many. */
const READ_IN_A_TURN = 256;

export class CrowdSizes {
  readonly #store: Pick<Store, 'entries'>;
  readonly #open: OpenEntry;
  readonly #inOrder = createMutex();
  readonly #classes = new Map<number, CrowdClass>();
  #next = 0;

  constructor(store: Pick<Store, 'entries'>, open: OpenEntry) {
    this.#store = store;
    this.#open = open;
  }

  /** Of all that is in the store by now. */
  classes(): Promise<readonly CrowdClass[]> {
    return this.#inOrder(async () => {
      let read = 0;
      for await (const { number, bytes } of this.#store.entries(this.#next)) {
        const { commonBits } = this.#open(number, bytes);
        if (commonBits) this.#add(number, commonBits);
        this.#next = number + 1;
        if (++read % READ_IN_A_TURN === 0) await setImmediate();
      }
      return [...this.#classes.values()];
    });
  }

  #add(number: number, commonBits: Uint8Array): void {
    const { size, common } = countsOf(commonBits);
    const key = size * 2 ** 20 + common;
    const known = this.#classes.get(key);
    if (known) known.numbers.push(number);
    else this.#classes.set(key, { size, common, numbers: [number] });
  }
}

/**
 * How much a document of a class resembles a set at most, of whose elements so many were ever common, and none is a rare
 * one that the document is stored under: it may share rare ones that stand behind its prefix, and common ones.
 */
export function mostLike(
  { size, common }: CrowdClass,
  setSize: number,
  commonInSet: number,
  threshold: number,
): number {
  const behindPrefix = Math.max(0, size - common - prefixLength(size, threshold));
  const shared = Math.min(behindPrefix + Math.min(common, commonInSet), setSize);
  return shared / (setSize + size - shared);
}
