/** Keyed items of all chunks in some parts of the keys → rows of two or more documents that share a key, in a file. */

import { SLACK } from '../../../kernel/layout.ts';
import type { ChunkFile } from '../storage/chunk-columns.ts';
import { type Family, keyedItemWords } from '../storage/keyed-items.ts';
import { aligned, type LineKernel } from '../storage/line-kernel.ts';
import { readAt, type StageFile, writeStage } from '../storage/stage-file.ts';

export interface LinkTask {
  readonly family: Family;
  /** Parts `from` … `to` − 1; of one part, if `of` is more than 1, only the sub-part numbered `pass`. */
  readonly from: number;
  readonly to: number;
  readonly pass: number;
  readonly of: number;
  readonly path: string;
}

/** All documents of all chunks, numbered through. */
export interface Numbered {
  readonly chunks: readonly ChunkFile[];
  readonly bases: readonly number[];
}

/** Columns: `starts` of the rows, one more at the end; `items`, ascending in each row. Rows come in the order of the keys' low halves. */
export type RowsFile = StageFile<{ readonly rows: number; readonly items: number }>;

/**
 * In the kernel's memory: [ keyed items, part after part | starts of rows | their items | one chunk, or what grouping needs ].
 * `active`: 1 for each document that takes part; all do, where it is not given.
 */
export function linkKeyedItems(
  lines: LineKernel,
  task: LinkTask,
  numbered: Numbered,
  active: Uint8Array | undefined,
): RowsFile {
  const { exports } = lines;
  const words = keyedItemWords[task.family];
  const counts = countsOf(task, numbered);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const keyed = aligned(lines.input);
  const starts = aligned(keyed + total * words * 4);
  const items = aligned(starts + (total / 2 + 2) * 4);
  const work = aligned(items + total * 4);
  const parts = placeParts(lines, task, numbered, active, counts, keyed, work);
  exports.beginRows(starts, items);
  for (const [first, count] of parts) exports.groupKeyed(first, count, words, task.of, work);
  const columns = {
    starts: new Uint32Array(lines.buffer, starts, (exports.rowStartsEnd() - starts) / 4),
    items: new Uint32Array(lines.buffer, items, (exports.rowItemsEnd() - items) / 4),
  };
  return writeStage(task.path, columns, { rows: columns.starts.length - 1, items: columns.items.length });
}

/** How many keyed items of all chunks each part has. */
function countsOf({ family, from, to }: LinkTask, { chunks }: Numbered): number[] {
  return Array.from({ length: to - from }, (_, i) => {
    let count = 0;
    for (const { facts } of chunks) count += facts.starts[family][from + i + 1]! - facts.starts[family][from + i]!;
    return count;
  });
}

/** Brings the keyed items of each part together, chunk after chunk; tells where those are that take part, and how many. */
function placeParts(
  lines: LineKernel,
  { family, from, to, pass, of }: LinkTask,
  { chunks, bases }: Numbered,
  active: Uint8Array | undefined,
  counts: readonly number[],
  keyed: number,
  work: number,
): (readonly [first: number, count: number])[] {
  const { exports } = lines;
  const words = keyedItemWords[family];
  let behind = keyed;
  const firsts = counts.map(count => {
    const first = behind;
    behind += count * words * 4;
    return first;
  });
  const ends = [...firsts];
  for (const [i, chunk] of chunks.entries()) {
    const starts = chunk.facts.starts[family];
    const bytes = (starts[to]! - starts[from]!) * words * 4;
    if (bytes === 0) continue;
    const marks = aligned(work + bytes);
    exports.ensureMemory(marks + chunk.facts.count + SLACK);
    readAt(chunk.path, lines.bytes(work, work + bytes), chunk.columns[family]![0] + starts[from]! * words * 4);
    const base = bases[i]!;
    if (active) lines.bytes(marks, marks + chunk.facts.count).set(active.subarray(base, base + chunk.facts.count));
    for (let part = from; part < to; part++) {
      const first = work + (starts[part]! - starts[from]!) * words * 4;
      const count = starts[part + 1]! - starts[part]!;
      const end = ends[part - from]!;
      ends[part - from] = exports.placeKeyed(first, count, words, base, end, active ? marks : 0, pass, of);
    }
  }
  return firsts.map((first, part) => [first, (ends[part]! - first) / 4 / words]);
}

/** Bytes that a task takes for each of its keyed items when all of them are shared: items twice, when a part is sorted in slices, and rows. */
export const BYTES_PER_KEYED_ITEM = 60;
/** The kernel's memory ends at 4 GB, and it takes other things, too. */
export const MOST_KEYED_ITEMS = 2 ** 30 / BYTES_PER_KEYED_ITEM;
