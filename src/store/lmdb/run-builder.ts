/** Postings in order → blocks and filter pages of a run, put as they fill. */
import { MAX_POSTINGS } from '../../engine/buckets.ts';
import { keyKinds } from '../keys.ts';
import { BLOCK_POSTINGS, blockOf, encodeBlock } from './block.ts';
import { addToFilter, BUCKET_WORDS } from './filter.ts';
import { BLOCKS_PER_PAGE, placeOf, type RunDescription } from './run.ts';
import { seal } from './sealed.ts';

/** Where a finished part goes. */
export type PutPart = (table: 'blocks' | 'filters', run: number, part: number, bytes: Uint8Array) => void;

export class RunBuilder {
  readonly #description: RunDescription;
  readonly #put: PutPart;
  #postings = 0;
  #block = 0;
  #count = 0;
  #columns = {
    high: new Uint32Array(BLOCK_POSTINGS * 2),
    low: new Uint32Array(BLOCK_POSTINGS * 2),
    number: new Uint32Array(BLOCK_POSTINGS * 2),
  };
  readonly #filter: Uint32Array;
  /** How many postings of one element there were. */
  #same = 0;
  #lastHigh = -1;
  #lastLow = -1;

  constructor(description: RunDescription, put: PutPart) {
    this.#description = description;
    this.#put = put;
    this.#filter = new Uint32Array(BLOCKS_PER_PAGE * description.buckets * BUCKET_WORDS);
  }

  push(high: number, low: number, number: number): void {
    const block = blockOf(high, this.#description.blocks);
    if (block !== this.#block) this.#advance(block);
    if (high !== this.#lastHigh || low !== this.#lastLow) {
      this.#same = 0;
      this.#lastHigh = high;
      this.#lastLow = low;
      const { buckets } = this.#description;
      addToFilter(this.#filter, (block % BLOCKS_PER_PAGE) * buckets * BUCKET_WORDS, buckets, high, low);
    }
    this.#same++;
    if (this.#same > MAX_POSTINGS && (low & 3) === keyKinds.element) return;
    if (this.#count === this.#columns.high.length) this.#grow();
    this.#columns.high[this.#count] = high;
    this.#columns.low[this.#count] = low;
    this.#columns.number[this.#count] = number;
    this.#count++;
  }

  /** What the run is, now that all is in it. */
  finish(): RunDescription {
    const { blocks } = this.#description;
    if (blocks > 0) {
      this.#putBlock();
      this.#putPage(Math.floor(this.#block / BLOCKS_PER_PAGE));
      // Pages after the last posting are there, too, and empty.
      const pages = Math.ceil(blocks / BLOCKS_PER_PAGE);
      for (let page = Math.floor(this.#block / BLOCKS_PER_PAGE) + 1; page < pages; page++) this.#putPage(page);
    }
    return { ...this.#description, postings: this.#postings };
  }

  #advance(block: number): void {
    this.#putBlock();
    const pageBefore = Math.floor(this.#block / BLOCKS_PER_PAGE);
    const page = Math.floor(block / BLOCKS_PER_PAGE);
    for (let done = pageBefore; done < page; done++) this.#putPage(done);
    this.#block = block;
  }

  /** A block without postings is not there. */
  #putBlock(): void {
    if (this.#count === 0) return;
    const { id } = this.#description;
    const bytes = encodeBlock(this.#columns, this.#count, placeOf(id, this.#block));
    this.#put('blocks', id, this.#block, bytes);
    this.#postings += this.#count;
    this.#count = 0;
  }

  #putPage(page: number): void {
    const { id } = this.#description;
    const bytes = new Uint8Array(this.#filter.buffer);
    this.#put('filters', id, page, seal(bytes, placeOf(id, page)));
    this.#filter.fill(0);
  }

  #grow(): void {
    const grown = (old: Uint32Array) => {
      const larger = new Uint32Array(old.length * 2);
      larger.set(old);
      return larger;
    };
    const { high, low, number } = this.#columns;
    this.#columns = { high: grown(high), low: grown(low), number: grown(number) };
  }
}
