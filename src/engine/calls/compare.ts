/** Two documents → every measure, exactly and as their sketches estimate it, and the passages they share. */
import { fail } from '../../errors.ts';
import type { GivenDocument, Passage } from '../../model.ts';
import { type NameOf, plainName } from '../../options.ts';
import { editSimilarity } from '../../similarity/edit.ts';
import { allShared, type Measures } from '../../similarity/measures.ts';
import { sharedPassages } from '../../similarity/passages.ts';
import { estimateContainment, estimateCosine, estimateResemblance } from '../../sketch/estimate.ts';
import type { Sketch } from '../../sketch/sketch.ts';
import { elementsOf, withList } from '../analyse/elements.ts';
import { createSketcher, type GivenSketcherOptions, type Sketchable, type Sketcher } from '../sketcher.ts';

export interface EstimatedResemblance {
  readonly resemblance: number;
  readonly standardError: number;
}

/** Of `mod` sketches. A containment is null when nothing of that document was sampled. */
export interface EstimatedContainment extends EstimatedResemblance {
  readonly containmentAB: number | null;
  readonly standardErrorAB: number | null;
  readonly containmentBA: number | null;
  readonly standardErrorBA: number | null;
}

/** Of `simhash`. */
export interface EstimatedCosine {
  readonly cosine: number;
  readonly standardError: number;
}

export interface Comparison extends Measures {
  /** Null for sets, which have no order to edit, and for texts past the limit that was set. */
  readonly editSimilarity: number | null;
  /** Null when the sketches tell nothing: `super` never does, `mod` not when it sampled nothing. */
  readonly estimated: EstimatedResemblance | EstimatedContainment | EstimatedCosine | null;
}

export interface ComparisonWithPassages extends Comparison {
  /** In the order of a. None for sets. */
  readonly passages: readonly Passage[];
}

export interface CompareLimits {
  /**
   * Edit similarity is left out when the product of both lengths is larger: two unlike texts of 1 MB take minutes, and
   * a service has others waiting. No limit unless given.
   */
  readonly maxEditCells?: number;
}

/**
 * Two documents, texts or sets → every measure, exact, and the estimate of their sketches.
 *
 * @example
 * ```ts
 * const { resemblance, containmentAB } = await compare('a b c d', 'a b c', { shingle: 'word:2' });
 * [resemblance, containmentAB]; // → [ 0.6666666666666666, 0.6666666666666666 ]
 * ```
 */
export async function compare(
  a: Sketchable,
  b: Sketchable,
  given: GivenSketcherOptions = {},
  nameOf: NameOf = plainName,
): Promise<Comparison> {
  return compareUsing(await createSketcher(given, nameOf), a, b);
}

/**
 * The same, with the passages the two texts share.
 *
 * @example
 * ```ts
 * const { passages } = await compareWithPassages('x a b c', 'a b c y', { shingle: 'word:2' });
 * passages; // → [ { a: [ 2, 7 ], b: [ 0, 5 ] } ]
 * ```
 */
export async function compareWithPassages(
  a: Sketchable,
  b: Sketchable,
  given: GivenSketcherOptions = {},
  nameOf: NameOf = plainName,
): Promise<ComparisonWithPassages> {
  const sketcher = await createSketcher(given, nameOf);
  return { ...compareUsing(sketcher, a, b), passages: passagesUsing(sketcher, a, b) };
}

/**
 * The same, synchronously, with a sketcher that is there already.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ shingle: 'word:2' });
 * compareUsing(sketcher, 'a b c d', 'a b c').resemblance; // → 0.6666666666666666
 * ```
 */
export function compareUsing(sketcher: Sketcher, a: Sketchable, b: Sketchable, limits: CompareLimits = {}): Comparison {
  requireSameKind(a, b);
  // What can be gone through only once is needed twice.
  const [listedA, listedB] = [listed(a), listed(b)];
  const [setA, setB] = [sketcher.set(listedA), sketcher.set(listedB)];
  const estimated = estimateOf(sketcher.sketch(listedA), sketcher.sketch(listedB));
  if (areEqualAndEmpty([a, setA], [b, setB]))
    return {
      ...allShared,
      editSimilarity: textOf(a) === undefined ? null : 1,
      estimated: estimated && { ...estimated, ...('cosine' in estimated ? { cosine: 1 } : { resemblance: 1 }) },
    };
  return { ...sketcher.compare(setA, setB), editSimilarity: editSimilarityOf(sketcher, a, b, limits), estimated };
}

/** Whether two documents without a single shingle or element are equal all the same. */
export function areEqualAndEmpty(
  [a, setA]: readonly [Sketchable, BigUint64Array],
  [b, setB]: readonly [Sketchable, BigUint64Array],
): boolean {
  return setA.length === 0 && setB.length === 0 && textOf(a) === textOf(b);
}

/**
 * Runs of the words as they were written, so that the ranges are of the texts as they came; `keep-case` counts.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ shingle: 'word:2' });
 * passagesUsing(sketcher, 'x a b c', 'a b c y'); // → [ { a: [ 2, 7 ], b: [ 0, 5 ] } ]
 * ```
 */
export function passagesUsing({ options }: Sketcher, a: Sketchable, b: Sketchable): Passage[] {
  const [textA, textB] = [textOf(a), textOf(b)];
  if (textA === undefined || textB === undefined) return [];
  return sharedPassages(textA, textB, {
    shingle: options.shingle,
    keepCase: options.normalise.includes('keep-case'),
  });
}

function listed(document: Sketchable): Sketchable {
  return typeof document === 'string' ? document : (elementsOf(document) ?? withList(document as GivenDocument));
}

function requireSameKind(a: Sketchable, b: Sketchable): void {
  if ((textOf(a) === undefined) !== (textOf(b) === undefined))
    fail('BAD_DOCUMENT', { reason: 'a text and a set cannot be compared' });
}

function textOf(document: Sketchable): string | undefined {
  if (typeof document === 'string') return document;
  const { text } = Object(document) as { text?: unknown };
  return typeof text === 'string' ? text : undefined;
}

function editSimilarityOf(
  sketcher: Sketcher,
  a: Sketchable,
  b: Sketchable,
  { maxEditCells = Number.POSITIVE_INFINITY }: CompareLimits,
): number | null {
  const [textA, textB] = [textOf(a), textOf(b)];
  if (textA === undefined || textB === undefined) return null;
  const [wordsA, wordsB] = [sketcher.words(textA).join(' '), sketcher.words(textB).join(' ')];
  return wordsA.length * wordsB.length > maxEditCells ? null : editSimilarity(wordsA, wordsB);
}

function estimateOf(a: Sketch, b: Sketch): Comparison['estimated'] {
  if (a.kind === 'super') return null;
  if (a.kind === 'simhash') {
    const { value: cosine, standardError } = estimateCosine(a, b);
    return { cosine, standardError };
  }
  const estimate = estimateResemblance(a, b);
  if (estimate === undefined) return null;
  const { value: resemblance, standardError } = estimate;
  if (a.kind !== 'mod') return { resemblance, standardError };
  const [ofA, ofB] = [estimateContainment(a, b), estimateContainment(b, a)];
  return {
    resemblance,
    standardError,
    containmentAB: ofA?.value ?? null,
    standardErrorAB: ofA?.standardError ?? null,
    containmentBA: ofB?.value ?? null,
    standardErrorBA: ofB?.standardError ?? null,
  };
}
