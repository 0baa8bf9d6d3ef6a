/**
 * Sorted postings ↔ a block: columns, so that a search reads only the high halves.
 *
 *   0  u32  CRC-32 of the place and of all that follows      4  u32  postings
 *   8  high halves of the keys, low halves, numbers: a u32 each
 *
 * A run of n blocks has in block i the keys whose high half is in the i-th part of n of all numbers. Keys are hashes, so
 * blocks are of nearly one size, equal keys are in one block, and the block of a key is computed, not looked for.
 */
import { crc32 } from 'node:zlib';
import type { PostingColumns } from '../../sort-postings.ts';
import { bucketsFor } from './filter.ts';
import { wayInto } from './key-parts.ts';

const HEADER = 8;
/** 15,000 bytes: with what chance adds, nearly all blocks fit a page of LMDB. */
export const BLOCK_POSTINGS = 1_250;
/** Blocks whose filters stand together: 64,192 bytes, four pages of LMDB. */
export const BLOCKS_PER_PAGE = 34;
/** Of a filter, for a block. */
export const MOST_BUCKETS = bucketsFor(BLOCK_POSTINGS);

/** Of sorted postings those from a place on, and before another. */
export function encodeBlock({ high, low, number }: PostingColumns, from: number, to: number, place: number): Buffer {
  const count = to - from;
  const bytes = Buffer.alloc(HEADER + 12 * count);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  words[1] = count;
  words.set(high.subarray(from, to), 2);
  words.set(low.subarray(from, to), 2 + count);
  words.set(number.subarray(from, to), 2 + 2 * count);
  words[0] = crc32(bytes.subarray(4), place);
  return bytes;
}

export function isSound(bytes: Uint8Array, place: number): boolean {
  if (bytes.length < HEADER) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return (
    bytes.length === HEADER + 12 * view.getUint32(4, true) &&
    view.getUint32(0, true) === crc32(bytes.subarray(4), place)
  );
}

/** Columns in the bytes themselves where they are aligned, else in a copy. */
export function columnsOf(bytes: Uint8Array): PostingColumns & { readonly count: number } {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
  const count = words[1]!;
  return {
    count,
    high: words.subarray(2, 2 + count),
    low: words.subarray(2 + count, 2 + 2 * count),
    number: words.subarray(2 + 2 * count, 2 + 3 * count),
  };
}

/** Appends the numbers of a key to a list, made when there is one: where it should be by its size, then a few steps to where it is. */
export function findInBlock(
  { high, low, number, count }: ReturnType<typeof columnsOf>,
  block: number,
  blocks: number,
  keyHigh: number,
  keyLow: number,
  found: number[] | undefined,
): number[] | undefined {
  let at = Math.min(count - 1, Math.floor(wayInto(keyHigh, block, blocks) * count));
  while (at > 0 && high[at - 1]! >= keyHigh) at--;
  while (at < count && high[at]! < keyHigh) at++;
  let list = found;
  for (; at < count && high[at] === keyHigh; at++) {
    if (low[at] !== keyLow) continue;
    list ??= [];
    list.push(number[at]!);
  }
  return list;
}
