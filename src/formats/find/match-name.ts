/** A pattern of one name → whether a name matches it, in time that grows with the product of both lengths at most. */

/** `text`: itself; `any`: `?`; `many`: `*`; else a class such as `[a-f]`. */
type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' | 'many' }
  | { readonly kind: 'class'; readonly ranges: readonly (readonly [string, string])[]; readonly isNegated: boolean };

export type NamePattern = readonly Token[];

const MAGIC = /[*?[\]{}\\]/;

/** Letters that say that a path may be a pattern. */
export function hasMagic(path: string): boolean {
  return MAGIC.test(path);
}

export function parseName(pattern: string): NamePattern {
  const letters = Array.from(pattern);
  const tokens: Token[] = [];
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at]!;
    if (letter === '*') {
      // Stars in a row mean one.
      if (tokens.at(-1)?.kind !== 'many') tokens.push({ kind: 'many' });
    } else if (letter === '?') tokens.push({ kind: 'any' });
    else if (letter === '\\' && at + 1 < letters.length) tokens.push({ kind: 'text', text: letters[++at]! });
    else {
      const end = letter === '[' ? classEnd(letters, at) : -1;
      tokens.push(end < 0 ? { kind: 'text', text: letter } : parseClass(letters.slice(at + 1, end)));
      if (end > 0) at = end;
    }
  }
  return tokens;
}

/** Of `[]a]` the first `]` is one of the class. -1: the class never ends, so `[` stands for itself. */
function classEnd(letters: readonly string[], start: number): number {
  const first = start + (isNegation(letters[start + 1]) ? 2 : 1);
  return letters.indexOf(']', first + 1);
}

function isNegation(letter: string | undefined): boolean {
  return letter === '!' || letter === '^';
}

function parseClass(letters: readonly string[]): Token {
  const isNegated = isNegation(letters[0]);
  const members = isNegated ? letters.slice(1) : letters;
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at++) {
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    ranges.push([members[at]!, members[isRange ? at + 2 : at]!]);
    if (isRange) at += 2;
  }
  return { kind: 'class', ranges, isNegated };
}

/** A name that begins with a dot is hidden: only a pattern that begins so finds it. */
export function matchesName(pattern: NamePattern, name: string): boolean {
  const [first] = pattern;
  if (name.startsWith('.') && !(first?.kind === 'text' && first.text === '.')) return false;
  const letters = Array.from(name);
  let [token, letter] = [0, 0];
  // After a mismatch only the last star takes one letter more: what earlier ones took need not change.
  let [star, taken] = [-1, 0];
  while (letter < letters.length) {
    const wanted = pattern[token];
    if (wanted?.kind === 'many') {
      star = token++;
      taken = letter;
    } else if (wanted && matchesLetter(wanted, letters[letter]!)) {
      token++;
      letter++;
    } else if (star >= 0) {
      token = star + 1;
      letter = ++taken;
    } else return false;
  }
  while (pattern[token]?.kind === 'many') token++;
  return token === pattern.length;
}

function matchesLetter(token: Token, letter: string): boolean {
  if (token.kind === 'text') return token.text === letter;
  if (token.kind !== 'class') return true;
  return token.isNegated !== token.ranges.some(([from, to]) => from <= letter && letter <= to);
}
