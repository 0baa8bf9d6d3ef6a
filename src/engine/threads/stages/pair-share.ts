/** A share of the documents → its pairs at or above the threshold, in a file. */
import { finish } from '../../../cluster/steps.ts';
import { numbersColumn, wordsColumn } from '../../decide/columns.ts';
import { createCrowd } from '../../decide/crowd/crowd.ts';
import { exactWithin } from '../../decide/exact-candidates.ts';
import { createPairing } from '../../decide/pairs.ts';
import { visitWithCopies } from '../../decide/visit-candidates.ts';
import { type StageFile, writeStage } from '../storage/stage-file.ts';
import type { WorkerContext } from '../worker-context.ts';
import type { ShareTask } from './decide-share.ts';
import { governed, type Linked, openShare } from './share.ts';

export interface PairTask extends ShareTask {
  /** No more pairs than this are looked for. */
  readonly most: number;
}

/** Columns, one entry for each pair, by the first document, then the second: `a`, `b`, and the four values. */
export type PairsFile = StageFile<{ readonly pairs: number; readonly comparisons: number }>;

export const pairValues = ['resemblance', 'containmentAB', 'containmentBA', 'similarity'] as const;

export function pairShare(context: WorkerContext, linked: Linked, { share, path, most }: PairTask): PairsFile {
  const { options } = context;
  const opened = openShare(context, linked, share);
  const { items, order, buckets, firstOf } = opened;
  const { contents } = opened.comparable;
  const visit = context.plan.exact
    ? finish(exactWithin({ contents, groups: opened.groups(), setOf: opened.setOf }, opened.componentOf, options))
    : finish(visitWithCopies(buckets, firstOf, createCrowd(buckets, opened.setOf, options)));
  const comparisons = governed(context, opened);
  const pairsWith = createPairing(items.length, visit, opened.comparable, options, comparisons);
  const found = { a: wordsColumn(), b: wordsColumn() };
  const values = pairValues.map(name => [name, numbersColumn()] as const);
  // One component after another, so that sets are near; then in order of the documents.
  search: for (const item of order) {
    for (const pair of pairsWith(item)) {
      found.a.push(items[pair.a]!);
      found.b.push(items[pair.b]!);
      for (const [name, column] of values) column.push(pair[name]);
      if (found.a.length > most) break search;
    }
  }
  opened.close();
  const [a, b] = [found.a.used(), found.b.used()];
  const sorted = Uint32Array.from(a.keys()).sort((x, y) => a[x]! - a[y]! || b[x]! - b[y]!);
  const columns = {
    a: sorted.map(i => a[i]!),
    b: sorted.map(i => b[i]!),
    ...Object.fromEntries(values.map(([name, column]) => [name, Float64Array.from(sorted, i => column.values[i]!)])),
  };
  return writeStage(path, columns, { pairs: sorted.length, comparisons: comparisons.made });
}
