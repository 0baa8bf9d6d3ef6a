/** Two texts → the fewest words, spaces and signs to take out and put in to get from one to the other; undefined past a limit. */
import { numberIn } from './numbering.ts';

interface Change {
  readonly a: readonly [start: number, end: number];
  readonly b: readonly [start: number, end: number];
}

interface TokenDiff {
  /** In order; one of the ranges may be empty. */
  readonly changes: readonly Change[];
  /** Tokens taken out or put in. */
  readonly edits: number;
}

/** A word, a run of spaces, or one sign. Where letters are words by themselves, runs of them still make one token. */
const token = /[\p{L}\p{M}\p{N}_]+|\s+|./gsu;

/** Greedy, by diagonals: time and memory grow with the square of the edits, not with the lengths. */
export function diffTokens(a: string, b: string, mostEdits: number): TokenDiff | undefined {
  const numbers = new Map<string, number>();
  const numberOf = (token: string) => numberIn(numbers, token);
  const [tokensA, tokensB] = [tokensOf(a, numberOf), tokensOf(b, numberOf)];
  const path = shortestPath(tokensA.numbers, tokensB.numbers, mostEdits);
  return path && { changes: withoutLoneSpaces(a, changesOf(path, tokensA.starts, tokensB.starts)), edits: path.length };
}

interface Tokens {
  readonly numbers: Int32Array;
  /** Where each begins; one more entry, the end of the text. */
  readonly starts: Int32Array;
}

function tokensOf(text: string, numberOf: (token: string) => number): Tokens {
  const matches = text.match(token) ?? [];
  const starts = new Int32Array(matches.length + 1);
  for (const [at, match] of matches.entries()) starts[at + 1] = starts[at]! + match.length;
  return { numbers: Int32Array.from(matches, numberOf), starts };
}

/** An edit takes token `a` out, or puts token `b` in, where the other text stands at the other number. */
interface Edit {
  readonly kind: 'out' | 'in';
  readonly a: number;
  readonly b: number;
}

/** Undefined when there are more edits than asked for. */
function shortestPath(a: Int32Array, b: Int32Array, most: number): Edit[] | undefined {
  const furthest = new Int32Array(2 * most + 3);
  const middle = most + 1;
  /** `furthest` as it was before each round, as far as the round could reach. */
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    rounds.push(furthest.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepOf(furthest, middle + diagonal, diagonal, edits);
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      furthest[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return walkBack(rounds, a.length, b.length);
    }
  }
  return undefined;
}

/** Down from the diagonal above (a token put in) or right from the one below (a token taken out), whichever is further. */
function stepOf(furthest: Int32Array, at: number, diagonal: number, edits: number): number {
  const isDown = diagonal === -edits || (diagonal !== edits && furthest[at - 1]! < furthest[at + 1]!);
  return isDown ? furthest[at + 1]! : furthest[at - 1]! + 1;
}

function walkBack(rounds: readonly Int32Array[], lengthA: number, lengthB: number): Edit[] {
  const path: Edit[] = [];
  let [x, y] = [lengthA, lengthB];
  for (let edits = rounds.length - 1; edits > 0; edits--) {
    const before = rounds[edits]!;
    const diagonal = x - y;
    const at = diagonal + edits + 1;
    const isDown = diagonal === -edits || (diagonal !== edits && before[at - 1]! < before[at + 1]!);
    x = isDown ? before[at + 1]! : before[at - 1]!;
    y = x - (isDown ? diagonal + 1 : diagonal - 1);
    path.push({ kind: isDown ? 'in' : 'out', a: x, b: y });
  }
  return path.reverse();
}

/** Edits that stand next to each other are one change. */
function changesOf(path: readonly Edit[], startsA: Int32Array, startsB: Int32Array): Change[] {
  const changes: Change[] = [];
  for (let at = 0; at < path.length; ) {
    const [fromA, fromB] = [path[at]!.a, path[at]!.b];
    let [toA, toB] = [fromA, fromB];
    for (; at < path.length && path[at]!.a === toA && path[at]!.b === toB; at++)
      if (path[at]!.kind === 'out') toA++;
      else toB++;
    changes.push({ a: [startsA[fromA]!, startsA[toA]!], b: [startsB[fromB]!, startsB[toB]!] });
  }
  return changes;
}

/** A space that is the same in both, between two changes, is read as part of one change. */
function withoutLoneSpaces(a: string, changes: readonly Change[]): Change[] {
  const joined: Change[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    if (last && /^\s$/.test(a.slice(last.a[1], change.a[0])))
      joined[joined.length - 1] = { a: [last.a[0], change.a[1]], b: [last.b[0], change.b[1]] };
    else joined.push(change);
  }
  return joined;
}
