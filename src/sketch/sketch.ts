/** What a sketch is: its values, and all that two sketches must share to be compared. */
import { fail } from '../errors.ts';
import type { SketchKind } from '../model.ts';

/** How the elements came to be: sketches that differ in any of this are of different things. */
export interface SketchOrigin {
  /** `word:5`, `char:5`, or `set` for plain sets. */
  readonly shingle: string;
  /** The steps of --normalise, joined by commas. */
  readonly normalise: string;
  readonly seed: number;
}

interface Common extends SketchOrigin {
  /** As in --sketch: minima, bins, elements kept, modulus, or bits. */
  readonly size: number;
}

/** The minima of `size` permutations, of which `bits` bits each are kept. */
export interface MinHashSketch extends Common {
  readonly kind: 'minhash';
  readonly bits: number;
  readonly values: Uint32Array;
}

export interface OnePermutationHashSketch extends Common {
  readonly kind: 'oph';
  /** Bins that had an element of their own; the others have borrowed. */
  readonly filled: number;
  readonly values: Uint32Array;
}

/** `bottom`: the smallest `size` elements. `mod`: those that are 0 mod `size`. `super`: hashes of runs of a bottom sketch. */
export interface SampleSketch extends Common {
  readonly kind: 'bottom' | 'mod' | 'super';
  /** Distinct elements of the whole set. */
  readonly elements: number;
  readonly values: BigUint64Array;
}

export interface SimHashSketch extends Common {
  readonly kind: 'simhash';
  readonly elements: number;
  /** One 64-bit number. */
  readonly values: BigUint64Array;
}

export type Sketch = MinHashSketch | OnePermutationHashSketch | SampleSketch | SimHashSketch;

/** What a minimum is when there was nothing to take it of. */
export const NO_MINIMUM = 0xffffffff;

/**
 * A document without a shingle: it resembles nothing.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher();
 * isEmpty(sketcher.sketch('...')); // → true
 * ```
 */
export function isEmpty(sketch: Sketch): boolean {
  if (sketch.kind === 'minhash')
    return sketch.bits === 32 ? sketch.values[0] === NO_MINIMUM : sketch.values.length === 0;
  return sketch.kind === 'oph' ? sketch.filled === 0 : sketch.elements === 0;
}

/** Fails, naming each difference, when two sketches were not made alike. `mod` sketches may differ in size. */
export function requireComparable(a: Sketch, b: Sketch): void {
  const compared = ['kind', 'size', 'bits', 'shingle', 'normalise', 'seed'] as const;
  const fieldOf = (sketch: Sketch, field: (typeof compared)[number]) =>
    field === 'bits' ? (sketch.kind === 'minhash' ? sketch.bits : undefined) : sketch[field];
  const differences = compared
    .filter(field => !(field === 'size' && a.kind === 'mod' && b.kind === 'mod'))
    .filter(field => fieldOf(a, field) !== fieldOf(b, field))
    .map(field => `${field} ${show(fieldOf(a, field))} and ${show(fieldOf(b, field))}`);
  if (differences.length > 0) fail('SKETCH_MISMATCH', { differences });
}

/** The sketch as the one of the kind that is wanted. */
export function requireKind<Kind extends SketchKind>(sketch: Sketch, kind: Kind): Extract<Sketch, { kind: Kind }> {
  if (sketch.kind === kind) return sketch as Extract<Sketch, { kind: Kind }>;
  return fail('BAD_SKETCH', { reason: `${kind} wanted, this is ${sketch.kind}` });
}

function show(value: unknown): string {
  return value === '' ? 'none' : String(value ?? 'none');
}
