/**
 * Runs and tail of an index → the filter over all their keys (key-filter.ts) that who writes asks first: made when it
 * pays, a part at a time on a thread, and made anew, larger, when it is full. What is added meanwhile is put into both.
 */

import { movable } from '../../threads/answer.ts';
import type { Thread } from '../thread.ts';
import { KeyFilter } from './key-filter.ts';
import type { OnDamage, Run } from './run.ts';
import type { Segment } from './tail.ts';

/** A filter is made when so many keys were looked up for each posting: it reads them all, which has to pay. */
const PAYS = 1 / 64;

/** What there are keys of. */
export interface Filtered {
  readonly runs: readonly Run[];
  /** Postings in them. */
  readonly postings: number;
  readonly segments: readonly Segment[];
}

export class FilterKeeper {
  readonly #thread: Thread;
  readonly #onDamage: OnDamage;
  #filter: KeyFilter | undefined;
  /** A larger one that is being made. */
  #next: KeyFilter | undefined;
  /** Keys, since there is no filter. */
  #lookedUp = 0;

  constructor(thread: Thread, onDamage: OnDamage) {
    this.#thread = thread;
    this.#onDamage = onDamage;
  }

  /** Without runs there is nothing to read, and it can be used at once. */
  startEmpty(filtered: Filtered): void {
    this.#filter = filterFor(filtered);
  }

  /** Places of the keys that may be there; undefined when there is no filter to tell. */
  passed(halves: Uint32Array): number[] | undefined {
    this.#lookedUp += halves.length / 2;
    return this.#filter?.isReady ? this.#filter.passed(halves) : undefined;
  }

  add(halves: Uint32Array): void {
    this.#filter?.add(halves);
    this.#next?.add(halves);
  }

  /** A part of the filter, if one is to be made; false when there is nothing to do. */
  async makePart(filtered: Filtered): Promise<boolean> {
    if (this.#isNeeded(filtered)) this.#next ??= filterFor(filtered);
    const filter = this.#next;
    if (!filter) return false;
    const part = filter.nextPart();
    const blocks = filtered.runs.flatMap(run => run.storedBlocks(part.lowest, part.highest));
    const memory = movable(blocks.map(({ bytes }) => bytes));
    const { words, damaged } = await this.#thread.ask('makeFilterPart', { part, blocks }, memory);
    if (damaged) this.#onDamage(damaged);
    filter.partMade(part, words);
    if (filter.isReady) {
      this.#filter = filter;
      this.#next = undefined;
    }
    return true;
  }

  #isNeeded({ postings }: Filtered): boolean {
    return this.#filter ? this.#filter.isFull : this.#lookedUp > postings * PAYS;
  }
}

/** With the keys of the tail; those of the runs are still to come. */
function filterFor({ postings, segments }: Filtered): KeyFilter {
  const filter = new KeyFilter(postings);
  for (const { table } of segments) filter.add(table.keys());
  return filter;
}
