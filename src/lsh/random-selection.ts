/** A MinHash sketch → one key for each of many signatures, each made of a few minima chosen at random. */
import { fail } from '../errors.ts';
import { bandKey, GOLDEN, mix, u64 } from '../kernel/hash.ts';

/**
 * For each signature, the distinct positions (from 0, ascending) of the minima it is made of; the seed decides.
 *
 * @example
 * ```ts
 * selectPositions(2, 3, 8, 1).map(positions => positions.length); // → [ 3, 3 ]
 * ```
 */
export function selectPositions(bands: number, rows: number, sketchSize: number, seed: number): Uint32Array[] {
  const draw = seededDraw(seed);
  return Array.from({ length: bands }, () => distinctPositions(rows, sketchSize, draw));
}

/**
 * A sketch and the positions of `selectPositions` → one key for each signature.
 *
 * @example
 * ```ts
 * selectionKeys(Uint32Array.of(5, 6, 7, 8), selectPositions(3, 2, 4, 1)).length; // → 3
 * ```
 */
export function selectionKeys(sketch: Uint32Array, selection: readonly Uint32Array[]): BigUint64Array {
  return BigUint64Array.from(selection, (positions, band) => bandKey(band, sketch, positions));
}

/**
 * The same in readable form: minima joined by `-`. Positions count from 1, as in LSH₁₃₄ = horse-ant-dog.
 *
 * @example
 * ```ts
 * signatureOf(['horse', 'cat', 'ant', 'dog'], [1, 3, 4]); // → 'horse-ant-dog'
 * ```
 */
export function signatureOf(minima: readonly string[], positions: readonly number[]): string {
  const chosen = positions.map(
    position =>
      minima[position - 1] ??
      fail('BAD_OPTION', { option: 'position', expected: `between 1 and ${minima.length}`, got: position }),
  );
  return chosen.join('-');
}

/** Floyd's sampling: every subset is equally likely, with one draw for each element. */
function distinctPositions(count: number, size: number, draw: (below: number) => number): Uint32Array {
  const chosen = new Set<number>();
  for (let last = size - count; last < size; last++) {
    const position = draw(last + 1);
    chosen.add(chosen.has(position) ? last : position);
  }
  return Uint32Array.from(chosen).sort();
}

/** Whole numbers below a bound, from a counter that is mixed (SplitMix); the same on every machine. */
function seededDraw(seed: number): (below: number) => number {
  let state = mix(u64(BigInt(seed) + GOLDEN));
  return below => {
    state = u64(state + GOLDEN);
    // The upper half of a 128-bit product: its bias, below/2⁶⁴, cannot be measured.
    return Number((mix(state) * BigInt(below)) >> 64n);
  };
}
