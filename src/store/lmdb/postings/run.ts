/** A run: postings sorted and written once. Its description → the numbers of keys. */
import { limitOf } from '../../keys.ts';
import { unseal } from '../sealed.ts';
import { pairKey, readInPlace, type Tables } from '../tables.ts';
import { BLOCK_POSTINGS, BLOCKS_PER_PAGE, columnsOf, findInBlock, isSound } from './block.ts';
import { BUCKET_WORDS, bucketsFor, mayHave } from './filter.ts';
import { FilterPages, NO_SLOT } from './filter-pages.ts';
import { partOf } from './key-parts.ts';

export interface RunDescription {
  readonly id: number;
  /** Entries from this number on, and before that one. */
  readonly from: number;
  readonly to: number;
  readonly postings: number;
  readonly blocks: number;
  /** Of the filter, for each block. */
  readonly buckets: number;
}

/** `postings` may be more than there will be: those of removed entries are dropped. */
export function describeRun(
  id: number,
  from: number,
  to: number,
  postings: number,
  blockPostings = BLOCK_POSTINGS,
): RunDescription {
  const blocks = Math.ceil(postings / blockPostings);
  return { id, from, to, postings, blocks, buckets: blocks === 0 ? 0 : bucketsFor(postings / blocks) };
}

export function pagesOf({ blocks }: RunDescription): number {
  return Math.ceil(blocks / BLOCKS_PER_PAGE);
}

/** What a checksum is bound to, besides the bytes. */
export function placeOf(run: number, part: number): number {
  return (Math.imul(run, 0x9e3779b1) ^ part) >>> 0;
}

export interface StoredBlock {
  readonly run: number;
  readonly block: number;
  readonly bytes: Uint8Array;
}

function damagedBlock(run: number, block: number): string {
  return `block ${block} of its run ${run} of postings`;
}

export function damageIn(blocks: readonly StoredBlock[]): string | undefined {
  const damaged = blocks.find(({ run, block, bytes }) => !isSound(bytes, placeOf(run, block)));
  return damaged && damagedBlock(damaged.run, damaged.block);
}

export type OnDamage = (what: string) => never;

export class Run {
  readonly description: RunDescription;
  readonly #tables: Pick<Tables, 'blocks' | 'filters'>;
  readonly #onDamage: OnDamage;
  readonly #pages: FilterPages;
  /** Blocks whose checksum was looked at. */
  readonly #sound: Uint8Array;

  constructor(description: RunDescription, tables: Tables, pages: FilterPages, onDamage: OnDamage) {
    this.description = description;
    this.#tables = tables;
    this.#pages = pages;
    this.#onDamage = onDamage;
    this.#sound = new Uint8Array(description.blocks);
  }

  /** Adds to the lists of the keys what this run has of them. Keys come sorted by their high halves. */
  find(halves: Uint32Array, lists: (number[] | undefined)[]): void {
    const { blocks } = this.description;
    if (blocks === 0) return;
    const passed = this.#passed(halves);
    let last = -1;
    let columns: ReturnType<typeof columnsOf> | undefined;
    for (const at of passed) {
      if (lists[at] && lists[at].length >= limitOf(halves[2 * at]!)) continue;
      const high = halves[2 * at + 1]!;
      const block = partOf(high, blocks);
      if (block !== last) columns = this.#block(block);
      last = block;
      lists[at] = findInBlock(columns!, block, blocks, high, halves[2 * at]!, lists[at]);
    }
  }

  /** Places of the keys that pass the filter. Most do not: this loop is what looking up takes, so it does nothing else. */
  #passed(halves: Uint32Array): number[] {
    const { id, blocks, buckets } = this.description;
    const slots = this.#pages.slotsOf(id, pagesOf(this.description));
    const wordsPerBlock = buckets * BUCKET_WORDS;
    let { words } = this.#pages;
    const passed: number[] = [];
    for (let low = 0; low < halves.length; low += 2) {
      const keyLow = halves[low]!;
      const keyHigh = halves[low + 1]!;
      const block = partOf(keyHigh, blocks);
      const page = (block / BLOCKS_PER_PAGE) | 0;
      let slot = slots[page]!;
      if (slot === NO_SLOT) {
        slot = this.#loadPage(page);
        words = this.#pages.words;
      }
      const first = FilterPages.startOf(slot) + (block - page * BLOCKS_PER_PAGE) * wordsPerBlock;
      if (mayHave(words, first, buckets, keyHigh, keyLow)) passed.push(low >>> 1);
    }
    return passed;
  }

  /** A key passes the filter of a block only if that has postings, so it must be there. Good until the next one is read. */
  #block(block: number): ReturnType<typeof columnsOf> {
    const { id } = this.description;
    const bytes = readInPlace(this.#tables.blocks, pairKey(id, block));
    if (bytes === undefined) return this.#onDamage(`${damagedBlock(id, block)} is missing`);
    if (this.#sound[block] === 0) {
      if (!isSound(bytes, placeOf(id, block))) this.#onDamage(damagedBlock(id, block));
      this.#sound[block] = 1;
    }
    return columnsOf(bytes);
  }

  /** As they are stored, those that have keys whose high half is at least this, and at most that. */
  storedBlocks(lowest: number, highest: number): StoredBlock[] {
    const { id, blocks } = this.description;
    const stored: StoredBlock[] = [];
    for (let block = partOf(lowest, blocks); block <= partOf(highest, blocks); block++) {
      const bytes = this.#tables.blocks.getBinary(pairKey(id, block));
      if (bytes) stored.push({ run: id, block, bytes });
      else if (!this.#isEmpty(block)) this.#onDamage(`${damagedBlock(id, block)} is missing`);
    }
    return stored;
  }

  /** Blocks without postings are not stored; their part of the filter is all zeroes. */
  #isEmpty(block: number): boolean {
    const { id, buckets } = this.description;
    const page = Math.floor(block / BLOCKS_PER_PAGE);
    const known = this.#pages.slotsOf(id, pagesOf(this.description))[page]!;
    const slot = known === NO_SLOT ? this.#loadPage(page) : known;
    const words = buckets * BUCKET_WORDS;
    const first = FilterPages.startOf(slot) + (block - page * BLOCKS_PER_PAGE) * words;
    return this.#pages.words.subarray(first, first + words).every(word => word === 0);
  }

  #loadPage(page: number): number {
    const { id } = this.description;
    const sealed = this.#tables.filters.getBinary(pairKey(id, page));
    const bytes = sealed && unseal(sealed, placeOf(id, page));
    if (!bytes) return this.#onDamage(`page ${page} of the filter of its run ${id} of postings`);
    return this.#pages.put(id, page, bytes);
  }
}
