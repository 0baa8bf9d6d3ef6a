/** Steps of `--normalise` → their normaliser, loading word lists and stemmers (100 ms and more) only when one is asked for. */
import type { NormaliseStep } from '../options.ts';
import type { Normaliser } from './normalise.ts';

/**
 * Steps of `--normalise` → a function that applies them to a text.
 *
 * @example
 * ```ts
 * const normalise = await loadNormaliser(['stopwords:en', 'stem:en']);
 * normalise('the running dogs'); // → 'run dog'
 * ```
 */
export async function loadNormaliser(steps: readonly NormaliseStep[]): Promise<Normaliser> {
  if (steps.every(step => step === 'keep-case')) return text => text;
  const { createNormaliser } = await import('./normalise.ts');
  return createNormaliser(steps);
}
