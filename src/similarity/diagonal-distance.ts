/** Two symbol arrays → their edit distance, fast when it is small: Ukkonen's furthest-reaching points on diagonals. */
import type { Symbols } from '../kernel/edit-kernel.ts';

type DiagonalResult =
  | { readonly distance: number }
  /** `limit`: the distance is certainly above it. `work`: the budget ran out first, and nothing is known. */
  | { readonly gaveUp: 'limit' | 'work' };

/**
 * Time is about distance²/2 plus the equal symbols walked along, so two long and similar texts cost little.
 * `workBudget` counts both; past it the caller is better served by another algorithm.
 */
export function diagonalDistance(a: Symbols, b: Symbols, limit: number, workBudget: number): DiagonalResult {
  // A quick search near the best diagonal gives a distance that may be too large. As a limit it halves the exact one.
  const guess = searchDiagonals(a, b, limit, workBudget / 4, narrowBeam);
  return searchDiagonals(a, b, 'distance' in guess ? guess.distance : limit, workBudget, everyDiagonal);
}

/** Diagonals looked at on either side of the furthest one, when guessing. */
const narrowBeam = 20;
/** An integer and not Infinity, which would make floats of the loop's integers. */
const everyDiagonal = 2 ** 30;

/**
 * A diagonal k holds the cells where (position in a) − (position in b) = k; the goal is on diagonal |a| − |b|. After
 * `edits` rounds, `reach[k]` is the furthest position in a that diagonal k reaches with that many edits. With a beam,
 * diagonals far from the furthest one are left as they were: what is found is then an upper bound.
 */
function searchDiagonals(a: Symbols, b: Symbols, limit: number, workBudget: number, beam: number): DiagonalResult {
  const goal = a.length - b.length;
  if (Math.abs(goal) > limit) return { gaveUp: 'limit' };
  // No distance is above the longer length: a limit beyond it would only cost memory.
  const most = Math.min(limit, Math.max(a.length, b.length)) | 0;
  // One diagonal more on either side, never reached, saves the test for the edge.
  const origin = Math.min(most, b.length) + 1;
  const reach = new Int32Array(origin + Math.min(most, a.length) + 2).fill(unreached);

  let work = equalSymbols(a, b);
  let furthest = 0;
  reach[origin] = work;
  if (goal === 0 && work === a.length) return { distance: 0 };

  for (let edits = 1; edits <= most; edits++) {
    // A diagonal is of use if it can be reached by now and the goal can be reached from it with the edits left.
    const left = most - edits;
    const first = Math.max(-edits, goal - left, -b.length, furthest - beam);
    const last = Math.min(edits, goal + left, a.length, furthest + beam);
    let best = unreached;
    let below = reach[origin + first - 1]!;
    for (let diagonal = first; diagonal <= last; diagonal++) {
      const before = reach[origin + diagonal]!;
      const end = Math.min(a.length, b.length + diagonal);
      let at = reach[origin + diagonal + 1]!; // one symbol of b put in
      if (before >= at) at = before + 1; // one symbol replaced
      if (below >= at) at = below + 1; // one symbol of a left out
      if (at > end) at = end;
      below = before;
      if (at < 0) continue; // a beam that moved on leaves neighbours unreached
      const from = at;
      while (at < end && a[at] === b[at - diagonal]) at++;
      work += at - from;
      reach[origin + diagonal] = at;
      if (2 * at - diagonal > best) {
        best = 2 * at - diagonal;
        furthest = diagonal;
      }
    }
    if (reach[origin + goal] === a.length) return { distance: edits };
    work += last - first + 1;
    if (work > workBudget) return { gaveUp: 'work' };
  }
  return { gaveUp: 'limit' };
}

/** Below any position, and far enough from the smallest integer to reckon with. */
const unreached = -(2 ** 29);

function equalSymbols(a: Symbols, b: Symbols): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  return at;
}
