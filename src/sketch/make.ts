/** A text or a set of hashes → its sketch. */
import type { Kernel, Text } from '../kernel/contract.ts';
import type { SketchSpec } from '../model.ts';
import { keepBits } from './minhash.ts';
import { modulusFor } from './sample.ts';
import type { Sketch, SketchOrigin } from './sketch.ts';
import { superShingles } from './super-shingles.ts';

export interface SketchRecipe {
  readonly sketch: SketchSpec;
  /** Bits kept of each minimum of a `minhash` sketch. */
  readonly bits: number;
  readonly origin: SketchOrigin;
}

/** MinHash and one-permutation sketches are made in one pass over the text; the others need its set of shingles. */
export function sketchText(kernel: Kernel, text: Text, recipe: SketchRecipe): Sketch {
  const { kind, size } = recipe.sketch;
  if (kind === 'minhash')
    return keepBits({ ...recipe.origin, kind, size, bits: 32, values: kernel.minhash(text) }, recipe.bits);
  if (kind === 'oph') return { ...recipe.origin, kind, size, ...kernel.onePermutation(text) };
  return sketchSet(kernel, kernel.shingleSet(text), recipe);
}

/** From sorted distinct hashes. */
export function sketchSet(
  kernel: Kernel,
  set: BigUint64Array,
  { sketch: { kind, size }, bits, origin }: SketchRecipe,
): Sketch {
  const elements = set.length;
  switch (kind) {
    case 'minhash':
      return keepBits({ ...origin, kind, size, bits: 32, values: kernel.minhashOf(set) }, bits);
    case 'oph':
      return { ...origin, kind, size, ...kernel.onePermutationOf(set) };
    case 'bottom':
      return { ...origin, kind, size, elements, values: set.slice(0, size) };
    case 'mod': {
      const modulus = size === 0 ? modulusFor(elements) : size;
      return { ...origin, kind, size: modulus, elements, values: kernel.modOf(set, modulus) };
    }
    case 'super':
      return { ...origin, kind, size, elements, values: superShingles(set.subarray(0, size)) };
    case 'simhash':
      return { ...origin, kind, size, elements, values: BigUint64Array.of(kernel.simhashOf(set)) };
  }
}
