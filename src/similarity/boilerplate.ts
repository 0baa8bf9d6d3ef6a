/** A text and other documents → the parts of the text that many of them have, too. */
import { splitWords } from '../kernel/words.ts';
import type { TextRange } from './differences.ts';
import { type PassageOptions, shortestRun } from './passages.ts';
import { indexWindows, windowHashes } from './window-index.ts';

export interface BoilerplateOptions extends PassageOptions {
  /** Other documents that must have a run of words for it to count as boilerplate. */
  readonly atLeast: number;
}

/**
 * Runs of words, one shingle long or longer, that at least so many of the other texts have, as ranges in the text, in order.
 * A text that says something twice counts once.
 *
 * @example
 * ```ts
 * boilerplateIn('x a b', ['a b', 'A, b!'], { shingle: { unit: 'word', size: 2 }, atLeast: 2 }); // → [ [ 2, 5 ] ]
 * ```
 */
export function boilerplateIn(text: string, others: Iterable<string>, options: BoilerplateOptions): TextRange[] {
  const { shingle, keepCase = false, atLeast } = options;
  const size = shortestRun(shingle);
  const words = splitWords(text, keepCase);
  if (words.length < size) return [];
  const known = new Map<string, number>();
  for (const { word } of words) if (!known.has(word)) known.set(word, known.size + 1);
  const numbers = Int32Array.from(words, ({ word }) => known.get(word)!);
  const counts = countWindows(numbers, size, numberedTexts(others, known, keepCase));
  const found: [number, number][] = [];
  for (const [at, count] of counts.entries()) {
    if (count < atLeast) continue;
    const [start, end] = [words[at]!.start, words[at + size - 1]!.end];
    const last = found.at(-1);
    // A window that begins right behind the one before it goes on with it.
    if (last && at > 0 && last[1] >= words[at - 1]!.end) last[1] = end;
    else found.push([start, end]);
  }
  return found;
}

/** 0 is a word that the text does not have. */
function* numberedTexts(others: Iterable<string>, known: ReadonlyMap<string, number>, keepCase: boolean) {
  for (const other of others) yield Int32Array.from(splitWords(other, keepCase), ({ word }) => known.get(word) ?? 0);
}

/** For each window of the text the number of others that have it. */
function countWindows(numbers: Int32Array, size: number, others: Iterable<Int32Array>): Uint32Array {
  const hashes = windowHashes(numbers, size);
  const index = indexWindows(hashes);
  const positionOf = (of: Int32Array, at: number, hash: number): number => {
    for (const position of index.positions(hash, Number.POSITIVE_INFINITY))
      if (isEqual(numbers, position, of, at, size)) return position;
    return NONE;
  };
  // Equal windows of the text are counted at the first of them.
  const first = Int32Array.from(hashes, (hash, at) => positionOf(numbers, at, hash));
  const counts = new Uint32Array(hashes.length);
  const countedFor = new Uint32Array(hashes.length);
  let document = 0;
  for (const other of others) {
    document++;
    const otherHashes = windowHashes(other, size);
    let lastUnknown = NONE;
    for (let end = 0; end < other.length; end++) {
      if (other[end] === 0) lastUnknown = end;
      const at = end - size + 1;
      if (at < 0 || lastUnknown >= at) continue;
      const position = positionOf(other, at, otherHashes[at]!);
      if (position === NONE || countedFor[position] === document) continue;
      countedFor[position] = document;
      counts[position]!++;
    }
  }
  return counts.map((_, at) => counts[first[at]!]!);
}

const NONE = -1;

function isEqual(a: Int32Array, atA: number, b: Int32Array, atB: number, size: number): boolean {
  for (let word = 0; word < size; word++) if (a[atA + word] !== b[atB + word]) return false;
  return true;
}
