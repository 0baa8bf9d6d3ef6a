/** Shingle sets → for each document, candidates that miss no pair at or above the threshold. */
import type { Steps } from '../../cluster/steps.ts';
import { halvesOf } from '../analyse/key-arrays.ts';
import type { Corpus } from '../memory/corpus.ts';
import type { RunOptions } from '../run-options.ts';
import { bucketSteps, groupSteps, keyedItemSteps, rowOf, rowSteps, transposed, transposedSteps } from './buckets.ts';
import { PrefixIndex } from './crowd/prefix-index.ts';
import { rareFirst } from './crowd/rare-first.ts';
import { rarestElements } from './exact-join.ts';
import { type VisitCandidates, visitBuckets } from './visit-candidates.ts';

/** What is compared: documents of a corpus, or whatever else has sets. */
export type Compared = Pick<Corpus, 'contents' | 'groups' | 'setOf'>;

type Bound = Pick<RunOptions, 'measure' | 'threshold'>;

/** With a checkpoint at every document. `items`: those by resemblance that are asked for. */
export function* exactCandidates(
  corpus: Compared,
  options: Bound,
  items: Uint32Array = Uint32Array.from(corpus.contents.keys()),
): Steps<VisitCandidates> {
  // Documents without words are candidates by their equal texts alone.
  const visitEqual = yield* visitBuckets(
    yield* bucketSteps({ contents: corpus.contents, groups: corpus.groups, keys: [], elements: [] }),
    undefined,
    () => true,
  );
  const visitSimilar = yield* options.measure === 'containment'
    ? containment(corpus, options)
    : resemblance(corpus, options, items);
  return (item, see) => {
    visitEqual(item, see);
    visitSimilar(item, see);
  };
}

/** Up to so many documents are all compared: that takes less than to find out who may be similar. */
const SMALL = 24;

/** The same where only documents of one component can be similar. */
export function* exactWithin(corpus: Compared, componentOf: Uint32Array, options: Bound): Steps<VisitCandidates> {
  const { groups } = corpus;
  const count = componentOf.length;
  const everyItem = Uint32Array.from({ length: count + 1 }, (_, item) => item);
  const members = transposed({ starts: everyItem, values: componentOf }, count);
  const isSmall = (item: number) => rowOf(members, componentOf[item]!).length <= SMALL;
  const visitLarge = yield* exactCandidates(
    corpus,
    options,
    everyItem.subarray(0, count).filter(item => !isSmall(item)),
  );
  return (item, see) => {
    if (!isSmall(item)) return visitLarge(item, see);
    for (const other of rowOf(members, componentOf[item]!)) if (groups?.[item] === groups?.[other]) see(other);
  };
}

/** Sets that share one of their rarest elements, at a place from which they can reach the threshold. */
function* resemblance({ setOf, groups }: Compared, { threshold }: Bound, items: Uint32Array): Steps<VisitCandidates> {
  const setInGroup = groups ? (item: number) => marked(setOf(item), groups[item]!) : setOf;
  const prefixOf = yield* rareFirst(items, setInGroup, threshold);
  const index = new PrefixIndex();
  for (const item of items) {
    index.add(item, prefixOf(item));
    yield;
  }
  const bound = { similarity: threshold };
  return (item, see) =>
    index.visit(prefixOf(item), bound, group =>
      index.each(group, candidate => {
        if (groups?.[item] === groups?.[candidate]) see(candidate);
      }),
    );
}

/** Sets of different groups have no element in common then: copies in a thousand groups would all be candidates otherwise. */
function marked(set: BigUint64Array, group: number): BigUint64Array {
  const copy = set.slice();
  const halves = halvesOf(copy);
  const bits = Math.imul(group, 0x9e3779b1);
  for (let low = 0; low < halves.length; low += 2) halves[low]! ^= bits;
  return copy;
}

/**
 * Of two documents the contained one has one of its rarest elements anywhere in the other. So, for each element that is among the
 * rarest of some document: those documents, and all that have it.
 */
function* containment({ contents, setOf, groups }: Compared, { threshold }: Bound): Steps<VisitCandidates> {
  const count = contents.length;
  const rarest = yield* rarestElements(count, setOf, threshold);
  const mayBeRarest = yield* filterOf(rarest);
  const held: BigUint64Array[] = [];
  for (let item = 0; item < count; item++) {
    held.push(elementsThat(mayBeRarest, setOf(item)));
    yield;
  }
  // Items count … 2·count − 1 are the documents again, with their rarest elements.
  const doubled = groups && Uint32Array.from({ length: 2 * count }, (_, item) => groups[item % count]!);
  const holding: number[][] = [];
  const seeking: number[][] = [];
  for (const [at, items] of (yield* groupSteps(yield* keyedItemSteps([...held, ...rarest]), doubled)).entries()) {
    if (at % STRETCH === 0) yield;
    if (items.at(-1)! < count) continue;
    // Items ascend, so documents stand before those that are the same with their rarest elements.
    const first = items.findIndex(item => item >= count);
    holding.push(items.slice(0, first));
    seeking.push(items.slice(first).map(item => item - count));
  }
  const [holders, seekers] = [yield* rowSteps(holding), yield* rowSteps(seeking)];
  const bucketsHeld = yield* transposedSteps(holders, count);
  const bucketsSought = yield* transposedSteps(seekers, count);
  return (item, see) => {
    for (const bucket of rowOf(bucketsSought, item)) for (const holder of rowOf(holders, bucket)) see(holder);
    for (const bucket of rowOf(bucketsHeld, item)) for (const seeker of rowOf(seekers, bucket)) see(seeker);
  };
}

/** Groups between two checkpoints. */
const STRETCH = 2 ** 12;

const MOST_BITS = 2 ** 27;

/** One bit for each element: what passes by accident is told apart when keys are grouped. */
function* filterOf(sets: readonly BigUint64Array[]): Steps<Uint32Array> {
  const elements = sets.reduce((sum, { length }) => sum + length, 0);
  const bits = new Uint32Array(Math.min(MOST_BITS, 2 ** Math.ceil(Math.log2(elements + 1) + 5)) / 32);
  for (const set of sets) {
    yield;
    const halves = halvesOf(set);
    for (let low = 0; low < halves.length; low += 2) {
      const bit = halves[low]! & (bits.length * 32 - 1);
      bits[bit >>> 5]! |= 1 << (bit & 31);
    }
  }
  return bits;
}

function elementsThat(bits: Uint32Array, set: BigUint64Array): BigUint64Array {
  const halves = halvesOf(set);
  return set.filter((_, i) => {
    const bit = halves[2 * i]! & (bits.length * 32 - 1);
    return (bits[bit >>> 5]! >>> (bit & 31)) & 1;
  });
}
