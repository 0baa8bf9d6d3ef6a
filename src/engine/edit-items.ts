/** Items with texts → a measure of two of them by edit distance that remembers their code points. */
import { createEditKernel } from '../kernel/edit-kernel.ts';
import { symbolSimilarityAtLeast } from '../similarity/edit.ts';
import { symbolsOf } from '../similarity/edit-symbols.ts';
import { cacheSets } from './set-cache.ts';

/** The similarity of two items if it is at or above the threshold, else undefined. */
export type EditSimilarity = (a: number, b: number, threshold: number) => number | undefined;

/** Given the words of an item, joined by spaces. */
export type EditMeasure = (textOf: (item: number) => string, cachedBytes: number) => EditSimilarity;

const REMEMBERED = 100_000;

export async function createEditMeasure(): Promise<EditMeasure> {
  const kernel = await createEditKernel();
  return (textOf, cachedBytes) => {
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
  };
}
