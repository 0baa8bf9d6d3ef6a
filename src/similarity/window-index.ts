/** A sequence of word numbers → an index from any window of K words to the positions where it may stand. */

/**
 * A chained hash table in typed arrays: `heads[bucket]` is the first position, `next[position]` the following one. Positions of
 * a bucket come in ascending order. A window may share its bucket with others, so the caller compares the words.
 */
interface WindowIndex {
  /** Positions where a window with this hash may start, ascending, at most `most` of them. */
  positions(hash: number, most: number): Iterable<number>;
}

export function indexWindows(hashes: Uint32Array): WindowIndex {
  const bits = Math.max(1, Math.ceil(Math.log2(hashes.length + 1)));
  const heads = new Int32Array(2 ** bits).fill(-1);
  const next = new Int32Array(hashes.length);
  // The high bits of a product depend on all bits of the hash; from last to first, so that chains ascend.
  const bucketOf = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> (32 - bits);
  for (let position = hashes.length - 1; position >= 0; position--) {
    const bucket = bucketOf(hashes[position]!);
    next[position] = heads[bucket]!;
    heads[bucket] = position;
  }
  return {
    *positions(hash, most) {
      let position = heads[bucketOf(hash)]!;
      for (let seen = 0; position >= 0 && seen < most; seen++, position = next[position]!) {
        if (hashes[position] === hash) yield position;
      }
    },
  };
}

/** Hash of each window of `size` numbers, rolled: one multiplication in, one out. */
export function windowHashes(numbers: Int32Array, size: number): Uint32Array {
  const hashes = new Uint32Array(Math.max(0, numbers.length - size + 1));
  let leaving = 1; // base^size, the weight of the number that leaves the window
  for (let power = 0; power < size; power++) leaving = Math.imul(leaving, base);
  let hash = 0;
  for (let at = 0; at < numbers.length; at++) {
    hash = (Math.imul(hash, base) + numbers[at]!) | 0;
    if (at >= size) hash = (hash - Math.imul(leaving, numbers[at - size]!)) | 0;
    if (at >= size - 1) hashes[at - size + 1] = hash;
  }
  return hashes;
}

/** Odd, with its bits spread out; collisions only cost a comparison. */
const base = 0x2c1b3c6d;
