/** Two texts → the passages they share, as ranges in both originals, found even when moved. */

import { splitWords, type Word } from '../kernel/words.ts';
import type { Passage, ShingleSpec } from '../model.ts';
import { numberIn } from './numbering.ts';
import { indexWindows, windowHashes } from './window-index.ts';

export interface PassageOptions {
  readonly shingle: ShingleSpec;
  readonly keepCase?: boolean;
}

/**
 * Runs of equal words, at least one shingle long and as long as they go, in the order of a. They do not overlap in a;
 * in b they may, when a says twice what b says once. At each word of a the longest run wins; among equally long ones
 * the first after the previous passage in b, else the first.
 *
 * Time is near-linear: the words of a passage are walked once for each position in b that was tried, and of a window that
 * stands in b very often only the first positions are.
 *
 * @example
 * ```ts
 * sharedPassages('x a b c', 'a b c y', { shingle: { unit: 'word', size: 2 } }); // → [ { a: [ 2, 7 ], b: [ 0, 5 ] } ]
 * ```
 */
export function sharedPassages(a: string, b: string, { shingle, keepCase = false }: PassageOptions): Passage[] {
  const wordsA = splitWords(a, keepCase);
  const wordsB = splitWords(b, keepCase);
  const numbers = new Map<string, number>();
  const numberOf = ({ word }: Word) => numberIn(numbers, word) + 1;
  const numbersA = Int32Array.from(wordsA, numberOf);
  const numbersB = Int32Array.from(wordsB, numberOf);
  return sharedRuns(numbersA, numbersB, shortestRun(shingle)).map(({ atA, atB, length }) => ({
    a: [wordsA[atA]!.start, wordsA[atA + length - 1]!.end],
    b: [wordsB[atB]!.start, wordsB[atB + length - 1]!.end],
  }));
}

/** A run of characters is no unit of reading, so character shingles ask for as many words as the default shingle has. */
export function shortestRun(shingle: ShingleSpec): number {
  return shingle.unit === 'word' ? shingle.size : 5;
}

interface Run {
  atA: number;
  atB: number;
  length: number;
}

/** Positions in b tried for one window: beyond, it is boilerplate ("0 0 0 0 0"), and the positions before are as good. */
const POSITIONS_TRIED = 64;

function sharedRuns(a: Int32Array, b: Int32Array, size: number): Run[] {
  if (a.length < size || b.length < size) return equalShortTexts(a, b);
  const index = indexWindows(windowHashes(b, size));
  const hashes = windowHashes(a, size);
  const runs: Run[] = [];
  let covered = 0; // words of a before this one are in a passage
  let nextB = 0; // where the previous passage ended in b
  for (let at = 0; at < hashes.length; ) {
    const run = longestRun(a, b, size, at, nextB, [
      ...index.positions(hashes[at]!, POSITIONS_TRIED),
      nextB + (at - covered), // where b would go on if a and b changed nothing in between, however frequent the window
    ]);
    if (!run) {
      at++;
      continue;
    }
    growBackwards(run, a, b, covered);
    runs.push(run);
    at = covered = run.atA + run.length;
    nextB = run.atB + run.length;
  }
  return runs;
}

/** A text shorter than a shingle is one shingle of all its words: it is shared as a whole or not at all. */
function equalShortTexts(a: Int32Array, b: Int32Array): Run[] {
  const equal = a.length > 0 && a.length === b.length && a.every((word, at) => word === b[at]);
  return equal ? [{ atA: 0, atB: 0, length: a.length }] : [];
}

function longestRun(
  a: Int32Array,
  b: Int32Array,
  size: number,
  atA: number,
  nextB: number,
  positions: Iterable<number>,
): Run | undefined {
  let best: Run | undefined;
  for (const atB of positions) {
    const length = equalWords(a, b, atA, atB);
    const longer = length > (best?.length ?? size - 1);
    const onwards = length === best?.length && best.atB < nextB && atB >= nextB;
    if (longer || onwards) best = { atA, atB, length };
  }
  return best;
}

function equalWords(a: Int32Array, b: Int32Array, atA: number, atB: number): number {
  let length = 0;
  while (atA + length < a.length && atB + length < b.length && a[atA + length] === b[atB + length]) length++;
  return length;
}

/** Words before the first window can be equal too, when their own windows were too frequent to be tried everywhere. */
function growBackwards(run: Run, a: Int32Array, b: Int32Array, covered: number): void {
  while (run.atA > covered && run.atB > 0 && a[run.atA - 1] === b[run.atB - 1]) {
    run.atA--;
    run.atB--;
    run.length++;
  }
}
