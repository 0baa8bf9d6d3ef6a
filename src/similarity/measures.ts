/** Two set sizes and the number of shared elements → resemblance, containment, Dice and overlap, exactly. */
import { elementText } from '../kernel/element-text.ts';

export interface Measures {
  /** |A∩B| / |A∪B| */
  readonly resemblance: number;
  /** |A∩B| / |A| */
  readonly containmentAB: number;
  /** |A∩B| / |B| */
  readonly containmentBA: number;
  /** 2|A∩B| / (|A|+|B|) */
  readonly dice: number;
  /** |A∩B| / min(|A|, |B|) */
  readonly overlap: number;
}

const nothingShared: Measures = Object.freeze({
  resemblance: 0,
  containmentAB: 0,
  containmentBA: 0,
  dice: 0,
  overlap: 0,
});

/** Of equal documents without a single element, which their sets cannot tell. */
export const allShared: Measures = Object.freeze({
  resemblance: 1,
  containmentAB: 1,
  containmentBA: 1,
  dice: 1,
  overlap: 1,
});

/**
 * Sizes rather than sets, so that any way of counting the shared elements (plain merge, kernel) gives the same values.
 *
 * @example
 * ```ts
 * measuresOf(4, 6, 3).containmentAB; // → 0.75
 * ```
 */
export function measuresOf(sizeA: number, sizeB: number, shared: number): Measures {
  // A set without elements resembles nothing, not even another empty one: 0/0 is read as 0.
  if (sizeA === 0 || sizeB === 0) return nothingShared;
  return {
    resemblance: shared / (sizeA + sizeB - shared),
    containmentAB: shared / sizeA,
    containmentBA: shared / sizeB,
    dice: (2 * shared) / (sizeA + sizeB),
    overlap: shared / Math.min(sizeA, sizeB),
  };
}

/**
 * Elements that two sorted arrays of distinct hashes share. The slow twin of the kernel's merge.
 *
 * @example
 * ```ts
 * intersectionSize(BigUint64Array.of(1n, 2n), BigUint64Array.of(2n, 3n)); // → 1
 * ```
 */
export function intersectionSize(a: BigUint64Array, b: BigUint64Array): number {
  let shared = 0;
  for (let atA = 0, atB = 0; atA < a.length && atB < b.length; ) {
    const hashA = a[atA]!;
    const hashB = b[atB]!;
    if (hashA === hashB) shared++;
    if (hashA <= hashB) atA++;
    if (hashB <= hashA) atB++;
  }
  return shared;
}

/**
 * Measures of plain sets, element by element and not by hashes; repeated elements count once.
 *
 * @example
 * ```ts
 * compareSets(['a', 'b', 'c'], ['b', 'c', 'd']).resemblance; // → 0.5
 * ```
 */
export function compareSets(a: Iterable<string | number>, b: Iterable<string | number>): Measures {
  const elementsA = elementsOf(a);
  const elementsB = elementsOf(b);
  let shared = 0;
  for (const element of elementsA) if (elementsB.has(element)) shared++;
  return measuresOf(elementsA.size, elementsB.size, shared);
}

/** A number counts as its decimal string, so 7 and "7" are one element. */
function elementsOf(given: Iterable<string | number>): Set<string> {
  const elements = new Set<string>();
  for (const element of given) elements.add(elementText(element));
  return elements;
}

/**
 * Whether two sets of these sizes are too unlike in size: the smaller over the larger is the most they can resemble.
 * Divided as the resemblance itself is, so that rounding cannot part the two.
 */
export function cannotReach(sizeA: number, sizeB: number, resemblance: number): boolean {
  return Math.min(sizeA, sizeB) / Math.max(sizeA, sizeB) < resemblance;
}
