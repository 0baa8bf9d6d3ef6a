/**
 * Postings of a part of all keys → the pages of a run that have them: blocks, and their filters.
 *
 * What comes in and goes out is bytes, and nothing is kept in between, so that it can be done on a thread.
 */
import { MAX_POSTINGS } from '../../../engine/decide/buckets.ts';
import { keyKinds } from '../../keys.ts';
import { type PostingColumns, sortPostings } from '../../sort-postings.ts';
import { seal } from '../sealed.ts';
import { BLOCKS_PER_PAGE, columnsOf, encodeBlock } from './block.ts';
import { addToFilter, BUCKET_WORDS } from './filter.ts';
import { partOf } from './key-parts.ts';
import { damageIn, placeOf, type RunDescription, type StoredBlock } from './run.ts';

export interface PagesToMake {
  readonly run: RunDescription;
  readonly firstPage: number;
  readonly endPage: number;
  /** In any order, or blocks of other runs, which may have more than is wanted. */
  readonly from: PostingColumns | readonly StoredBlock[];
  /** Removed entries, whose postings are dropped. */
  readonly dead: readonly number[];
}

export interface MadePages {
  readonly parts: readonly RunPart[];
  /** How many are in them. */
  readonly postings: number;
  /** What could not be used; then there are no parts. */
  readonly damaged: string | undefined;
}

export interface RunPart {
  readonly table: 'blocks' | 'filters';
  readonly part: number;
  readonly bytes: Uint8Array;
}

export function makePages({ run, firstPage, endPage, from, dead }: PagesToMake): MadePages {
  const damaged = 'high' in from ? undefined : damageIn(from);
  if (damaged) return { parts: [], postings: 0, damaged };
  const given = 'high' in from ? from : columnsOfAll(from);
  const gone = new Set(dead);
  const postings = withoutTooCommon(sortPostings(given, number => !gone.has(number)));
  const { high } = postings;
  const parts: RunPart[] = [];
  let at = 0;
  while (at < high.length && partOf(high[at]!, run.blocks) < firstPage * BLOCKS_PER_PAGE) at++;
  const begin = at;
  for (let page = firstPage; page < endPage; page++) {
    const filter = new Uint32Array(BLOCKS_PER_PAGE * run.buckets * BUCKET_WORDS);
    for (let place = 0; place < BLOCKS_PER_PAGE; place++) {
      const block = page * BLOCKS_PER_PAGE + place;
      const start = at;
      at = endOfBlock(postings, start, run, block, filter, place * run.buckets * BUCKET_WORDS);
      // A block without postings is not there.
      if (at === start) continue;
      const bytes = encodeBlock(postings, start, at, placeOf(run.id, block));
      parts.push({ table: 'blocks', part: block, bytes });
    }
    parts.push({ table: 'filters', part: page, bytes: seal(new Uint8Array(filter.buffer), placeOf(run.id, page)) });
  }
  return { parts, postings: at - begin, damaged };
}

/** Where the postings of a block end; their keys are added to its filter on the way. */
function endOfBlock(
  { high, low }: PostingColumns,
  start: number,
  { blocks, buckets }: RunDescription,
  block: number,
  filter: Uint32Array,
  first: number,
): number {
  let at = start;
  for (; at < high.length && partOf(high[at]!, blocks) === block; at++)
    addToFilter(filter, first, buckets, high[at]!, low[at]!);
  return at;
}

function columnsOfAll(stored: readonly StoredBlock[]): PostingColumns {
  const blocks = stored.map(({ bytes }) => columnsOf(bytes));
  const count = blocks.reduce((sum, block) => sum + block.count, 0);
  const all = { high: new Uint32Array(count), low: new Uint32Array(count), number: new Uint32Array(count) };
  let at = 0;
  for (const { high, low, number, count } of blocks) {
    all.high.set(high, at);
    all.low.set(low, at);
    all.number.set(number, at);
    at += count;
  }
  return all;
}

/** Only the first postings of an element that very many share. */
function withoutTooCommon({ high, low, number }: PostingColumns): PostingColumns {
  let count = 0;
  let same = 0;
  for (let at = 0; at < high.length; at++) {
    same = at > 0 && high[at] === high[at - 1] && low[at] === low[at - 1] ? same + 1 : 1;
    if (same > MAX_POSTINGS && (low[at]! & 3) === keyKinds.element) continue;
    if (count < at) {
      high[count] = high[at]!;
      low[count] = low[at]!;
      number[count] = number[at]!;
    }
    count++;
  }
  return { high: high.subarray(0, count), low: low.subarray(0, count), number: number.subarray(0, count) };
}
