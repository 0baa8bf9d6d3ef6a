/** Two normalised texts (words joined by single spaces) → their edit distance and similarity, in code points. */
import { distance as bitParallelDistance } from 'fastest-levenshtein';
import { fail } from '../errors.ts';
import type { EditKernel, Symbols } from '../kernel/edit-kernel.ts';
import { diagonalDistance } from './diagonal-distance.ts';
import { asUnitStrings, symbolsOf, withoutSharedEnds } from './edit-symbols.ts';

/**
 * Least number of code points put in, left out or replaced that turns a into b. With a limit: undefined when the
 * distance is above it, which is often found out much sooner.
 *
 * Time: about distance² steps for similar texts, |a|·|b|/32 steps for different ones, whichever is less (up to half
 * more, as which one it is only shows on the way). Two texts of 1 MB with 1 % edits take about a second; two of 1 MB
 * with nothing in common take minutes, so give a limit where they may come.
 *
 * @example
 * ```ts
 * editDistance('kitten', 'sitting'); // → 3
 * editDistance('kitten', 'sitting', 2); // → undefined
 * ```
 */
export function editDistance(a: string, b: string): number;
export function editDistance(a: string, b: string, limit: number | undefined): number | undefined;
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number | undefined {
  if (a === b) return 0;
  return distanceOf(symbolsOf(a), symbolsOf(b), limit);
}

/**
 * 1 − distance / length of the longer. A text without words is at 0 from everything, another empty one included: as
 * for the other measures, a text of none resembles nothing.
 *
 * @example
 * ```ts
 * editSimilarity('kitten', 'sitting'); // → 0.5714285714285714
 * ```
 */
export function editSimilarity(a: string, b: string): number {
  return similarityWithin(a, b, () => Number.POSITIVE_INFINITY) ?? 0;
}

/**
 * The similarity if it is at or above the threshold, else undefined; gives up as soon as that is certain.
 *
 * @example
 * ```ts
 * editSimilarityAtLeast('kitten', 'mitten', 0.8); // → 0.8333333333333334
 * editSimilarityAtLeast('kitten', 'sitting', 0.8); // → undefined
 * ```
 */
export function editSimilarityAtLeast(a: string, b: string, threshold: number): number | undefined {
  if (!(threshold >= 0 && threshold <= 1))
    fail('BAD_OPTION', { option: 'threshold', expected: 'a number between 0 and 1', got: threshold });
  const similarity = similarityWithin(a, b, longer => mostEdits(longer, threshold));
  return similarity !== undefined && similarity >= threshold ? similarity : undefined;
}

/**
 * The same of two texts as code points, by the kernel: what cannot reach the threshold is left out of the table of
 * distances. Long texts take a fraction of the time.
 */
export function symbolSimilarityAtLeast(
  a: Symbols,
  b: Symbols,
  threshold: number,
  kernel: EditKernel,
): number | undefined {
  if (a.length === 0 || b.length === 0) return threshold === 0 ? 0 : undefined;
  const longer = Math.max(a.length, b.length);
  const distance = distanceByKernel(a, b, mostEdits(longer, threshold), kernel);
  return distance === undefined ? undefined : 1 - distance / longer;
}

function similarityWithin(a: string, b: string, limitFor: (longer: number) => number): number | undefined {
  if (a === '' || b === '') return 0;
  if (a === b) return 1;
  const symbolsA = symbolsOf(a);
  const symbolsB = symbolsOf(b);
  const longer = Math.max(symbolsA.length, symbolsB.length);
  const distance = distanceOf(symbolsA, symbolsB, limitFor(longer));
  return distance === undefined ? undefined : 1 - distance / longer;
}

/** The largest distance whose similarity, rounded as it will be, still reaches the threshold. */
function mostEdits(longer: number, threshold: number): number {
  let edits = Math.min(longer, Math.floor((1 - threshold) * longer) + 1);
  while (edits > 0 && 1 - edits / longer < threshold) edits--;
  return edits;
}

function distanceOf(fullA: Symbols, fullB: Symbols, limit: number): number | undefined {
  const [a, b] = withoutSharedEnds(fullA, fullB);
  if (a.length === 0 || b.length === 0) return within(Math.max(a.length, b.length), limit);
  const strings = a.length * b.length < wholeTableCells ? asUnitStrings(a, b) : undefined;
  if (strings) return within(bitParallelDistance(...strings), limit);
  const diagonal = diagonalDistance(a, b, limit, workBudget(a.length * b.length, limit));
  if ('distance' in diagonal) return diagonal.distance;
  if (diagonal.gaveUp === 'limit') return undefined;
  return within(unboundedDistance(a, b, limit), limit);
}

function distanceByKernel(fullA: Symbols, fullB: Symbols, limit: number, kernel: EditKernel): number | undefined {
  if (Math.abs(fullA.length - fullB.length) > limit) return undefined;
  const [a, b] = withoutSharedEnds(fullA, fullB);
  if (a.length === 0 || b.length === 0) return within(Math.max(a.length, b.length), limit);
  // Texts with few edits are done sooner along diagonals; this many steps tell.
  const diagonal = diagonalDistance(a, b, limit, DIAGONAL_STEPS * Math.max(a.length, b.length));
  if ('distance' in diagonal) return diagonal.distance;
  if (diagonal.gaveUp === 'limit') return undefined;
  return kernel.distanceWithin(a, b, limit, fullA);
}

/** For each symbol of the longer text: 6 ms for 1 MB, enough for 500 edits in it. */
const DIAGONAL_STEPS = 0.3;

/** Below this, the bit-parallel table is done before the choice of an algorithm pays. */
const wholeTableCells = 4096;

/**
 * The bit-parallel algorithm takes 32 cells a step, in about the time of a step on a diagonal (measured: 12 to 18 ns).
 * The diagonals may spend half its time before they give up; or all, if the limit ends them sooner than it would end.
 */
function workBudget(cells: number, limit: number): number {
  const bitParallelSteps = cells / 32;
  return limit ** 2 / 2 < bitParallelSteps ? bitParallelSteps : bitParallelSteps / 2;
}

function unboundedDistance(a: Symbols, b: Symbols, limit: number): number {
  const strings = asUnitStrings(a, b);
  if (strings) return bitParallelDistance(...strings);
  // More than 65,536 different characters in two texts: no library has room, the diagonals have.
  const diagonal = diagonalDistance(a, b, limit, Number.POSITIVE_INFINITY);
  return 'distance' in diagonal ? diagonal.distance : limit + 1;
}

function within(distance: number, limit: number): number | undefined {
  return distance <= limit ? distance : undefined;
}
