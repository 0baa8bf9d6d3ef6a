/** What was decided on each share → the decisions of the run. Documents with repeated ids are not counted among its items. */
import { clustersOf } from '../../cluster/clusters.ts';
import { kept } from '../../cluster/keeping.ts';
import type { Relation } from '../../model.ts';
import { relationOf } from '../compare-items.ts';
import { clusterOf, removalOf, totalsOf } from '../decisions.ts';
import type { DecidedFiles } from '../files.ts';
import { sortedOrder } from '../radix.ts';
import type { Catalogue } from './catalogue.ts';
import { copyKept } from './copy-kept.ts';
import type { RemovedFile } from './decide-share.ts';
import { lastAtMost } from './last-at-most.ts';
import type { ThreadRun } from './run.ts';
import { readColumn } from './stage-file.ts';

export function decidedOf(run: ThreadRun, removedFiles: readonly RemovedFile[]): DecidedFiles {
  const { documents, catalogue, options, plan, files, read, stage, keeping } = run;
  const { firstOf } = catalogue;
  const keptByItem = new Int32Array(documents.count).fill(kept);
  const valuesOf = readRemoved(removedFiles, keptByItem, firstOf, options.measure === 'edit');
  decideCopies(keptByItem, catalogue);
  const { itemOf, keptBy, protectedCount } = withoutRepeated(keptByItem, catalogue);

  const areEqual = (number: number) => firstOf[itemOf(number)] === firstOf[itemOf(keptBy[number]!)];
  const relation = (number: number): Relation => {
    const { resemblance, containment } = valuesOf(itemOf(number));
    return relationOf(areEqual(number), { resemblance, containmentAB: containment }, options);
  };
  const anyId = documents.openIds('any');
  const idOf = (number: number) => anyId(itemOf(number));
  return {
    protectedCount,
    idOf,
    keptBy,
    totals: totalsOf(keptBy, relation),
    removed: eachOf(function* () {
      const ownId = documents.openIds('ascending');
      for (let number = 0; number < keptBy.length; number++) {
        if (keptBy[number] === kept) continue;
        const ids = { id: ownId(itemOf(number)), keptId: idOf(keptBy[number]!) };
        yield removalOf(options, { ...ids, relation: relation(number), ...valuesOf(itemOf(number)) });
      }
    }),
    clusters: eachOf(function* () {
      const resemblanceOf = (number: number) => valuesOf(itemOf(number)).resemblance;
      for (const cluster of clustersOf(keptBy, resemblanceOf)) yield clusterOf(idOf, options, cluster);
    }),
    options,
    read,
    keeping,
    ...(files.every(({ isConverted }) => !isConverted) && {
      copyKept: (path: string) => {
        const stays = (item: number) =>
          item >= catalogue.protectedCount && keptByItem[item] === kept && !catalogue.repeated[item];
        return copyKept(path, { ...documents, plan, stays, stage });
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
  firstOf: Uint32Array,
  withSimilarity: boolean,
): (item: number) => Values {
  let near = 0;
  for (const file of files) {
    const items = readColumn(file, 'items', Uint32Array);
    const representatives = readColumn(file, 'keptBy', Uint32Array);
    for (let i = 0; i < items.length; i++) {
      keptBy[items[i]!] = representatives[i]!;
      near += Number(firstOf[items[i]!] !== firstOf[representatives[i]!]);
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
      if (firstOf[items[i]!] === firstOf[keptBy[items[i]!]!]) continue;
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
function decideCopies(keptBy: Int32Array, { firstOf, repeated, protectedCount }: Catalogue): void {
  for (let item = protectedCount; item < keptBy.length; item++)
    if (firstOf[item] !== item && keptBy[item] === kept && !repeated[item]) keptBy[item] = firstOf[item]!;
}

/** Items → their numbers when those with repeated ids are left out, and back. */
function withoutRepeated(keptByItem: Int32Array, { repeated, repeatedCount, protectedCount }: Catalogue) {
  if (repeatedCount === 0) return { itemOf: (number: number) => number, keptBy: keptByItem, protectedCount };
  const count = keptByItem.length - repeatedCount;
  const items = new Uint32Array(count);
  const numberOf = new Uint32Array(keptByItem.length);
  let number = 0;
  for (let item = 0; item < keptByItem.length; item++) {
    numberOf[item] = number;
    if (!repeated[item]) items[number++] = item;
  }
  return {
    itemOf: (number: number) => items[number]!,
    keptBy: Int32Array.from(items, item => (keptByItem[item] === kept ? kept : numberOf[keptByItem[item]!]!)),
    protectedCount: protectedCount < keptByItem.length ? numberOf[protectedCount]! : count,
  };
}
