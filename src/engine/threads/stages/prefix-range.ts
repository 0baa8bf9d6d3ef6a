/** Elements of a range of the documents in giant components, and how often each comes → prefixes, in a file. */
import { wordsColumn } from '../../decide/columns.ts';
import { ElementCounts } from '../../decide/crowd/element-counts.ts';
import { createPrefixes } from '../../decide/crowd/rare-first.ts';
import { readColumn, type StageFile, writeStage } from '../storage/stage-file.ts';
import type { ElementsFile } from './count-elements.ts';
import type { Giants } from './giants.ts';

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

export function prefixRange(task: PrefixTask, { slots, shared }: Giants, threshold: number): PrefixesFile {
  const prefixOf = createPrefixes(new ElementCounts(slots, shared), threshold);
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
