/** Shingle sets → candidate keys that miss no pair: the rarest elements of each set (prefix filtering), no LSH. */

/**
 * Two sets of resemblance ≥ t share at least one of their n − ⌈t·n⌉ + 1 first elements, under any order of all elements
 * that both use. Rare elements first make few candidates; how rare is counted in a table of fixed size, which two
 * elements may share: that costs candidates, never a pair.
 */
export function prefixKeys(
  count: number,
  setOf: (item: number) => BigUint64Array,
  threshold: number,
): BigUint64Array[] {
  const frequency = countElements(count, setOf);
  return Array.from({ length: count }, (_, item) => {
    const set = setOf(item);
    const length = set.length - leastOverlap(set.length, threshold) + 1;
    return set.length === 0 ? set : rarestFirst(set, frequency).subarray(0, length);
  });
}

/** ⌈t·n⌉, with room for the rounding of t·n: a key too many is harmless, one too few is not. */
function leastOverlap(size: number, threshold: number): number {
  return Math.max(1, Math.ceil(threshold * size - 1e-9));
}

const SLOTS = 2 ** 22;

type Frequency = (element: bigint) => number;

function countElements(count: number, setOf: (item: number) => BigUint64Array): Frequency {
  const slots = new Uint32Array(SLOTS);
  const slotOf = (element: bigint) => Number(element & BigInt(SLOTS - 1));
  for (let item = 0; item < count; item++) for (const element of setOf(item)) slots[slotOf(element)]!++;
  return element => slots[slotOf(element)]!;
}

function rarestFirst(set: BigUint64Array, frequency: Frequency): BigUint64Array {
  const counts = Uint32Array.from(set, frequency);
  const order = Uint32Array.from(set, (_, i) => i).sort((a, b) => counts[a]! - counts[b]! || a - b);
  return BigUint64Array.from(order, i => set[i]!);
}
