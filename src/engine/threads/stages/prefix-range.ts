/** A range of the documents in giant components → their elements counted, in a table of all workers; then their prefixes, in a file. */

import { halvesOf } from '../../analyse/key-arrays.ts';
import { wordsColumn } from '../../decide/columns.ts';
import { ElementCounts } from '../../decide/crowd/element-counts.ts';
import { createPrefixes } from '../../decide/crowd/rare-first.ts';
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

/** Columns: `halves`, the low halves of the elements of each member's set, and where they start, one more at the end. */
export type ElementsFile = StageFile;

export function countRange(context: WorkerContext, { slots, ...giants }: Giants, task: RangeTask): ElementsFile {
  const { from, to, path } = task;
  const counter = createCounter(slots);
  const [starts, halves] = [wordsColumn(), wordsColumn()];
  starts.push(0);
  const { sets, close } = openDocuments(context, giants, giants.members.subarray(from, to));
  for (let place = 0; place < to - from; place++) {
    const set = halvesOf(sets.setOf(place));
    halves.reserve(set.length / 2);
    for (let low = 0; low < set.length; low += 2) halves.values[halves.length++] = set[low]!;
    starts.push(halves.length);
  }
  close();
  counter.add(halves.used());
  counter.flush();
  return writeStage(path, { starts: starts.used(), halves: halves.used() }, undefined);
}

export interface PrefixTask {
  /** The first one of the range. */
  readonly from: number;
  readonly elements: ElementsFile;
  readonly path: string;
}

/**
 * Columns, one entry for each member that may be similar to another: `members`, `sizes` and `lefts` of their prefixes, and where they
 * start in `elements`, one more at the end.
 */
export type PrefixesFile = StageFile<{ readonly entries: number }>;

export function prefixRange(task: PrefixTask, { slots }: Giants, threshold: number): PrefixesFile {
  const prefixOf = createPrefixes(new ElementCounts(slots), threshold);
  const columns = {
    members: wordsColumn(),
    sizes: wordsColumn(),
    lefts: wordsColumn(),
    starts: wordsColumn(),
    elements: wordsColumn(),
  };
  columns.starts.push(0);
  const starts = readColumn(task.elements, 'starts', Uint32Array);
  const halves = readColumn(task.elements, 'halves', Uint32Array);
  for (let place = 0; place + 1 < starts.length; place++) {
    const prefix = prefixOf(halves.subarray(starts[place]!, starts[place + 1]!), 1);
    if (prefix.elements.length === 0) continue;
    columns.members.push(task.from + place);
    columns.sizes.push(prefix.size);
    columns.lefts.push(prefix.left);
    columns.elements.append(prefix.elements);
    columns.starts.push(columns.elements.length);
  }
  const used = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.used()]));
  return writeStage(task.path, used, { entries: columns.elements.length });
}

const CACHED = 2 ** 12;

/**
 * Elements that are common come again and again: they are counted here first, and in the table of all workers when another one
 * takes their place, so that workers do not wait for each other.
 */
function createCounter(slots: Uint32Array) {
  const cached = new Uint32Array(CACHED);
  const counts = new Uint32Array(CACHED);
  const mask = slots.length - 1;
  return {
    add(halves: Uint32Array): void {
      for (const half of halves) {
        const slot = half & mask;
        const at = slot % CACHED;
        if (cached[at] !== slot) {
          if (counts[at]! > 0) Atomics.add(slots, cached[at]!, counts[at]!);
          cached[at] = slot;
          counts[at] = 0;
        }
        counts[at]!++;
      }
    },
    flush(): void {
      for (let at = 0; at < CACHED; at++) if (counts[at]! > 0) Atomics.add(slots, cached[at]!, counts[at]!);
      counts.fill(0);
    },
  };
}
