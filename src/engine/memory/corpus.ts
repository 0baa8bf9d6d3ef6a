/** Documents → what a run knows of each: its content, its candidate keys, and its set of shingles when asked. */

import { fail } from '../../errors.ts';
import type { Document, GivenDocument } from '../../model.ts';
import { numberIn } from '../../similarity/numbering.ts';
import type { Sketch } from '../../sketch/sketch.ts';
import { createAnalyser } from '../analyse/analyse.ts';
import { contentOf, isSet } from '../analyse/content.ts';
import { groupOf } from '../analyse/group-of.ts';
import { createLoggedContent } from '../analyse/logged-content.ts';
import { shortTextsOf } from '../analyse/short-texts.ts';
import type { Comparable } from '../decide/compare-items.ts';
import type { Run } from '../decide/decisions.ts';
import { createEditMeasure } from '../decide/edit-items.ts';
import { keepOrder } from '../decide/keep-order.ts';
import { preferredFirst } from '../decide/preferred-first.ts';
import { cacheSets } from '../decide/set-cache.ts';
import {
  bookOf,
  type DecisionCounts,
  type GivenDecisions,
  itemsNamed,
  type SettledDecisions,
  settleDecisions,
} from '../decide/settle-decisions.ts';
import { Verdicts } from '../decide/verdicts.ts';
import { Pace } from '../pace.ts';
import type { RunOptions } from '../run-options.ts';
import { type Sketcher, sketcherOf } from '../sketcher.ts';

/** Code points remembered for edit distances. */
const SYMBOL_BYTES = 128 * 2 ** 20;

/** Documents, one after another. */
export type Documents<Given extends GivenDocument = Document> = AsyncIterable<Given> | Iterable<Given>;

export interface Corpus extends Comparable {
  readonly documents: readonly Document[];
  /** The first ones are a reference set: never removed, always kept, never written. */
  readonly protectedCount: number;
  /** Documents that share a key or an element are candidates; a document without words has none. */
  readonly keys: readonly BigUint64Array[];
  readonly elements: readonly BigUint64Array[];
  readonly groups: Uint32Array | undefined;
  /** Every item once, the one to keep first. */
  readonly order: Uint32Array;
  /** The first with the same text in keep order, which alone has keys; every item has its own, if not given. */
  readonly firstOf?: Uint32Array | undefined;
  setOf(item: number): BigUint64Array;
  /** Given with decisions that people made. */
  readonly decisions?: DecisionCounts | undefined;
}

interface CorpusSettings {
  readonly withKeys: boolean;
  readonly pace?: Pace | undefined;
  readonly decisions?: GivenDecisions | undefined;
}

async function createCorpus(
  documents: Documents,
  reference: Documents,
  options: RunOptions,
  sketcher: Sketcher,
  { withKeys, pace = new Pace(), decisions }: CorpusSettings,
): Promise<Corpus> {
  const { analyse, setOf: makeSet } = createAnalyser(options, sketcher, shortTextsOf(options));
  const all: Document[] = [];
  const keys: BigUint64Array[] = [];
  const elements: BigUint64Array[] = [];
  const sketches: Sketch[] = [];
  const contents: number[] = [];
  const contentNumbers = new Map<bigint, number>();
  const add = (document: Document) => {
    if (options.measure === 'edit' && document.text === undefined)
      fail('BAD_DOCUMENT', { id: document.id, reason: 'a set has no order to edit; measure edit is for texts' });
    all.push(document);
    if (!withKeys) {
      contents.push(numberIn(contentNumbers, contentOf(document, sketcher.kernel)));
      return;
    }
    const known = analyse(document);
    contents.push(numberIn(contentNumbers, known.content));
    keys.push(known.keys);
    elements.push(known.elements);
    if (options.verify !== 'exact') sketches.push(known.sketch);
  };
  const addAll = async (list: Documents) => {
    for await (const document of list) {
      add(document);
      if (pace.isDue) await pace.rest({ stage: 'sketch', done: all.length });
    }
  };
  await addAll(reference);
  const protectedCount = all.length;
  await addAll(documents);
  const setOf = cacheSets(item => makeSet(all[item]!));
  // Where each set is asked for in one go, it is made before, with pauses; it stays while there is room.
  if (options.measure === 'containment' || !withKeys) {
    for (let item = 0; item < all.length; item++) {
      setOf(item);
      if (pace.isDue) await pace.rest({ stage: 'sketch', done: all.length });
    }
  }
  const textOf = (item: number) => sketcher.words(all[item]!.text ?? '').join(' ');
  const editMeasure = options.measure === 'edit' ? await createEditMeasure() : undefined;
  const groups = groupsOf(all, options.by);
  const order = keepOrder({ documents: all, protectedCount, setOf }, options);
  const settled = decisions && (await settle(decisions, all, groups, sketcher, options.seed));
  return {
    documents: all,
    protectedCount,
    keys,
    elements,
    contents: Uint32Array.from(contents),
    groups,
    order: settled ? preferredFirst(order, settled.preferred, protectedCount) : order,
    decided: settled && new Verdicts(settled),
    decisions: settled?.counts,
    setOf,
    sizeOf: item => setOf(item).length,
    shared: (a, b, least) => sketcher.kernel.intersectionSize(setOf(a), setOf(b), least),
    estimate: (a, b) => sketcher.estimate(sketches[a]!, sketches[b]!)?.value ?? 0,
    editSimilarity: editMeasure?.similarity(textOf, SYMBOL_BYTES),
    editEffort: editMeasure?.effort,
  };
}

async function settle(
  decisions: GivenDecisions,
  documents: readonly Document[],
  groups: Uint32Array | undefined,
  { kernel }: Sketcher,
  seed: number,
): Promise<SettledDecisions> {
  const book = bookOf(decisions);
  const contentOf = await createLoggedContent(seed, kernel);
  return settleDecisions(book, {
    itemOf: itemsNamed(
      book,
      documents.map(({ id }) => id),
    ),
    contentOf: item => contentOf(documents[item]!),
    areComparable: (a, b) => groups === undefined || groups[a] === groups[b],
  });
}

/** Texts and sets are apart, and so are different values of the field; documents without it are a group too. */
function groupsOf(documents: readonly Document[], field: string | undefined): Uint32Array | undefined {
  const isMixed = documents.some(isSet) && !documents.every(isSet);
  if (field === undefined && !isMixed) return undefined;
  const groups = new Map<string, number>();
  return Uint32Array.from(documents, document =>
    numberIn(groups, `${isSet(document)} ${groupOf(document, field) ?? ''}`),
  );
}

/** Documents that are analysed, and the options they are decided on by. `exact`: for pairs found without LSH. */
export async function openRun(
  documents: Documents,
  protect: Documents,
  options: RunOptions,
  exact = false,
  pace?: Pace,
  decisions?: GivenDecisions,
): Promise<Run> {
  const sketcher = await sketcherOf(options);
  const settings = { withKeys: !exact, pace, decisions };
  return { corpus: await createCorpus(documents, protect, options, sketcher, settings), options };
}
