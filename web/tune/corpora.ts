/** How many pairs of a collection resemble each other by how much: what a curve is judged by. */

import { licencePairs } from './licence-pairs.ts';

/** Two documents that were found to be alike. */
export interface NamedPair {
  readonly a: string;
  readonly b: string;
  readonly resemblance: number;
}

export interface PairHistogram {
  readonly name: string;
  /** One sentence that says where the counts are from. */
  readonly source: string;
  /** Pairs with resemblance 0 to 0.01, 0.01 to 0.02 …; the last is of resemblance 1. Pairs that share nothing are not in it. */
  readonly counts: readonly number[];
  /** Pairs by name, where they are known, the least alike first; of very many those next to every hundredth. */
  readonly pairs?: readonly NamedPair[];
}

/** The 727 licence texts of the SPDX list that the command `demo` uses: all 263,901 pairs, compared exactly with word:5. */
export const licences: PairHistogram = {
  name: 'SPDX licences',
  source: 'All 263,901 pairs of the 727 licence texts of the SPDX list, compared exactly; 129,269 share no shingle.',
  counts: [
    101136, 12483, 4513, 2296, 1591, 1232, 889, 755, 561, 551, 440, 424, 383, 334, 313, 284, 273, 284, 268, 278, 279,
    245, 269, 246, 216, 211, 193, 210, 209, 186, 159, 194, 186, 145, 126, 125, 123, 99, 93, 85, 65, 81, 50, 36, 38, 41,
    56, 35, 35, 51, 42, 32, 50, 49, 44, 30, 19, 23, 30, 29, 30, 18, 34, 71, 20, 21, 19, 18, 19, 21, 29, 33, 64, 11, 28,
    20, 14, 19, 12, 15, 12, 30, 19, 12, 29, 72, 10, 14, 13, 9, 13, 8, 14, 8, 5, 5, 5, 0, 1, 6, 108,
  ],
  pairs: licencePairs.map(([a, b, resemblance]) => ({ a, b, resemblance })),
};

/** Pairs that were found → the same; it knows nothing of pairs below the threshold they were found by. */
export function histogramOf(name: string, source: string, found: Iterable<NamedPair>): PairHistogram {
  const pairs = [...found].sort((x, y) => x.resemblance - y.resemblance);
  const counts = new Array<number>(101).fill(0);
  for (const { resemblance } of pairs) counts[Math.min(100, Math.floor(resemblance * 100 + 1e-9))]!++;
  return { name, source, counts, pairs };
}

/** The pairs next to the threshold on either side, the nearest to it first. */
export function nextTo(pairs: readonly NamedPair[], threshold: number, most: number) {
  let at = pairs.findIndex(({ resemblance }) => resemblance >= threshold);
  if (at < 0) at = pairs.length;
  return { above: pairs.slice(at, at + most), below: pairs.slice(Math.max(0, at - most), at).reverse() };
}

export interface Expected {
  /** Pairs at or above the threshold, and how many of them a scheme is expected not to find. */
  readonly alike: number;
  readonly missed: number;
  /** Pairs below it, and how many of them it is expected to compare in vain. */
  readonly unlike: number;
  readonly wasted: number;
}

export function expectedOf(
  { counts }: PairHistogram,
  curve: (similarity: number) => number,
  threshold: number,
): Expected {
  const expected = { alike: 0, missed: 0, unlike: 0, wasted: 0 };
  for (const [at, count] of counts.entries()) {
    const probability = curve(middleOf(at));
    if (at / 100 >= threshold - 1e-9) {
      expected.alike += count;
      expected.missed += count * (1 - probability);
    } else {
      expected.unlike += count;
      expected.wasted += count * probability;
    }
  }
  return expected;
}

/** The last bin is of resemblance 1 exactly. */
export const middleOf = (bin: number) => Math.min(1, bin / 100 + 0.005);
