/** Documents → what a run knows of each: its content, its candidate keys, and its set of shingles when asked. */

import { fail } from '../errors.ts';
import type { Document } from '../model.ts';
import { isEmpty, type Sketch } from '../sketch/sketch.ts';
import { createCandidateKeys, noKeys } from './candidate-keys.ts';
import type { Comparable } from './compare-items.ts';
import { contentOf, isSet } from './content.ts';
import { createEditMeasure } from './edit-items.ts';
import { groupOf } from './group-of.ts';
import { keepOrder } from './keep-order.ts';
import type { RunOptions } from './run-options.ts';
import { cacheSets } from './set-cache.ts';
import type { Sketcher } from './sketcher.ts';

/** Code points remembered for edit distances. */
const SYMBOL_BYTES = 128 * 2 ** 20;

export type Documents = AsyncIterable<Document> | Iterable<Document>;

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
  setOf(item: number): BigUint64Array;
}

export async function createCorpus(
  documents: Documents,
  reference: Documents,
  options: RunOptions,
  sketcher: Sketcher,
  { withKeys }: { readonly withKeys: boolean },
): Promise<Corpus> {
  const keysOf = createCandidateKeys(options, sketcher.kernel);
  const all: Document[] = [];
  const keys: BigUint64Array[] = [];
  const elements: BigUint64Array[] = [];
  const sketches: Sketch[] = [];
  const contents = createNumbering();
  const add = (document: Document) => {
    if (options.measure === 'edit' && document.text === undefined)
      fail('BAD_DOCUMENT', { id: document.id, reason: 'a set has no order to edit; measure edit is for texts' });
    all.push(document);
    contents.add(contentOf(document, sketcher.kernel));
    if (!withKeys) return;
    const sketch = sketcher.sketch(document);
    const found = isEmpty(sketch) ? noKeys : keysOf(sketch, () => sketcher.set(document));
    keys.push(found.keys);
    elements.push(found.elements);
    if (options.verify !== 'exact') sketches.push(sketch);
  };
  for await (const document of reference) add(document);
  const protectedCount = all.length;
  for await (const document of documents) add(document);
  const setOf = cacheSets(item => sketcher.set(all[item]!));
  const textOf = (item: number) => sketcher.words(all[item]!.text ?? '').join(' ');
  return {
    documents: all,
    protectedCount,
    keys,
    elements,
    contents: contents.numbers(),
    groups: groupsOf(all, options.by),
    order: keepOrder({ documents: all, protectedCount, setOf }, options),
    setOf,
    sizeOf: item => setOf(item).length,
    shared: (a, b) => sketcher.kernel.intersectionSize(setOf(a), setOf(b)),
    estimate: (a, b) => sketcher.estimate(sketches[a]!, sketches[b]!)?.value ?? 0,
    editSimilarity: options.measure === 'edit' ? (await createEditMeasure())(textOf, SYMBOL_BYTES) : undefined,
  };
}

/** Texts and sets are apart, and so are different values of the field; documents without it are a group too. */
function groupsOf(documents: readonly Document[], field: string | undefined): Uint32Array | undefined {
  const isMixed = documents.some(isSet) && !documents.every(isSet);
  if (field === undefined && !isMixed) return undefined;
  const groups = createNumbering();
  for (const document of documents) groups.add(`${isSet(document)} ${groupOf(document, field) ?? ''}`);
  return groups.numbers();
}

/** Values → numbers, equal for equal values, in order of first appearance. */
function createNumbering() {
  const numberOf = new Map<unknown, number>();
  const given: number[] = [];
  return {
    add(value: unknown): void {
      const number = numberOf.get(value) ?? numberOf.size;
      numberOf.set(value, number);
      given.push(number);
    },
    numbers: () => Uint32Array.from(given),
  };
}
