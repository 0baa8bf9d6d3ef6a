/**
 * Pages of the filters of all runs, in memory once they are asked for → words to look into, up to a number of bytes: 41
 * for a document of 27 keys.
 *
 * All stand in one array, so that looking up a key is one access of memory at a place that is computed; many can be under
 * way at once.
 */
import { BLOCKS_PER_PAGE, MOST_BUCKETS } from './block.ts';
import { BUCKET_WORDS } from './filter.ts';

const PAGE_WORDS = BLOCKS_PER_PAGE * MOST_BUCKETS * BUCKET_WORDS;
/** In 256 MB. */
const MOST_SLOTS = Math.floor((256 * 2 ** 20) / (4 * PAGE_WORDS));
const FIRST_SLOTS = 16;
export const NO_SLOT = -1;

export class FilterPages {
  /** For each page of a run the slot it is in. */
  readonly #runs = new Map<number, Int32Array>();
  /** Which page is in a slot. */
  readonly #tenants: ({ readonly run: number; readonly page: number } | undefined)[] = [];
  readonly #free: number[] = [];
  #words = new Uint32Array(FIRST_SLOTS * PAGE_WORDS);
  /** The slot that is given to another page next, when all are taken. */
  #oldest = 0;

  /** Another array after each `put`. */
  get words(): Uint32Array {
    return this.#words;
  }

  static startOf(slot: number): number {
    return slot * PAGE_WORDS;
  }

  /** The same array from call to call: what is put shows in it. */
  slotsOf(run: number, pages: number): Int32Array {
    const known = this.#runs.get(run);
    if (known) return known;
    const slots = new Int32Array(pages).fill(NO_SLOT);
    this.#runs.set(run, slots);
    return slots;
  }

  put(run: number, page: number, bytes: Uint8Array): number {
    const slot = this.#takeSlot();
    new Uint8Array(this.#words.buffer).set(bytes, 4 * FilterPages.startOf(slot));
    this.#tenants[slot] = { run, page };
    this.#runs.get(run)![page] = slot;
    return slot;
  }

  drop(run: number): void {
    for (const slot of this.#runs.get(run) ?? []) {
      if (slot === NO_SLOT) continue;
      this.#tenants[slot] = undefined;
      this.#free.push(slot);
    }
    this.#runs.delete(run);
  }

  #takeSlot(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#tenants.length < MOST_SLOTS) {
      const slot = this.#tenants.push(undefined) - 1;
      if (this.#words.length < this.#tenants.length * PAGE_WORDS) this.#grow();
      return slot;
    }
    const slot = this.#oldest;
    this.#oldest = (slot + 1) % MOST_SLOTS;
    const { run, page } = this.#tenants[slot]!;
    this.#runs.get(run)![page] = NO_SLOT;
    return slot;
  }

  #grow(): void {
    const slots = Math.min(MOST_SLOTS, 2 * (this.#words.length / PAGE_WORDS));
    const larger = new Uint32Array(slots * PAGE_WORDS);
    larger.set(this.#words);
    this.#words = larger;
  }
}
