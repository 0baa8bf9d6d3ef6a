/** Decisions that people made, and the documents of a run → those that hold, and the documents they bring together. */

import { createUnionFind } from '../../../cluster/union-find.ts';
import type { Decision } from '../../../decisions/decision.ts';
import { numberIn } from '../../../similarity/numbering.ts';
import { wordsColumn } from '../../decide/columns.ts';
import { bookOf, itemsNamed, type SettledDecisions, settleDecisions } from '../../decide/settle-decisions.ts';
import type { IdOf } from '../storage/documents.ts';
import type { Planned } from '../storage/open-lines.ts';
import { readColumn, writeStage } from '../storage/stage-file.ts';
import { ALONE } from './deal.ts';
import type { Stages } from './link-documents.ts';
import type { RowsFile } from './link-keyed-items.ts';
import { DIGITS } from './look-up.ts';

/** Documents that a worker looks up at a time. */
const RANGE = 4096;

/** `nameOf` is asked for every document, ascending. */
export async function settleOnThreads(
  decisions: readonly Decision[],
  planned: Planned,
  count: number,
  nameOf: IdOf,
  { pool, pathOf }: Pick<Stages, 'pool' | 'pathOf'>,
): Promise<SettledDecisions> {
  const book = bookOf(decisions);
  const itemOf = itemsNamed(book, namesOf(count, nameOf));
  const items = Uint32Array.from(itemOf.values()).sort();
  await pool.tell({ planned });
  const tasks = Array.from({ length: Math.ceil(items.length / RANGE) }, (_, i) => ({
    items: items.slice(i * RANGE, (i + 1) * RANGE),
    path: pathOf(`looked-up-${i}`),
  }));
  const files = await pool.run('lookUp', tasks);
  const read = (name: string) =>
    Buffer.concat(files.map(file => readColumn(file, name, Uint8Array))).toString('latin1');
  const [contents, groups] = [read('contents'), read('groups')];
  const placeOf = new Map(Array.from(items, (item, place) => [item, place] as const));
  const hashIn = (hashes: string, item: number) => {
    const start = placeOf.get(item)! * DIGITS;
    return hashes.slice(start, start + DIGITS);
  };
  return settleDecisions(book, {
    itemOf,
    contentOf: item => hashIn(contents, item),
    areComparable: (a, b) => hashIn(groups, a) === hashIn(groups, b),
  });
}

function* namesOf(count: number, nameOf: IdOf): Generator<string> {
  for (let item = 0; item < count; item++) yield nameOf(item);
}

/** Equal texts that stand for themselves each, as rows: they are candidates, even without words. */
export function writeRows(path: string, rows: readonly (readonly number[])[]): RowsFile {
  const [starts, items] = [wordsColumn(), wordsColumn()];
  starts.push(0);
  for (const row of rows) {
    items.append(row);
    starts.push(items.length);
  }
  return writeStage(path, { starts: starts.used(), items: items.used() }, { rows: rows.length, items: items.length });
}

/**
 * Puts the documents of each row into one component. After giant components were dissolved: what was decided does not depend on
 * what documents share.
 */
export function joinComponents(roots: Uint32Array, rows: Iterable<ArrayLike<number>>): void {
  const rootOf = (item: number) => {
    if (roots[item] === ALONE) roots[item] = item;
    return roots[item]!;
  };
  const numbers = new Map<number, number>();
  const numberOf = (item: number) => numberIn(numbers, rootOf(item));
  const links: [number, number][] = [];
  for (const row of rows) for (let at = 1; at < row.length; at++) links.push([numberOf(row[0]!), numberOf(row[at]!)]);
  if (links.length === 0) return;
  const joined = createUnionFind(numbers.size);
  for (const [a, b] of links) joined.union(a, b);
  const known = [...numbers.keys()];
  for (let item = 0; item < roots.length; item++) {
    const number = roots[item] === ALONE ? undefined : numbers.get(roots[item]!);
    if (number !== undefined) roots[item] = known[joined.find(number)]!;
  }
}

/** Two entries a pair → a row each. */
export function* pairRows(pairs: Uint32Array): Generator<Uint32Array> {
  for (let at = 0; at < pairs.length; at += 2) yield pairs.subarray(at, at + 2);
}
