/** A share of the documents → which of them go, and for which one each, in a file. */
import { kept } from '../../../cluster/keeping.ts';
import { wordsColumn } from '../../decide/columns.ts';
import { type Comparable, createCompare, createEvidence } from '../../decide/compare-items.ts';
import type { Comparisons } from '../../decide/comparisons.ts';
import { decideBy } from '../../decide/decide.ts';
import { type StageFile, writeStage } from '../storage/stage-file.ts';
import type { WorkerContext } from '../worker-context.ts';
import { type DecidedShare, decideByKernel } from './decide-by-kernel.ts';
import { governed, type Linked, openShare, type Share } from './share.ts';

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
  const comparisons = governed(context, opened);
  const decided = decideByKernel(context, opened, comparisons) ?? nothingDecided(opened);
  if (decided.left.length > 0) decideLeft(context, opened, comparisons, decided);
  opened.close();
  const gone = wordsColumn();
  for (let item = protectedCount; item < items.length; item++) if (decided.keptBy[item] !== kept) gone.push(item);
  const removed = gone.used();
  const columns = {
    items: removed.map(item => items[item]!),
    keptBy: removed.map(item => items[decided.keptBy[item]!]!),
    resemblance: valuesOf(removed, decided.resemblance),
    containment: valuesOf(removed, decided.containment),
    similarity: options.measure === 'edit' ? valuesOf(removed, decided.similarity) : new Float64Array(),
  };
  return writeStage(path, columns, { removed: removed.length, comparisons: comparisons.made });
}

function valuesOf(items: Uint32Array, values: Float64Array): Float64Array {
  const found = new Float64Array(items.length);
  for (let i = 0; i < items.length; i++) found[i] = values[items[i]!]!;
  return found;
}

function nothingDecided({ items: { length }, order }: Share): DecidedShare {
  return {
    keptBy: new Int32Array(length).fill(kept),
    resemblance: new Float64Array(length),
    containment: new Float64Array(length),
    similarity: new Float64Array(length),
    left: order,
  };
}

/** Decides on what is left with the code of the in-memory engine, and writes it to what is decided. */
function decideLeft(
  { options }: WorkerContext,
  opened: Share,
  comparisons: Comparisons,
  { keptBy, resemblance, containment, similarity, left }: DecidedShare,
): void {
  const { items, protectedCount } = opened;
  const comparable = { ...opened.comparable, shared: remembering(opened.comparable.shared, items.length) };
  const compare = createCompare(comparable, options, comparisons);
  const keptByLeft = decideBy(
    { ...opened, count: items.length, order: left },
    opened.buckets,
    (a, b, atLeast) => compare(a, b, atLeast).similarity,
    options,
  );
  const compareWhole = createEvidence(comparable, options);
  // In the order in which they were compared: their sets may still be there.
  for (const item of left) {
    if (item < protectedCount || keptByLeft[item] === kept) continue;
    keptBy[item] = keptByLeft[item]!;
    const pair = compareWhole(item, keptBy[item]!);
    resemblance[item] = pair.resemblance;
    containment[item] = pair.containmentAB;
    similarity[item] = pair.similarity;
  }
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
