/** A range of the documents in giant components → the elements of their sets, in a file; then part after part of a table is counted. */
import { groupBits } from '../../analyse/group-mark.ts';
import { halvesOf } from '../../analyse/key-arrays.ts';
import { wordsColumn } from '../../decide/columns.ts';
import { addCount } from '../../decide/crowd/element-counts.ts';
import { openDocuments } from '../storage/open-documents.ts';
import { readColumn, type StageFile, writeStage } from '../storage/stage-file.ts';
import type { WorkerContext } from '../worker-context.ts';
import type { Giants } from './giants.ts';

export interface RangeTask {
  /** Members `from` … `to` − 1. */
  readonly from: number;
  readonly to: number;
  readonly path: string;
}

/**
 * Columns: `halves`, the low halves of the elements of each member's set (marked by its group, where all pairs with `--by` are looked for), and where they start, one more at the end; `counted`,
 * slots of the table with how often they come, by parts of the table, and where these start, one more at the end.
 */
export type ElementsFile = StageFile;

/** Parts of the table: each fits the cache of a processor, and one worker at a time counts in it. */
export const TABLE_PARTS = 16;

export function elementsOfRange(context: WorkerContext, giants: Giants, { from, to, path }: RangeTask): ElementsFile {
  const [starts, halves] = [wordsColumn(), wordsColumn()];
  starts.push(0);
  const { documentOf, sets, close } = openDocuments(context, giants, giants.members.subarray(from, to));
  const { by } = context.options;
  // Keys are marked; without them, documents of different groups must not have an element in common.
  const isMarked = context.plan.exact && by !== undefined;
  for (let place = 0; place < to - from; place++) {
    const set = halvesOf(sets.setOf(place));
    const group = isMarked ? groupBits(by, documentOf(place), context.sketcher.kernel) : 0;
    halves.reserve(set.length / 2);
    for (let low = 0; low < set.length; low += 2) halves.values[halves.length++] = set[low]! ^ group;
    starts.push(halves.length);
  }
  close();
  const slotCount = giants.slots.length;
  const { counted, partStarts } = inParts(countSlots(halves.used(), slotCount - 1), slotCount / TABLE_PARTS);
  return writeStage(path, { starts: starts.used(), halves: halves.used(), counted, partStarts }, undefined);
}

/** A slot has at most 24 bits; in the 8 bits above stands how often it comes, up to 255 times. */
const COUNT_AT = 24;
const SLOT = 2 ** COUNT_AT - 1;
const MOST = 255;
const CACHED = 2 ** 12;

/** Common elements come again and again: they are counted here first, until another one takes their place. */
function countSlots(halves: Uint32Array, mask: number): Uint32Array {
  const cached = new Uint32Array(CACHED);
  const counts = new Uint8Array(CACHED);
  const counted = new Uint32Array(halves.length + CACHED);
  let length = 0;
  for (let i = 0; i < halves.length; i++) {
    const slot = halves[i]! & mask;
    const at = slot & (CACHED - 1);
    const count = counts[at]!;
    if (cached[at] === slot && count < MOST) counts[at] = count + 1;
    else {
      if (count > 0) counted[length++] = (count << COUNT_AT) | cached[at]!;
      cached[at] = slot;
      counts[at] = 1;
    }
  }
  for (let at = 0; at < CACHED; at++) if (counts[at]! > 0) counted[length++] = (counts[at]! << COUNT_AT) | cached[at]!;
  return counted.subarray(0, length);
}

function inParts(counted: Uint32Array, partSize: number) {
  const shift = Math.log2(partSize);
  const partStarts = new Uint32Array(TABLE_PARTS + 1);
  for (let i = 0; i < counted.length; i++) partStarts[((counted[i]! & SLOT) >>> shift) + 1]!++;
  for (let part = 0; part < TABLE_PARTS; part++) partStarts[part + 1]! += partStarts[part]!;
  const next = partStarts.slice();
  const sorted = new Uint32Array(counted.length);
  for (let i = 0; i < counted.length; i++) sorted[next[(counted[i]! & SLOT) >>> shift]!++] = counted[i]!;
  return { counted: sorted, partStarts };
}

export interface TallyTask {
  readonly part: number;
  readonly elements: readonly ElementsFile[];
}

/** Counts in memory that all workers share. */
export function tallyPart({ part, elements }: TallyTask, { slots, shared }: Giants): void {
  for (const file of elements) {
    const [start, end] = readColumn(file, 'partStarts', Uint32Array, part, 2);
    const counted = readColumn(file, 'counted', Uint32Array, start, end! - start!);
    for (let i = 0; i < counted.length; i++) addCount(slots, counted[i]! & SLOT, counted[i]! >>> COUNT_AT);
  }
  const size = slots.length / TABLE_PARTS;
  for (let slot = part * size; slot < (part + 1) * size; slot++)
    if (slots[slot]! > 1) shared[slot >>> 5]! |= 1 << (slot & 31);
}
