/** Numbers → permuted numbers: the black box BB(i, x) on 64 bits, and permutations written out as tables or orderings. */
import { fail } from '../errors.ts';
import { invertPermutedHash, keyOf, mix, permutationMultiplier, permuteHash, u64, unmix } from '../kernel/hash.ts';

export interface Permutation {
  apply(x: bigint): bigint;
  invert(y: bigint): bigint;
}

/**
 * The i-th seeded permutation of the 64-bit numbers: a true bijection. The sketches use the same family on shingle
 * hashes, which are mixed already, in a shuffled order, and keep the first 32 bits of the smallest image.
 *
 * @example
 * ```ts
 * const permute = createPermutation(0);
 * permute.invert(permute.apply(7n)); // → 7n
 * ```
 */
export function createPermutation(index: number, seed = 1): Permutation {
  if (!Number.isInteger(index) || index < 0 || index > 4095) {
    fail('BAD_OPTION', { option: 'index', expected: 'a whole number between 0 and 4095', got: index });
  }
  const key = keyOf(seed, 6);
  const multiplier = permutationMultiplier(index, seed);
  return {
    apply: x => permuteHash(mix(u64(x) ^ key), multiplier),
    invert: y => unmix(invertPermutedHash(u64(y), multiplier)) ^ key,
  };
}

/**
 * π(A) for a permutation written out: `table[x]` is π(x).
 *
 * @example
 * ```ts
 * permuteByTable([0, 2], [2, 0, 1]); // → [ 1, 2 ]
 * ```
 */
export function permuteByTable(set: Iterable<number>, table: readonly number[]): number[] {
  requirePermutation(table);
  return [...set]
    .map(x => table[x] ?? fail('BAD_DOCUMENT', { reason: `${x} is not one of the ${table.length} numbers permuted` }))
    .sort((a, b) => a - b);
}

/**
 * The element of the set that comes first in an ordering of all elements: its MinHash under that ordering.
 *
 * @example
 * ```ts
 * firstInOrdering(new Set(['cat', 'dog']), ['mouse', 'dog', 'cat']); // → 'dog'
 * ```
 */
export function firstInOrdering(set: Iterable<string>, ordering: readonly string[]): string | undefined {
  if (new Set(ordering).size !== ordering.length) {
    fail('BAD_OPTION', {
      option: 'ordering',
      expected: 'a list that names each element once',
      got: ordering.join(','),
    });
  }
  const wanted = new Set(set);
  return ordering.find(element => wanted.has(element));
}

function requirePermutation(table: readonly number[]): void {
  const sorted = [...table].sort((a, b) => a - b);
  if (!sorted.every((value, i) => value === i)) {
    fail('BAD_OPTION', {
      option: 'permutation',
      expected: `each of 0 to ${table.length - 1} once`,
      got: table.join(','),
    });
  }
}
