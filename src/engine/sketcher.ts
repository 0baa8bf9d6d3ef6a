/** Options → a sketcher: documents in, words, shingle sets and sketches out, synchronously. */
import { fail } from '../errors.ts';
import type { Kernel } from '../kernel/contract.ts';
import { createKernel } from '../kernel/wasm-kernel.ts';
import { splitWords } from '../kernel/words.ts';
import type { Elements, Estimate, GivenDocument } from '../model.ts';
import { type GivenOptions, type NameOf, type Options, plainName, readOptions } from '../options.ts';
import { type Measures, measuresOf } from '../similarity/measures.ts';
import { estimateResemblance } from '../sketch/estimate.ts';
import { type SketchRecipe, sketchSet, sketchText } from '../sketch/make.ts';
import type { Sketch, SketchOrigin } from '../sketch/sketch.ts';
import { loadNormaliser } from '../text/load-normaliser.ts';
import { elementsOf } from './analyse/elements.ts';

const sketcherOptions = ['shingle', 'sketch', 'bits', 'normalise', 'seed'] as const;
export type SketcherOptions = Options<(typeof sketcherOptions)[number]>;
export type GivenSketcherOptions = GivenOptions<(typeof sketcherOptions)[number]>;

/** A document, its text alone, or its elements alone. */
export type Sketchable = string | Elements | Pick<GivenDocument, 'text' | 'set'>;

export interface Sketcher {
  readonly options: SketcherOptions;
  readonly kernel: Kernel;
  /** The text after the steps of --normalise. The kernel folds case and splits words after that. */
  normalise(text: string): string;
  words(text: string): string[];
  /** The sorted distinct hashes of a document's shingles, or of a set's elements. */
  set(document: Sketchable): BigUint64Array;
  sketch(document: Sketchable): Sketch;
  /** Exact measures of two sets made by `set`. */
  compare(a: BigUint64Array, b: BigUint64Array): Measures;
  estimate(a: Sketch, b: Sketch): Estimate | undefined;
}

/**
 * Options → a sketcher. It loads the kernel once; its calls are synchronous.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ shingle: 'word:2', sketch: 'minhash:128' });
 * sketcher.words('A rose!'); // → [ 'a', 'rose' ]
 * sketcher.set('a rose is a rose').length; // → 3
 * ```
 */
export async function createSketcher(given: GivenSketcherOptions = {}, nameOf: NameOf = plainName): Promise<Sketcher> {
  return sketcherWith(readOptions(sketcherOptions, given, nameOf), nameOf);
}

/** The same with options that a command has read before; those it does not offer have their defaults. */
export async function sketcherWith(read: Partial<SketcherOptions>, nameOf: NameOf): Promise<Sketcher> {
  const options = { ...readOptions(sketcherOptions, {}), ...read };
  requireBits(options, nameOf);
  return sketcherOf(options);
}

/** The same with all the options, as a run or an index has them. */
export async function sketcherOf(given: Omit<SketcherOptions, 'bits'> & { readonly bits?: number }): Promise<Sketcher> {
  const { shingle, sketch, normalise, seed, bits = 32 } = given;
  const options = { shingle, sketch, normalise, seed, bits };
  const keepCase = normalise.includes('keep-case');
  const hashes = sketch.kind === 'minhash' || sketch.kind === 'oph' ? sketch.size : 1;
  const kernel = await createKernel({ shingle, keepCase, seed, hashes });
  const normaliseText = await loadNormaliser(normalise);
  const ofTexts: SketchRecipe = { sketch, bits, origin: originOf(options) };
  const ofSets: SketchRecipe = { ...ofTexts, origin: { shingle: 'set', normalise: '', seed } };
  return {
    options,
    kernel,
    normalise: normaliseText,
    words: text => splitWords(normaliseText(text), keepCase).map(({ word }) => word),
    set(document) {
      const { text, elements } = contentOf(document);
      return text === undefined ? kernel.elementSet(elements) : kernel.shingleSet(normaliseText(text));
    },
    sketch(document) {
      const { text, elements } = contentOf(document);
      return text === undefined
        ? sketchSet(kernel, kernel.elementSet(elements), ofSets)
        : sketchText(kernel, normaliseText(text), ofTexts);
    },
    compare: (a, b) => measuresOf(a.length, b.length, kernel.intersectionSize(a, b)),
    estimate: estimateResemblance,
  };
}

/** What sketches of texts are made with: only those of one origin can be compared. */
export function originOf({
  shingle,
  normalise,
  seed,
}: Pick<SketcherOptions, 'shingle' | 'normalise' | 'seed'>): SketchOrigin {
  return { shingle: `${shingle.unit}:${shingle.size}`, normalise: normalise.join(','), seed };
}

function requireBits({ sketch, bits }: SketcherOptions, nameOf: NameOf): void {
  if (bits === 32 || sketch.kind === 'minhash') return;
  fail('BAD_COMBINATION', {
    what: `${nameOf('bits')} with ${nameOf('sketch')} ${sketch.kind}`,
    why: 'only minima of minhash have a b-bit form',
  });
}

function contentOf(
  document: Sketchable,
): { text: string; elements?: never } | { text?: never; elements: readonly (string | number)[] } {
  if (typeof document === 'string') return { text: document };
  const { text, set } = Object(document) as { text?: unknown; set?: unknown };
  if (typeof text === 'string') return { text };
  const elements = elementsOf(document) ?? elementsOf(set);
  if (elements) return { elements };
  return fail('BAD_DOCUMENT', { reason: 'a document has a text (a string) or a set (a list of strings or numbers)' });
}
