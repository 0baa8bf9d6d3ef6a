/** A file of rows → the same rows, those of one share after those of another, so that a worker reads only its own. */
import { wordsColumn } from '../../decide/columns.ts';
import { readColumn, type StageFile, writeStage } from '../storage/stage-file.ts';
import { eachRow, type SeeRow } from './catalogue.ts';
import { ALONE, type Dealt } from './deal.ts';
import type { RowsFile } from './link-keyed-items.ts';

export interface DealTask {
  readonly rows: RowsFile;
  readonly path: string;
}

/** Columns `starts` and `items` as in a file of rows; `shares`: where the rows of each share start, one more at the end. */
export type DealtRows = StageFile;

export function dealRows({ rows, path }: DealTask, { shares, shareOf, roots }: Dealt): DealtRows {
  const split = splitRows(rows, roots);
  const starts = split.starts.used();
  const items = split.items.used();
  const count = starts.length - 1;
  const shareOfRow = new Uint32Array(count);
  const firstRow = new Uint32Array(shares + 1);
  for (let row = 0; row < count; row++) {
    shareOfRow[row] = shareOf[items[starts[row]!]!]!;
    firstRow[shareOfRow[row]! + 1]!++;
  }
  for (let share = 0; share < shares; share++) firstRow[share + 1]! += firstRow[share]!;
  const order = new Uint32Array(count);
  const next = firstRow.slice();
  for (let row = 0; row < count; row++) order[next[shareOfRow[row]!]!++] = row;
  const dealt = { starts: new Uint32Array(count + 1), items: new Uint32Array(items.length), shares: firstRow };
  let used = 0;
  for (let place = 0; place < count; place++) {
    const row = order[place]!;
    for (let i = starts[row]!; i < starts[row + 1]!; i++) dealt.items[used++] = items[i]!;
    dealt.starts[place + 1] = used;
  }
  return writeStage(path, dealt, undefined);
}

/** Of a row whose component was dissolved, a row for each component that is left. */
function splitRows(rows: RowsFile, roots: Uint32Array) {
  const split = { starts: wordsColumn(), items: wordsColumn() };
  split.starts.push(0);
  eachRow([rows], (items, start, end) => {
    for (const part of partsOf(items.subarray(start, end), roots)) {
      split.items.append(part);
      split.starts.push(split.items.length);
    }
  });
  return split;
}

function partsOf(row: Uint32Array, roots: Uint32Array): ArrayLike<number>[] {
  const root = roots[row[0]!]!;
  if (root !== ALONE && row.every(item => roots[item] === root)) return [row];
  const parts = new Map<number, number[]>();
  for (const item of row) {
    const part = parts.get(roots[item]!);
    if (roots[item] === ALONE) continue;
    if (part) part.push(item);
    else parts.set(roots[item]!, [item]);
  }
  return [...parts.values()].filter(({ length }) => length > 1);
}

/** The rows of one share, of several files. */
export function eachRowOfShare(files: readonly DealtRows[], share: number, see: SeeRow): void {
  for (const file of files) {
    const [from, to] = readColumn(file, 'shares', Uint32Array, share, 2);
    if (from === to) continue;
    const starts = readColumn(file, 'starts', Uint32Array, from, to! - from! + 1);
    const first = starts[0]!;
    const items = readColumn(file, 'items', Uint32Array, first, starts.at(-1)! - first);
    for (let row = 0; row + 1 < starts.length; row++) see(items, starts[row]! - first, starts[row + 1]! - first);
  }
}
