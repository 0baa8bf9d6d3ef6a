/** A share of the documents → which of them go, and for which one each, in a file. */
import { kept } from '../../../cluster/keeping.ts';
import { type Comparable, createCompare, createEvidence } from '../../decide/compare-items.ts';
import { decideBy } from '../../decide/decide.ts';
import { type StageFile, writeStage } from '../storage/stage-file.ts';
import type { WorkerContext } from '../worker-context.ts';
import { governed, type Linked, openShare } from './share.ts';

export interface ShareTask {
  readonly share: number;
  readonly path: string;
}

/** Columns, one entry for each document that goes, ascending: `items`, `keptBy`, `resemblance`, `containment`, and `similarity`, which only edit distance needs. */
export type RemovedFile = StageFile<{ readonly removed: number; readonly comparisons: number }>;

export function decideShare(context: WorkerContext, linked: Linked, { share, path }: ShareTask): RemovedFile {
  const { options } = context;
  const opened = openShare(context, linked, share);
  const { items, protectedCount } = opened;
  const comparable = { ...opened.comparable, shared: remembering(opened.comparable.shared, items.length) };
  const comparisons = governed(context, opened);
  const compare = createCompare(comparable, options, comparisons);
  const keptBy = decideBy(
    { ...opened, count: items.length },
    opened.buckets,
    (a, b, atLeast) => compare(a, b, atLeast).similarity,
    options,
  );
  const compareWhole = createEvidence(comparable, options);
  const values = {
    resemblance: new Float64Array(items.length),
    containment: new Float64Array(items.length),
    similarity: new Float64Array(options.measure === 'edit' ? items.length : 0),
  };
  const isRemoved = (item: number) => item >= protectedCount && keptBy[item] !== kept;
  // In the order in which they were compared: their sets may still be there.
  for (const item of opened.order) {
    if (!isRemoved(item)) continue;
    const { resemblance, containmentAB, similarity } = compareWhole(item, keptBy[item]!);
    values.resemblance[item] = resemblance;
    values.containment[item] = containmentAB;
    if (options.measure === 'edit') values.similarity[item] = similarity;
  }
  opened.close();
  const gone = Uint32Array.from(items.keys()).filter(isRemoved);
  const columns = {
    items: gone.map(item => items[item]!),
    keptBy: gone.map(item => items[keptBy[item]!]!),
    resemblance: Float64Array.from(gone, item => values.resemblance[item]!),
    containment: Float64Array.from(gone, item => values.containment[item]!),
    similarity:
      options.measure === 'edit' ? Float64Array.from(gone, item => values.similarity[item]!) : new Float64Array(),
  };
  return writeStage(path, columns, { removed: gone.length, comparisons: comparisons.made });
}

/** The evidence asks again for pairs that were found alike: without their sets, which may be gone. */
function remembering(shared: Comparable['shared'], count: number): Comparable['shared'] {
  const last = { other: new Int32Array(count).fill(-1), shared: new Uint32Array(count) };
  const remember = (item: number, other: number, found: number) => {
    last.other[item] = other;
    last.shared[item] = found;
  };
  return (a, b, least = 0) => {
    if (last.other[a] === b) return last.shared[a]!;
    if (last.other[b] === a) return last.shared[b]!;
    const found = shared(a, b, least);
    if (found < least) return found;
    remember(a, b, found);
    remember(b, a, found);
    return found;
  };
}
