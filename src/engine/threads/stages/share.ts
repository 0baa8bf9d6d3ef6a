/** All that is known of the documents → the share of one worker: whole components, numbered anew, with their buckets and lines. */
import { numberIn } from '../../../similarity/numbering.ts';
import type { Sketch } from '../../../sketch/sketch.ts';
import { groupOf } from '../../analyse/group-of.ts';
import { type Buckets, type Rows, transposed } from '../../decide/buckets.ts';
import { wordsColumn } from '../../decide/columns.ts';
import type { Comparable } from '../../decide/compare-items.ts';
import { Comparisons, largestGroup } from '../../decide/comparisons.ts';
import { type DecidedPairs, Verdicts } from '../../decide/verdicts.ts';
import type { SetsOfItems } from '../storage/line-sets.ts';
import { openDocuments } from '../storage/open-documents.ts';
import type { Planned } from '../storage/open-lines.ts';
import type { WorkerContext } from '../worker-context.ts';
import { ALONE, type Dealt } from './deal.ts';
import { type DealtRows, rowsOfShare } from './deal-rows.ts';

/** What all workers share. */
export interface Linked extends Planned, Dealt {
  readonly protectedCount: number;
  readonly keepRanks: Uint32Array | undefined;
  readonly firstOf: Uint32Array;
  /** Equal numbers: texts equal byte for byte. */
  readonly contents: Uint32Array;
  readonly decided: DecidedPairs | undefined;
  readonly elements: readonly DealtRows[];
  readonly keys: readonly DealtRows[];
}

export interface Share {
  /** The documents, ascending; numbers below are places in this list. */
  readonly items: Uint32Array;
  readonly protectedCount: number;
  /** One component after another, each in keep order. */
  readonly order: Uint32Array;
  /** Equal numbers, below the number of documents: one component. */
  readonly componentOf: Uint32Array;
  /** Equal texts share the buckets, the set and the line of the first of them. */
  readonly firstOf: Uint32Array;
  readonly decided: Verdicts | undefined;
  readonly buckets: Buckets;
  readonly comparable: Comparable;
  readonly sets: SetsOfItems;
  /** To be used before the next one is asked for. */
  setOf(item: number): BigUint64Array;
  /** Equal numbers: one value of `--by`. Undefined where there is none. */
  groups(): Uint32Array | undefined;
  /** As it was read; a set has none. */
  textOf(item: number): string | undefined;
  close(): void;
}

export function openShare(context: WorkerContext, linked: Linked, share: number): Share {
  const { firstOf, roots, places, protectedCount, keepRanks, starts } = linked;
  const items = linked.items.subarray(starts[share], starts[share + 1]);
  const count = items.length;
  const localFirst = new Uint32Array(count);
  const componentOf = new Uint32Array(count);
  const contents = new Uint32Array(count);
  const firsts = wordsColumn();
  for (let i = 0; i < count; i++) {
    const first = firstOf[items[i]!]!;
    localFirst[i] = places[first]!;
    componentOf[i] = places[roots[first]!]!;
    contents[i] = linked.contents[items[i]!]!;
    if (localFirst[i] === i) firsts.push(i);
  }
  const inOrder = numbersBelow(count);
  if (keepRanks) inOrder.sort((a, b) => keepRanks[items[a]!]! - keepRanks[items[b]!]!);
  const buckets = gatherBuckets(linked, share, componentOf);
  const { documentOf, sets, close } = openDocuments(context, linked, items);
  const { sketcher, plan } = context;
  // Lines are read in the order of the files; what finds no room is read again when it is needed.
  if (context.options.verify === 'exact') sets.loadAll(firsts.used());
  const textOf = (item: number) => sketcher.words(documentOf(item).text ?? '').join(' ');
  const editSimilarity = context.editMeasure?.similarity(textOf, plan.setBytes);
  const decided = linked.decided && decidedIn(linked, linked.decided, share);
  const sketchOf = cached(item => sketcher.sketch(documentOf(item)));
  return {
    items,
    protectedCount: countBelow(items, protectedCount),
    order: sortedBy(inOrder, componentOf, count),
    componentOf,
    firstOf: localFirst,
    decided,
    buckets,
    comparable: {
      contents,
      decided,
      sizeOf: item => sets.sizeOf(localFirst[item]!),
      shared: (a, b, least) => sets.shared(localFirst[a]!, localFirst[b]!, least),
      estimate: (a, b) => sketcher.estimate(sketchOf(localFirst[a]!), sketchOf(localFirst[b]!))?.value ?? 0,
      editSimilarity:
        editSimilarity && ((a, b, threshold) => editSimilarity(localFirst[a]!, localFirst[b]!, threshold)),
      editEffort: context.editMeasure?.effort,
    },
    sets,
    setOf: item => sets.setOf(localFirst[item]!),
    groups() {
      const { by } = context.options;
      if (by === undefined) return undefined;
      const numbers = new Map<string | undefined, number>();
      return Uint32Array.from(items, (_, item) => numberIn(numbers, groupOf(documentOf(item), by)));
    },
    textOf: item => documentOf(localFirst[item]!).text,
    close,
  };
}

