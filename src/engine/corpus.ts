/** Documents → what a run knows of each: its content, its candidate keys, and its set of shingles when asked. */
import type { Document } from '../model.ts';
import { isEmpty, type Sketch } from '../sketch/sketch.ts';
import { createCandidateKeys } from './candidate-keys.ts';
import { keepOrder } from './keep-order.ts';
import type { RunOptions } from './run-options.ts';
import { cacheSets } from './set-cache.ts';
import type { Sketcher } from './sketcher.ts';

export type Documents = AsyncIterable<Document> | Iterable<Document>;

export interface Corpus {
  readonly documents: readonly Document[];
  /** The first ones are a reference set: never removed, always kept, never written. */
  readonly protectedCount: number;
  /** Documents that share a key are candidates; none for a document without words. */
  readonly keys: readonly BigUint64Array[];
  /** Keys of more documents than this say nothing. */
  readonly maxDocumentsOfKey: number;
  /** Equal numbers: texts equal byte for byte. */
  readonly contents: Uint32Array;
  /** Only documents of one group are compared; undefined when there is one group. */
  readonly groups: Uint32Array | undefined;
  /** Every item once, the one to keep first. */
  readonly order: Uint32Array;
  setOf(item: number): BigUint64Array;
  shared(a: number, b: number): number;
  estimate(a: number, b: number): number;
  /** The words joined by spaces. */
  textOf(item: number): string;
}

export async function createCorpus(
  documents: Documents,
  reference: Documents,
  options: RunOptions,
  sketcher: Sketcher,
): Promise<Corpus> {
  const { of: keysOf, maxDocuments = Number.POSITIVE_INFINITY } = createCandidateKeys(options, sketcher.kernel);
  const all: Document[] = [];
  const keys: BigUint64Array[] = [];
  const sketches: Sketch[] = [];
  const contents = createNumbering();
  const add = (document: Document) => {
    const sketch = sketcher.sketch(document);
    all.push(document);
    keys.push(isEmpty(sketch) ? new BigUint64Array(0) : keysOf(sketch, () => sketcher.set(document)));
    if (options.verify !== 'exact') sketches.push(sketch);
    contents.add(contentOf(document, sketcher));
  };
  for await (const document of reference) add(document);
  const protectedCount = all.length;
  for await (const document of documents) add(document);
  const setOf = cacheSets(item => sketcher.set(all[item]!));
  return {
    documents: all,
    protectedCount,
    keys,
    maxDocumentsOfKey: maxDocuments,
    contents: contents.numbers(),
    groups: options.by === undefined ? undefined : groupsOf(all, options.by),
    order: keepOrder({ documents: all, protectedCount, setOf }, options),
    setOf,
    shared: (a, b) => sketcher.kernel.intersectionSize(setOf(a), setOf(b)),
    estimate: (a, b) => sketcher.estimate(sketches[a]!, sketches[b]!)?.value ?? 0,
    textOf: item => sketcher.words(all[item]!.text ?? '').join(' '),
  };
}

/** Texts are equal when their bytes are; sets when their elements are. */
function contentOf({ text, set }: Document, sketcher: Sketcher): bigint {
  const { kernel } = sketcher;
  if (text !== undefined) return kernel.read(text).contentHash;
  const elements = kernel.elementSet(set!);
  return kernel.read(new Uint8Array(elements.buffer)).contentHash;
}

function groupsOf(documents: readonly Document[], field: string): Uint32Array {
  const groups = createNumbering();
  for (const document of documents) groups.add(JSON.stringify(document[field]));
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
