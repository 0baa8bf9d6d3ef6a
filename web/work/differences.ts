/** Two texts and the passages they share → what differs between the passages, word by word, as ranges in both. */
import { diffWordsWithSpace } from 'diff';
import type { Passage } from 'neardup/browser';
import type { Range } from '../compare/types.ts';

/** A diff of words is quadratic in what differs: past this many characters a gap is different as a whole. */
const MOST_CHARACTERS = 20_000;
/** Of all gaps together, in milliseconds. */
const MOST_TIME = 2000;

export interface Differences {
  readonly a: Range[];
  readonly b: Range[];
}

export function differencesOf(
  a: string,
  b: string,
  passages: readonly Passage[],
  now = () => performance.now(),
): Differences {
  const found: Differences = { a: [], b: [] };
  const end = now() + MOST_TIME;
  for (const { gapA, gapB } of gapsOf(a.length, b.length, passages)) {
    const [textA, textB] = [a.slice(...gapA), b.slice(...gapB)];
    const isSmall = textA.length + textB.length <= MOST_CHARACTERS;
    const timeout = end - now();
    const parts =
      textA !== '' && textB !== '' && isSmall && timeout > 0
        ? diffWordsWithSpace(textA, textB, { timeout })
        : undefined;
    if (parts) addParts(found, parts, gapA[0], gapB[0]);
    else {
      addRange(found.a, gapA);
      addRange(found.b, gapB);
    }
  }
  found.a.sort((x, y) => x[0] - y[0]);
  found.b.sort((x, y) => x[0] - y[0]);
  return found;
}

function addParts(
  found: Differences,
  parts: readonly { value: string; added?: boolean; removed?: boolean }[],
  startA: number,
  startB: number,
): void {
  let [atA, atB] = [startA, startB];
  for (const { value, added, removed } of parts) {
    const { length } = value;
    if (removed) addRange(found.a, [atA, atA + length]);
    if (added) addRange(found.b, [atB, atB + length]);
    if (!added) atA += length;
    if (!removed) atB += length;
  }
}

function addRange(ranges: Range[], range: Range): void {
  if (range[1] > range[0]) ranges.push(range);
}

interface Gap {
  readonly gapA: Range;
  readonly gapB: Range;
}

/**
 * What is in A between two passages is set against what is in B between the same two; where one of them moved, against what
 * is in B before the second or behind the first. What is left has no counterpart.
 */
export function gapsOf(lengthA: number, lengthB: number, passages: readonly Passage[]): Gap[] {
  const inA = [...passages].sort((x, y) => x.a[0] - y.a[0]);
  const inB = [...passages].sort((x, y) => x.b[0] - y.b[0] || x.b[1] - y.b[1]);
  const placeInB = new Map(inB.map((passage, place) => [passage, place]));
  const gapsOfB = gapsBetween(
    inB.map(({ b }) => b),
    lengthB,
  );
  // Gap number p of a text stands before its passage number p; the last one stands behind all.
  const before = (place: number) => (place < inA.length ? placeInB.get(inA[place]!)! : inB.length);
  const behind = (place: number) => (place > 0 ? placeInB.get(inA[place - 1]!)! + 1 : 0);
  const taken = new Map<number, number>();
  const free = new Set(gapsOfB.keys());
  const take = (place: number, gap: number) => {
    if (!taken.has(place) && free.delete(gap)) taken.set(place, gap);
  };
  for (let place = 0; place <= inA.length; place++) if (before(place) === behind(place)) take(place, before(place));
  for (let place = 0; place <= inA.length; place++) take(place, before(place));
  for (let place = 0; place <= inA.length; place++) take(place, behind(place));
  const paired = gapsBetween(
    inA.map(({ a }) => a),
    lengthA,
  ).map((gapA, place) => {
    const gap = taken.get(place);
    return { gapA, gapB: gap === undefined ? nothing : gapsOfB[gap]! };
  });
  return [...paired, ...Array.from(free, gap => ({ gapA: nothing, gapB: gapsOfB[gap]! }))];
}

const nothing: Range = [0, 0];

/** Ranges may overlap, so what is covered reaches as far as any of them did. */
function gapsBetween(ranges: readonly Range[], length: number): Range[] {
  const gaps: Range[] = [];
  let covered = 0;
  for (const [start, end] of ranges) {
    gaps.push(covered < start ? [covered, start] : nothing);
    covered = Math.max(covered, end);
  }
  gaps.push([covered, length]);
  return gaps;
}
