/** A file of rows → the same rows, those of one share after those of another, so that a worker reads only its own. */
import { wordsColumn } from '../../decide/columns.ts';
import { readColumn, type StageFile, writeStage } from '../storage/stage-file.ts';
import { eachRow } from './catalogue.ts';
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
  split.items.reserve(rows.facts.items);
  eachRow([rows], (items, start, end) => {
    if (areOne(items, start, end, roots)) {
      for (let i = start; i < end; i++) split.items.push(items[i]!);
      split.starts.push(split.items.length);
    } else
      for (const part of partsOf(items.subarray(start, end), roots)) {
        split.items.append(part);
        split.starts.push(split.items.length);
      }
  });
  return split;
}

function areOne(items: Uint32Array, start: number, end: number, roots: Uint32Array): boolean {
  const root = roots[items[start]!]!;
  if (root === ALONE) return false;
  for (let i = start + 1; i < end; i++) if (roots[items[i]!] !== root) return false;
  return true;
}

function partsOf(row: Uint32Array, roots: Uint32Array): number[][] {
  const parts = new Map<number, number[]>();
  for (const item of row) {
    const part = parts.get(roots[item]!);
    if (roots[item] === ALONE) continue;
    if (part) part.push(item);
    else parts.set(roots[item]!, [item]);
  }
  return [...parts.values()].filter(({ length }) => length > 1);
}

/** The rows of one share; they start at the first of the starts, not at 0. */
export function rowsOfShare(file: DealtRows, share: number): { starts: Uint32Array; items: Uint32Array } {
  const [from, to] = readColumn(file, 'shares', Uint32Array, share, 2);
  const starts = readColumn(file, 'starts', Uint32Array, from, to! - from! + 1);
  const first = starts[0]!;
  return { starts, items: readColumn(file, 'items', Uint32Array, first, starts.at(-1)! - first) };
}
