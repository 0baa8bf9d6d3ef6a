/** All that is known of the documents → the share of one worker: whole components, numbered anew, with their buckets and lines. */
import { closeSync, openSync } from 'node:fs';
import { isReject } from '../../formats/item.ts';
import { readJsonLine } from '../../formats/json.ts';
import type { Document } from '../../model.ts';
import type { Sketch } from '../../sketch/sketch.ts';
import { type Buckets, type Rows, turned } from '../buckets.ts';
import { wordsColumn } from '../columns.ts';
import type { Comparable } from '../compare-items.ts';
import { Comparisons, largestGroup } from '../comparisons.ts';
import { withoutText } from '../content.ts';
import type { Dealt } from './deal.ts';
import { type DealtRows, eachRowOfShare } from './deal-rows.ts';
import { pieceOf } from './documents.ts';
import { documentSets, kernelSets } from './line-sets.ts';
import type { Numbered } from './link-entries.ts';
import type { Chunk } from './plan.ts';
import { readColumn, readFrom } from './stage-file.ts';
import type { WorkerContext } from './worker-context.ts';

/** What all workers share. */
export interface Linked extends Numbered, Dealt {
  readonly plan: readonly Chunk[];
  readonly protectedCount: number;
  readonly turns: Uint32Array | undefined;
  readonly firstOf: Uint32Array;
  readonly elements: readonly DealtRows[];
  readonly keys: readonly DealtRows[];
}

export interface Share {
  /** The documents, ascending; numbers below are places in this list. */
  readonly items: Uint32Array;
  readonly protectedCount: number;
  /** One component after another, each in keep order. */
  readonly order: Uint32Array;
  /** Equal texts share the buckets, the set and the line of the first of them. */
  readonly firstOf: Uint32Array;
  readonly buckets: Buckets;
  readonly comparable: Comparable;
  /** To be used before the next one is asked for. */
  setOf(item: number): BigUint64Array;
  /** As it was read; a set has none. */
  textOf(item: number): string | undefined;
  close(): void;
}

export function openShare(context: WorkerContext, linked: Linked, share: number): Share {
  const { firstOf, roots, places, protectedCount, turns, starts } = linked;
  const items = linked.items.subarray(starts[share], starts[share + 1]);
  const count = items.length;
  const localFirst = Uint32Array.from(items, item => places[firstOf[item]!]!);
  const componentOf = Uint32Array.from(items, item => places[roots[firstOf[item]!]!]!);
  const inOrder = Uint32Array.from(items.keys());
  if (turns) inOrder.sort((a, b) => turns[items[a]!]! - turns[items[b]!]!);
  const buckets = gatherBuckets(linked, share, componentOf);
  const lines = openLines(linked, items);
  const { sketcher, plan, rules } = context;
  const documentOf = (item: number): Document => {
    const read = readJsonLine(
      lines.read(item),
      { file: '', line: 0 },
      lines.isConverted(item) ? rules.converted : rules.raw,
    );
    if (read === undefined || isReject(read))
      throw new Error('an input changed while it was read; nothing was written');
    return plan.reading.setField === undefined ? read.document : withoutText(read.document);
  };
  const sets = plan.byKernel ? kernelSets(context, count, lines.lineOf) : documentSets(context, documentOf);
  // Lines are read in the order of the files; what finds no room is read again when it is needed.
  if (context.options.verify === 'exact')
    for (let item = 0; item < count; item++) if (localFirst[item] === item) sets.load(item);
  const textOf = (item: number) => sketcher.words(documentOf(item).text ?? '').join(' ');
  const editSimilarity = context.editMeasure?.(textOf, plan.setBytes);
  const sketchOf = cached(item => sketcher.sketch(documentOf(item)));
  return {
    items,
    protectedCount: items.filter(item => item < protectedCount).length,
    order: sortedBy(inOrder, place => componentOf[place]!, count),
    firstOf: localFirst,
    buckets,
    comparable: {
      contents: localFirst,
      sizeOf: item => sets.sizeOf(localFirst[item]!),
      shared: (a, b) => sets.shared(localFirst[a]!, localFirst[b]!),
      estimate: (a, b) => sketcher.estimate(sketchOf(localFirst[a]!), sketchOf(localFirst[b]!))?.value ?? 0,
      editSimilarity:
        editSimilarity && ((a, b, threshold) => editSimilarity(localFirst[a]!, localFirst[b]!, threshold)),
    },
    setOf: item => sets.setOf(localFirst[item]!),
    textOf: item => documentOf(localFirst[item]!).text,
    close: lines.close,
  };
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
    eachRowOfShare(files, share, (items, start, end) => {
      values.reserve(end - start);
      for (let i = start; i < end; i++) values.values[values.length++] = places[items[i]!]!;
      starts.push(values.length);
    });
    return starts.length - 1;
  };
  const limited = gather(elements);
  const count = gather(keys);
  const itemsOf: Rows = { starts: starts.used(), values: values.used() };
  const numbers = Uint32Array.from({ length: count }, (_, bucket) => bucket);
  const turns = sortedBy(numbers, bucket => componentOf[itemsOf.values[itemsOf.starts[bucket]!]!]!, componentOf.length);
  return { itemsOf, bucketsOf: turned(itemsOf, componentOf.length), limited, turns };
}

/** Numbers by their keys, which are below `keys`; those of one key stay in their order. */
function sortedBy(numbers: Uint32Array, keyOf: (number: number) => number, keys: number): Uint32Array {
  const next = new Uint32Array(keys + 1);
  for (const number of numbers) next[keyOf(number) + 1]!++;
  for (let key = 0; key < keys; key++) next[key + 1]! += next[key]!;
  const sorted = new Uint32Array(numbers.length);
  for (const number of numbers) sorted[next[keyOf(number)]!++] = number;
  return sorted;
}

/** Files open at a time. */
const MOST_OPEN = 128;

function openLines({ plan, chunks, bases }: Linked, items: Uint32Array) {
  const files = new Uint32Array(items.length);
  const starts = new Float64Array(items.length);
  const lengths = new Uint32Array(items.length);
  const known = new Map(plan.flatMap(({ pieces }) => pieces.map(piece => [piece.file, piece] as const)));
  let at = 0;
  for (const [i, chunk] of chunks.entries()) {
    const end = bases[i]! + chunk.facts.count;
    if (at === items.length || items[at]! >= end) continue;
    const chunkStarts = readColumn(chunk, 'starts', Float64Array);
    const chunkLengths = readColumn(chunk, 'lengths', Uint32Array);
    for (; at < items.length && items[at]! < end; at++) {
      const place = items[at]! - bases[i]!;
      files[at] = plan[i]!.pieces[pieceOf(chunk, place)]!.file;
      starts[at] = chunkStarts[place]!;
      lengths[at] = chunkLengths[place]!;
    }
  }
  const open = new Map<number, number>();
  const close = () => {
    for (const file of open.values()) closeSync(file);
    open.clear();
  };
  const handleOf = (file: number) => {
    const handle = open.get(file);
    if (handle !== undefined) return handle;
    if (open.size === MOST_OPEN) close();
    const opened = openSync(known.get(file)!.path, 'r');
    open.set(file, opened);
    return opened;
  };
  const lineOf = (item: number) => ({ file: handleOf(files[item]!), start: starts[item]!, length: lengths[item]! });
  return {
    lineOf,
    read(item: number): Uint8Array {
      const { file, start, length } = lineOf(item);
      const bytes = Buffer.allocUnsafe(length);
      readFrom(file, bytes, start);
      return bytes;
    },
    isConverted: (item: number) => known.get(files[item]!)!.isConverted,
    close,
  };
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
