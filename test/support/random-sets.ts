/** A seed → pairs of sets of random hashes with a given resemblance, and pairs of texts. Nothing here is `Math.random`. */

export type Random = () => number;

/** sfc32 (Chris Doty-Humphrey): 32 random bits a call; it shares nothing with the hashes under test. */
export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [seed >>> 0, 0x9e3779b9, 0x243f6a88, 1];
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let i = 0; i < 20; i++) next();
  return next;
}

export interface SetShape {
  /** Elements of the union. */
  readonly union: number;
  readonly resemblance: number;
  /** Which part of the elements that are not shared only A has; a half unless told. */
  readonly onlyInA?: number;
}

export interface SetPair {
  readonly a: BigUint64Array;
  readonly b: BigUint64Array;
  readonly shared: number;
}

/** Sorted, as the kernel gives them. Two of 64 random bits are equal once in 2⁶⁴: no check for repeats. */
export function randomPair({ union, resemblance, onlyInA = 0.5 }: SetShape, random: Random): SetPair {
  const shared = Math.round(union * resemblance);
  const sizeA = shared + Math.round((union - shared) * onlyInA);
  const halves = new Uint32Array(2 * union);
  for (let i = 0; i < halves.length; i++) halves[i] = random(); // Uint32Array.from takes five times as long
  const all = new BigUint64Array(halves.buffer);
  const a = all.slice(0, sizeA);
  const b = new BigUint64Array(shared + union - sizeA);
  b.set(all.subarray(0, shared));
  b.set(all.subarray(sizeA), shared);
  return { a: a.sort(), b: b.sort(), shared };
}

/** Words of two to five syllables, Zipf-like: a few of them make most of a text. */
export function randomWords(count: number, random: Random): string[] {
  return Array.from({ length: count }, () => wordOf(Math.floor(3000 ** (random() / 2 ** 32))));
}

function wordOf(rank: number): string {
  const syllables = ['ba', 'de', 'ki', 'lo', 'mu', 'na', 're', 'si', 'to', 'vu', 'sha', 'tri'];
  const word = rank
    .toString(12)
    .split('')
    .map(digit => syllables[Number.parseInt(digit, 12)]!)
    .join('');
  return word.length === 2 ? `${word}n` : word;
}

/** A text, and the same with one passage written anew. */
export function randomTextPair(words: number, rewritten: number, random: Random): [string, string] {
  const original = randomWords(words, random);
  const start = random() % (words - rewritten + 1);
  const edited = original.toSpliced(start, rewritten, ...randomWords(rewritten, random));
  return [original.join(' '), edited.join(' ')];
}
