/** Items with texts → a measure of two of them by edit distance that remembers their code points. */
import { createEditKernel, type EditKernel } from '../../kernel/edit-kernel.ts';
import { symbolSimilarityAtLeast } from '../../similarity/edit.ts';
import { symbolsOf } from '../../similarity/edit-symbols.ts';
import { cacheSets } from './set-cache.ts';

/** The similarity of two items if it is at or above the threshold, else undefined. */
export type EditSimilarity = (a: number, b: number, threshold: number) => number | undefined;

/** In comparisons of shingle sets that take as long, since it was asked last. */
export type EditEffort = () => number;

/** Given the words of an item, joined by spaces. */
export interface EditMeasure {
  similarity(textOf: (item: number) => string, cachedBytes: number): EditSimilarity;
  readonly effort: EditEffort;
}

const REMEMBERED = 100_000;

/** Blocks of 64 cells: 0.24 µs, so that a run is said to take long after four minutes of work. */
const BLOCKS_PER_COMPARISON = 128;

export async function createEditMeasure(): Promise<EditMeasure> {
  const kernel = await createEditKernel();
  let workBefore = 0;
  return {
    similarity: (textOf, cachedBytes) => rememberingSimilarity(textOf, cachedBytes, kernel),
    effort() {
      const work = kernel.work();
      const effort = (work - workBefore) / BLOCKS_PER_COMPARISON;
      workBefore = work;
      return effort;
    },
  };
}

function rememberingSimilarity(
  textOf: (item: number) => string,
  cachedBytes: number,
  kernel: EditKernel,
): EditSimilarity {
  const symbols = cacheSets(item => symbolsOf(textOf(item)), cachedBytes);
  // The evidence asks again for the pair that was found last.
  const lastFound = new Map<number, { readonly b: number; readonly similarity: number }>();
  return (a, b, threshold) => {
    const known = lastFound.get(a);
    if (known?.b === b) return known.similarity >= threshold ? known.similarity : undefined;
    const similarity = symbolSimilarityAtLeast(symbols(a), symbols(b), threshold, kernel);
    if (similarity === undefined) return undefined;
    if (lastFound.size === REMEMBERED) lastFound.clear();
    lastFound.set(a, { b, similarity });
    return similarity;
  };
}
