/**
 * Text and the steps of `--normalise` → the text that is shingled.
 *
 * The steps are applied in this order, whatever the order they are given in, so that what one step promises still holds
 * after the others:
 *   1. nfkc, or nfc                   one spelling for each character
 *   2. strip-accents                  marks go: é → e
 *   3. strip-digits                   numbers go: a1b → ab
 *   4. stopwords:LANGUAGE             after 2, so that a list with accents is stripped of them too
 *   5. stem:LANGUAGE                  last: it needs whole words
 * Steps 4 and 5 leave the words joined by single spaces. `keep-case` is the kernel's to do; here it only means that
 * what comes out keeps its capitals. Stop words and stems are found without regard to case in any case.
 */
import { kindOf, lowercaseOf, SEPARATOR } from '../kernel/unicode.ts';
import { splitWords } from '../kernel/words.ts';
import type { NormaliseStep } from '../options.ts';
import { type Stem, stemOf } from './stem.ts';
import { stopWordsOf } from './stop-words.ts';

export type Normaliser = (text: string) => string;

export function createNormaliser(steps: readonly NormaliseStep[]): Normaliser {
  const characters = characterSteps(steps);
  const words = wordStep(steps, characters);
  const all = words ? [...characters, words] : characters;
  return text => all.reduce((current, step) => step(current), text);
}

function characterSteps(steps: readonly NormaliseStep[]): Normaliser[] {
  const chosen: Normaliser[] = [];
  if (steps.includes('nfkc')) chosen.push(text => text.normalize('NFKC'));
  else if (steps.includes('nfc')) chosen.push(text => text.normalize('NFC'));
  if (steps.includes('strip-accents')) chosen.push(stripAccents);
  if (steps.includes('strip-digits')) chosen.push(stripDigits);
  return chosen;
}

function stripAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, keepNewer)
    .normalize('NFC');
}

function stripDigits(text: string): string {
  return text.replace(/\p{N}+/gu, keepNewer);
}

/** Marks and digits younger than our Unicode 15.0 table separate words there, so they must on every Node version. */
function keepNewer(run: string): string {
  return [...run].filter(character => kindOf(character.codePointAt(0)!) === SEPARATOR).join('');
}

function wordStep(steps: readonly NormaliseStep[], characters: readonly Normaliser[]): Normaliser | undefined {
  const stopWords = languagesOf(steps, 'stopwords:').flatMap(stopWordsOf);
  const stems = languagesOf(steps, 'stem:').map(stemOf);
  if (stopWords.length === 0 && stems.length === 0) return undefined;
  const asInText = (word: string) => lowercase(characters.reduce((current, step) => step(current), word));
  const dropped: ReadonlySet<string> = new Set(stopWords.map(asInText));
  const stem: Stem = word => stems.reduce((current, one) => one(current), word);
  const keepCase = steps.includes('keep-case');

  return text => {
    const kept: string[] = [];
    for (const { word } of splitWords(text, keepCase)) {
      const lower = keepCase ? lowercase(word) : word;
      if (dropped.has(lower)) continue;
      kept.push(keepCase ? inCaseOf(word, lower, stem(lower)) : stem(lower));
    }
    return kept.join(' ');
  };
}

function languagesOf(steps: readonly NormaliseStep[], prefix: 'stopwords:' | 'stem:'): string[] {
  return steps.filter(step => step.startsWith(prefix)).map(step => step.slice(prefix.length));
}

function lowercase(word: string): string {
  let lower = '';
  for (const character of word) lower += String.fromCodePoint(lowercaseOf(character.codePointAt(0)!));
  return lower;
}

/** Connections → Connect, HAPPY → HAPPI: what the stem shares with the word is taken from the word. */
function inCaseOf(word: string, lower: string, stem: string): string {
  let shared = 0;
  while (shared < stem.length && stem[shared] === lower[shared]) shared++;
  const rest = stem.slice(shared);
  const isShouted = word !== lower && word === word.toUpperCase();
  return word.slice(0, shared) + (isShouted ? rest.toUpperCase() : rest);
}