/** Pairs called same are in one share. Of those called different, only those count that are in one. */
function decidedIn({ roots, firstOf, shareOf, places }: Linked, decided: DecidedPairs, share: number): Verdicts {
  const isHere = (item: number) => {
    const root = roots[firstOf[item]!]!;
    return root !== ALONE && shareOf[root] === share;
  };
  const here = (pairs: Uint32Array) => {
    const found = wordsColumn();
    for (let at = 0; at < pairs.length; at += 2) {
      const [a, b] = [pairs[at]!, pairs[at + 1]!];
      if (isHere(a) && isHere(b)) found.append([places[a]!, places[b]!]);
    }
    return found.used();
  };
  return new Verdicts({ same: here(decided.same), different: here(decided.different) });
}

/** Comparisons of a worker; when they are many, the main thread is told why. */
export function governed({ plan, options, tell }: WorkerContext, { buckets, textOf }: Share): Comparisons {
  return new Comparisons(plan.manyComparisons, () => tell({ many: largestGroup(buckets, textOf, options.shingle) }));
}

function gatherBuckets({ places, elements, keys }: Linked, share: number, componentOf: Uint32Array): Buckets {
  const starts = wordsColumn();
  const values = wordsColumn();
  starts.push(0);
  const gather = (files: readonly DealtRows[]) => {
    for (const file of files) {
      const rows = rowsOfShare(file, share);
      const { length } = values;
      values.reserve(rows.items.length);
      for (let i = 0; i < rows.items.length; i++) values.values[length + i] = places[rows.items[i]!]!;
      values.length = length + rows.items.length;
      starts.reserve(rows.starts.length);
      for (let row = 1; row < rows.starts.length; row++) starts.push(length + rows.starts[row]! - rows.starts[0]!);
    }
    return starts.length - 1;
  };
  const limited = gather(elements);
  const count = gather(keys);
  const itemsOf: Rows = { starts: starts.used(), values: values.used() };
  const componentOfBucket = new Uint32Array(count);
  for (let bucket = 0; bucket < count; bucket++)
    componentOfBucket[bucket] = componentOf[itemsOf.values[itemsOf.starts[bucket]!]!]!;
  const order = sortedBy(numbersBelow(count), componentOfBucket, componentOf.length);
  return { itemsOf, bucketsOf: transposed(itemsOf, componentOf.length), limited, order };
}

function numbersBelow(count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = i;
  return numbers;
}

function countBelow(ascending: Uint32Array, limit: number): number {
  let count = 0;
  while (count < ascending.length && ascending[count]! < limit) count++;
  return count;
}

/** Numbers by their keys, which are below `keys`; those of one key stay in their order. */
function sortedBy(numbers: Uint32Array, keyOf: Uint32Array, keys: number): Uint32Array {
  const next = new Uint32Array(keys + 1);
  for (let i = 0; i < numbers.length; i++) next[keyOf[numbers[i]!]! + 1]!++;
  for (let key = 0; key < keys; key++) next[key + 1]! += next[key]!;
  const sorted = new Uint32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) sorted[next[keyOf[numbers[i]!]!]!++] = numbers[i]!;
  return sorted;
}

const MOST_SKETCHES = 10_000;

function cached(make: (item: number) => Sketch): (item: number) => Sketch {
  const sketches = new Map<number, Sketch>();
  return item => {
    const found = sketches.get(item) ?? make(item);
    if (sketches.size === MOST_SKETCHES) sketches.clear();
    sketches.set(item, found);
    return found;
  };
}
