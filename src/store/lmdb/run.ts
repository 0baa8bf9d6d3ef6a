/** A run: postings sorted and written once. Its description → the numbers of keys. */
import { BLOCK_POSTINGS, blockOf, columnsOf, findInBlock, isSound } from './block.ts';
import { BUCKET_WORDS, bucketsFor, mayHave } from './filter.ts';
import { unseal } from './sealed.ts';
import { pairKey, type Tables } from './tables.ts';

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

/** Blocks whose filters stand together: 64,128 bytes, four pages of LMDB. */
export const BLOCKS_PER_PAGE = 17;

/** `postings` may be more than there will be: those of removed entries are dropped. */
export function describeRun(id: number, from: number, to: number, postings: number): RunDescription {
  const blocks = Math.ceil(postings / BLOCK_POSTINGS);
  return { id, from, to, postings, blocks, buckets: blocks === 0 ? 0 : bucketsFor(postings / blocks) };
}

/** What a checksum is bound to, besides the bytes. */
export function placeOf(run: number, part: number): number {
  return (Math.imul(run, 0x9e3779b1) ^ part) >>> 0;
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

  /** Adds to the lists of the keys what this run has of them. */
  find(halves: Uint32Array, lists: (number[] | undefined)[]): void {
    const { id, blocks, buckets } = this.description;
    if (blocks === 0) return;
    const pages = this.#pages.of(id);
    const wordsPerBlock = buckets * BUCKET_WORDS;
    for (let at = 0; at < lists.length; at++) {
      const low = halves[2 * at]!;
      const high = halves[2 * at + 1]!;
      const block = blockOf(high, blocks);
      const page = Math.floor(block / BLOCKS_PER_PAGE);
      const words = pages[page] ?? this.#loadPage(page);
      const first = (block - page * BLOCKS_PER_PAGE) * wordsPerBlock;
      if (!mayHave(words, first, buckets, high, low)) continue;
      const columns = this.block(block);
      if (columns) lists[at] = findInBlock(columns, block, blocks, high, low, lists[at]);
    }
  }

  /** Undefined when the block has no posting. */
  block(block: number): ReturnType<typeof columnsOf> | undefined {
    const { id } = this.description;
    const bytes = this.#tables.blocks.getBinaryFast(pairKey(id, block));
    if (bytes === undefined) return undefined;
    if (this.#sound[block] === 0) {
      if (!isSound(bytes, placeOf(id, block))) this.#onDamage(`block ${block} of its run ${id} of postings`);
      this.#sound[block] = 1;
    }
    return columnsOf(bytes);
  }

  #loadPage(page: number): Uint32Array {
    const { id } = this.description;
    const sealed = this.#tables.filters.getBinary(pairKey(id, page));
    const bytes = sealed && unseal(sealed, placeOf(id, page));
    if (!bytes) return this.#onDamage(`page ${page} of the filter of its run ${id} of postings`);
    const words = new Uint32Array(bytes.length / 4);
    new Uint8Array(words.buffer).set(bytes);
    return this.#pages.put(id, page, words);
  }
}

const CACHED_BYTES = 256 * 2 ** 20;

/** Parts of filters, in memory once they are asked for, up to a number of bytes: 41 for a document of 27 keys. */
export class FilterPages {
  readonly #budget: number;
  readonly #runs = new Map<number, (Uint32Array | undefined)[]>();
  readonly #order: { readonly run: number; readonly page: number; readonly bytes: number }[] = [];
  #bytes = 0;

  constructor(budget = CACHED_BYTES) {
    this.#budget = budget;
  }

  /** Those of a run that are there. */
  of(run: number): readonly (Uint32Array | undefined)[] {
    return this.#of(run);
  }

  #of(run: number): (Uint32Array | undefined)[] {
    const pages = this.#runs.get(run) ?? [];
    this.#runs.set(run, pages);
    return pages;
  }

  put(run: number, page: number, words: Uint32Array): Uint32Array {
    this.#of(run)[page] = words;
    this.#order.push({ run, page, bytes: words.byteLength });
    this.#bytes += words.byteLength;
    while (this.#bytes > this.#budget && this.#order.length > 1) {
      const oldest = this.#order.shift()!;
      const oldPages = this.#runs.get(oldest.run);
      if (oldPages) oldPages[oldest.page] = undefined;
      this.#bytes -= oldest.bytes;
    }
    return words;
  }

  drop(run: number): void {
    this.#runs.delete(run);
  }
}
