/** Language → a function from a lowercase word to its stem: Porter's for English, Snowball's for the others. */
import { newStemmer } from 'snowball-stemmers';
import { stemmer as porter } from 'stemmer';
import { fail } from '../errors.ts';

export type Stem = (word: string) => string;

export const algorithms: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};

/** No word of a language is longer, and some Snowball algorithms take time that grows with the square of the length. */
const LONGEST_WORD = 64;

export function stemOf(language: string): Stem {
  const stem = algorithmOf(language);
  return word => (word.length > LONGEST_WORD ? word : stem(word));
}

function algorithmOf(language: string): Stem {
  if (language === 'en') return stemEnglish;
  if (Object.hasOwn(algorithms, language)) {
    const stemmer = newStemmer(algorithms[language]!);
    return word => stemmer.stem(word);
  }
  const expected = `stem:LANGUAGE, LANGUAGE one of en, ${Object.keys(algorithms).join(', ')}`;
  return fail('BAD_OPTION', { option: 'normalise', expected, got: `stem:${language}` });
}

/** Porter leaves `connector` as it is; docs/decisions/0001-stem-agent-nouns.md says why we do not. */
function stemEnglish(word: string): string {
  const verb = /^(.+ct)ors?$/.exec(word)?.[1];
  return porter(verb !== undefined && measure(verb) > 1 ? verb : word);
}

/** Porter's m: how many times vowels are followed by consonants, y being a vowel after a consonant. */
function measure(word: string): number {
  const shape = word.replace(/[aeiou]|(?<=[^aeiou])y/g, 'V');
  return (shape.match(/V[^V]/g) ?? []).length;
}
