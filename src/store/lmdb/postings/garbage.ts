/** Runs that nobody reads any more, or that a killed process left half-made → deleted, a few parts at a time. */
import type { CommitQueue } from '../commit-queue.ts';
import { pairKey, type Tables } from '../tables.ts';

/** Parts deleted at a time. */
const STEP = 64;

export class Garbage {
  readonly #ids = new Set<number>();

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  add(id: number): void {
    this.#ids.add(id);
  }

  /** Of one run; undefined when there is none. */
  clean(
    tables: Pick<Tables, 'blocks' | 'filters'>,
    queue: CommitQueue,
  ): { readonly id: number; readonly isGone: boolean } | undefined {
    const [id] = this.#ids;
    if (id === undefined) return undefined;
    let isGone = true;
    for (const table of [tables.blocks, tables.filters]) {
      const keys = [...table.getKeys({ start: pairKey(id, 0), end: pairKey(id + 1, 0), limit: STEP })];
      for (const key of keys) queue.remove(table, key);
      if (keys.length === STEP) isGone = false;
    }
    if (isGone) this.#ids.delete(id);
    return { id, isGone };
  }
}
