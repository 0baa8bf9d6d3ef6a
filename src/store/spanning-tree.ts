/** Shingle sets → a tree of their strongest links that connects all: a picture of many documents that can be read. */

/** Shingles of a set that stand for it: the smallest, whose hashes are a random sample. */
const SAMPLE = 256;

/**
 * Each set but the first with the one it hangs on, which comes before it. Links are chosen by the estimates of the samples, over all
 * pairs; of sets of up to 256 shingles these are exact.
 */
export function spanningTree(sets: readonly BigUint64Array[]): { readonly parent: number; readonly child: number }[] {
  const samples = sets.map(sampleOf);
  const links: { parent: number; child: number }[] = [];
  const left = new Set(samples.keys());
  const parents = new Uint32Array(sets.length);
  const best = new Float64Array(sets.length).fill(-1);
  for (let last = 0; left.delete(last) && left.size > 0; ) {
    let next = -1;
    for (const one of left) {
      const value = estimate(samples[last]!, samples[one]!);
      if (value > best[one]!) [best[one], parents[one]] = [value, last];
      if (next < 0 || best[one]! > best[next]!) next = one;
    }
    links.push({ parent: parents[next]!, child: next });
    last = next;
  }
  return links;
}

/** The high halves: they are in the same order, and quick to compare. */
function sampleOf(set: BigUint64Array): Uint32Array {
  return Uint32Array.from(set.subarray(0, SAMPLE), element => Number(element >> 32n));
}

/** Of the smallest elements of both together, the share that both have. */
function estimate(a: Uint32Array, b: Uint32Array): number {
  let [atA, atB, shared, seen] = [0, 0, 0, 0];
  for (; seen < SAMPLE && (atA < a.length || atB < b.length); seen++) {
    const difference = (a[atA] ?? Number.POSITIVE_INFINITY) - (b[atB] ?? Number.POSITIVE_INFINITY);
    if (difference === 0) shared++;
    if (difference <= 0) atA++;
    if (difference >= 0) atB++;
  }
  return seen === 0 ? 1 : shared / seen;
}
