/** What was decided on each share → the decisions of the run. */
import { clustersOf } from '../../../cluster/clusters.ts';
import { kept } from '../../../cluster/keeping.ts';
import type { Relation } from '../../../model.ts';
import { lastAtMost } from '../../ascending.ts';
import { relationOf } from '../../decide/compare-items.ts';
import { clusterOf, removalOf, totalsOf } from '../../decide/decisions.ts';
import { sortedOrder } from '../../decide/radix.ts';
import type { DecidedFiles } from '../../engine.ts';
import { readColumn } from '../storage/stage-file.ts';
import type { ThreadRun } from '../threads-engine.ts';
import type { Catalogue } from './catalogue.ts';
import { copyKept } from './copy-kept.ts';
import type { RemovedFile } from './decide-share.ts';

export function decidedOf(run: ThreadRun, removedFiles: readonly RemovedFile[]): DecidedFiles {
  const { documents, catalogue, openNames, options, plan, files, read, pool, jobs, stage, signal, release } = run;
  const { contents, protectedCount } = catalogue;
  const keptBy = new Int32Array(documents.count).fill(kept);
  const valuesOf = readRemoved(removedFiles, keptBy, contents, options.measure === 'edit');
  decideCopies(keptBy, catalogue);

  const relation = (item: number, { resemblance, containment } = valuesOf(item)): Relation => {
    const representative = keptBy[item]!;
    const found = {
      areEqual: contents[item] === contents[representative],
      areDecided: run.decided?.of(item, representative) === 'same',
    };
    return relationOf(found, { resemblance, containmentAB: containment }, options);
  };
  const idOf = openNames('any');
  return {
    protectedCount,
    idOf,
    keptBy,
    totals: totalsOf(keptBy, item => relation(item)),
    comparisons: removedFiles.reduce((sum, { facts }) => sum + facts.comparisons, 0),
    removed: eachOf(function* () {
      const ownId = openNames('ascending');
      for (let item = 0; item < keptBy.length; item++) {
        if (keptBy[item] === kept) continue;
        const values = valuesOf(item);
        yield removalOf(options, {
          id: ownId(item),
          keptId: idOf(keptBy[item]!),
          isReference: keptBy[item]! < protectedCount,
          relation: relation(item, values),
          resemblance: values.resemblance,
          containment: values.containment,
          similarity: values.similarity,
        });
      }
    }),
    clusters: eachOf(function* () {
      const resemblanceOf = (item: number) => valuesOf(item).resemblance;
      for (const cluster of clustersOf(keptBy, resemblanceOf)) yield clusterOf(idOf, options, cluster);
    }),
    decisions: run.decisions,
    options,
    read,
    release,
    ...(files.every(({ isConverted }) => !isConverted) && {
      copyKept: (path: string) => {
        const stays = new Uint8Array(new SharedArrayBuffer(keptBy.length));
        for (let item = protectedCount; item < stays.length; item++) stays[item] = Number(keptBy[item] === kept);
        return copyKept(path, { ...documents, plan, stays, pool, jobs, stage, signal });
      },
    }),
  };
}

/** Can be gone through again. */
function eachOf<Item>(generate: () => Generator<Item>): Iterable<Item> {
  return { [Symbol.iterator]: generate };
}

interface Values {
  readonly resemblance: number;
  readonly containment: number;
  readonly similarity: number;
}

const ofEqualTexts: Values = { resemblance: 1, containment: 1, similarity: 1 };

/** Fills `keptBy`; gives the values of those that go for a text that is not equal. Those are few, or fill 28 bytes each. */
function readRemoved(
  files: readonly RemovedFile[],
  keptBy: Int32Array,
  contents: Uint32Array,
  withSimilarity: boolean,
): (item: number) => Values {
  let near = 0;
  for (const file of files) {
    const items = readColumn(file, 'items', Uint32Array);
    const representatives = readColumn(file, 'keptBy', Uint32Array);
    for (let i = 0; i < items.length; i++) {
      keptBy[items[i]!] = representatives[i]!;
      near += Number(contents[items[i]!] !== contents[representatives[i]!]);
    }
  }
  const all = {
    items: new Uint32Array(near),
    resemblance: new Float64Array(near),
    containment: new Float64Array(near),
    similarity: new Float64Array(withSimilarity ? near : 0),
  };
  let used = 0;
  for (const file of files) {
    const items = readColumn(file, 'items', Uint32Array);
    const resemblance = readColumn(file, 'resemblance', Float64Array);
    const containment = readColumn(file, 'containment', Float64Array);
    const similarity = readColumn(file, 'similarity', Float64Array);
    for (let i = 0; i < items.length; i++) {
      if (contents[items[i]!] === contents[keptBy[items[i]!]!]) continue;
      all.items[used] = items[i]!;
      all.resemblance[used] = resemblance[i]!;
      all.containment[used] = containment[i]!;
      if (withSimilarity) all.similarity[used] = similarity[i]!;
      used++;
    }
  }
  const order = sortedOrder(all.items);
  const sorted = all.items.map((_, i) => all.items[order[i]!]!);
  // Items are mostly asked for in their order, each several times.
  let place = 0;
  return item => {
    const isHere = sorted[place]! <= item && !(sorted[place + 1]! <= item);
    if (!isHere) place = sorted[place + 1] === item ? place + 1 : lastAtMost(sorted, item);
    if (sorted[place] !== item) return ofEqualTexts;
    const at = order[place]!;
    return {
      resemblance: all.resemblance[at]!,
      containment: all.containment[at]!,
      similarity: withSimilarity ? all.similarity[at]! : 0,
    };
  };
}

/** Copies of a document that shares no bucket go for it. */
function decideCopies(keptBy: Int32Array, { firstOf, protectedCount }: Catalogue): void {
  for (let item = protectedCount; item < keptBy.length; item++)
    if (firstOf[item] !== item && keptBy[item] === kept) keptBy[item] = firstOf[item]!;
}
