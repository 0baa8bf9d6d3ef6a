/** Two texts and the passages they share → what differs between the passages, word by word, as ranges in both. */
import type { Passage } from '../model.ts';
import { diffTokens } from './token-diff.ts';

/** Half-open range of UTF-16 offsets. */
export type TextRange = readonly [start: number, end: number];

/** What one text has in place of what the other has; one of the ranges may be empty. */
export interface Difference {
  readonly a: TextRange;
  readonly b: TextRange;
}

/** A diff takes time and memory that grow with the square of what differs: a gap with more edits is different as a whole. */
const MOST_EDITS = 1000;
/** Of all gaps together: edits, squared and summed. Past it, gaps are different as a whole. */
const MOST_WORK = 8_000_000;

/**
 * What two texts do not share, in the order of a; what only b has comes last where it has no counterpart in a. Words are set
 * against each other only within the gaps between passages. Where all words are shared and the texts still differ, it is the
 * signs, spaces and letter cases that do, or the order of passages.
 *
 * @example
 * ```ts
 * differences('we met on monday', 'we met on tuesday', []); // → [ { a: [ 10, 16 ], b: [ 10, 17 ] } ]
 * ```
 */
export function differences(a: string, b: string, passages: readonly Passage[]): Difference[] {
  const found = differencesInGaps(a, b, passages);
  const hasWords = found.some(one => word.test(a.slice(...one.a)) || word.test(b.slice(...one.b)));
  return hasWords || a === b ? found : differencesInGaps(a, b, []);
}

function differencesInGaps(a: string, b: string, passages: readonly Passage[]): Difference[] {
  const found: Difference[] = [];
  let work = MOST_WORK;
  for (const gap of gapsOf(a.length, b.length, passages)) {
    const [textA, textB] = [a.slice(...gap.a), b.slice(...gap.b)];
    const most = Math.min(MOST_EDITS, Math.floor(Math.sqrt(work)));
    const diff = textA !== '' && textB !== '' ? diffTokens(textA, textB, most) : undefined;
    if (diff) work -= diff.edits ** 2;
    else if (textA !== '' && textB !== '') work -= most ** 2;
    for (const change of diff?.changes ?? [{ a: [0, textA.length], b: [0, textB.length] } as const])
      add(found, {
        a: [gap.a[0] + change.a[0], gap.a[0] + change.a[1]],
        b: [gap.b[0] + change.b[0], gap.b[0] + change.b[1]],
      });
  }
  return found;
}

const word = /[\p{L}\p{M}\p{N}_]/u;

function add(found: Difference[], change: Difference): void {
  if (change.a[1] > change.a[0] || change.b[1] > change.b[0]) found.push(change);
}

/**
 * What is in A between two passages is set against what is in B between the same two; where one of them moved, against what
 * is in B before the second or behind the first. What is left has no counterpart.
 */
export function gapsOf(lengthA: number, lengthB: number, passages: readonly Passage[]): Difference[] {
  const inA = [...passages].sort((x, y) => x.a[0] - y.a[0]);
  const inB = [...passages].sort((x, y) => x.b[0] - y.b[0] || x.b[1] - y.b[1]);
  const numberInB = new Map(inB.map((passage, number) => [passage, number]));
  const gapsOfB = gapsBetween(
    inB.map(({ b }) => b),
    lengthB,
  );
  // Gap number p of a text stands before its passage number p; the last one stands behind all.
  const before = (number: number) => (number < inA.length ? numberInB.get(inA[number]!)! : inB.length);
  const behind = (number: number) => (number > 0 ? numberInB.get(inA[number - 1]!)! + 1 : 0);
  const taken = new Map<number, number>();
  const free = new Set(gapsOfB.keys());
  const take = (number: number, gap: number) => {
    if (!taken.has(number) && free.delete(gap)) taken.set(number, gap);
  };
  for (let number = 0; number <= inA.length; number++)
    if (before(number) === behind(number)) take(number, before(number));
  for (let number = 0; number <= inA.length; number++) take(number, before(number));
  for (let number = 0; number <= inA.length; number++) take(number, behind(number));
  const paired = gapsBetween(
    inA.map(({ a }) => a),
    lengthA,
  ).map((a, number) => {
    const gap = taken.get(number);
    return { a, b: gap === undefined ? nothing : gapsOfB[gap]! };
  });
  return [...paired, ...Array.from(free, gap => ({ a: nothing, b: gapsOfB[gap]! }))];
}

const nothing: TextRange = [0, 0];

/** Ranges may overlap, so what is covered reaches as far as any of them did. An empty gap still says where it stands. */
function gapsBetween(ranges: readonly TextRange[], length: number): TextRange[] {
  const gaps: TextRange[] = [];
  let covered = 0;
  for (const [start, end] of ranges) {
    gaps.push([covered, Math.max(covered, start)]);
    covered = Math.max(covered, end);
  }
  gaps.push([covered, length]);
  return gaps;
}
