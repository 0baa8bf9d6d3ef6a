import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NormaliseStep } from '../options.ts';
import { loadNormaliser } from './load-normaliser.ts';
import { createNormaliser } from './normalise.ts';

const normalise = (text: string, ...steps: NormaliseStep[]) => createNormaliser(steps)(text);

test('leaves the text as it is when there is nothing to do', async () => {
  const text = '  Any  text, 42 É ';
  expect(normalise(text)).toBe(text);
  expect(normalise(text, 'keep-case')).toBe(text);
  expect((await loadNormaliser(['keep-case']))(text)).toBe(text);
  expect((await loadNormaliser(['strip-digits']))('a1')).toBe('a');
});

test('brings characters to one spelling with nfc and nfkc', () => {
  expect(normalise('e\u0301 ﬁ', 'nfc')).toBe('é ﬁ');
  expect(normalise('e\u0301 ﬁ ①', 'nfkc')).toBe('é fi 1');
});

test('deletes numbers of every script with strip-digits', () => {
  expect(normalise('call 555 or a1b2 ٣ Ⅷ x²', 'strip-digits')).toBe('call  or ab   x');
});

test('deletes marks with strip-accents', () => {
  expect(normalise('Crème brûlée, Ångström, ё', 'strip-accents')).toBe('Creme brulee, Angstrom, е');
});

test('drops stop words and joins the words that stay by single spaces', () => {
  expect(normalise('The fish, and the Chips!', 'stopwords:en')).toBe('fish chips');
  expect(normalise('der Fisch und die Chips', 'stopwords:de')).toBe('fisch chips');
});

test('finds stop words in a text whose accents were stripped', () => {
  expect(normalise('être même poisson', 'stopwords:fr', 'strip-accents')).toBe('poisson');
});

test('stems the words of the source document to connect', () => {
  expect(normalise('connection connected connections connector connecting', 'stem:en')).toBe(
    Array(5).fill('connect').join(' '),
  );
});

test('stems agent nouns in -ctor only when enough of the word is left', () => {
  expect(normalise('connectors director collectors', 'stem:en')).toBe('connect direct collect');
  expect(normalise('doctor factor vector actor sector', 'stem:en')).toBe('doctor factor vector actor sector');
});

test('stems other languages with their Snowball algorithm', () => {
  expect(normalise('Verbindungen', 'stem:de')).toBe('verbind');
  expect(normalise('соединения', 'stem:ru')).toBe('соединен');
});

test('keeps capitals with keep-case and still finds stop words and stems', () => {
  expect(normalise('The Connections ARE Happy HAPPY', 'keep-case', 'stopwords:en', 'stem:en')).toBe(
    'Connect Happi HAPPI',
  );
});

test('names the languages there are when one is asked for that is not', () => {
  expect(() => normalise('x', 'stem:xx' as never)).toThrow(
    /normalise must be stem:LANGUAGE, LANGUAGE one of en, ar.*"stem:xx"/,
  );
  expect(() => normalise('x', 'stopwords:xx' as never)).toThrow(/one of af, ar, .*got "stopwords:xx"/);
});

test('stems a very long word in no time', () => {
  const word = 'a'.repeat(100_000);
  expect(normalise(word, 'stem:fr')).toBe(word);
});

const characterSteps: NormaliseStep[] = ['nfc', 'nfkc', 'strip-digits', 'strip-accents', 'keep-case'];

test('gives the same for any order of the steps', () => {
  const steps: NormaliseStep[] = [...characterSteps, 'stopwords:en', 'stem:en'];
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.shuffledSubarray(steps), (text, chosen) => {
      expect(normalise(text, ...chosen)).toBe(normalise(text, ...chosen.toSorted()));
    }),
  );
});

test('changes nothing the second time, as long as no word is stemmed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.subarray([...characterSteps, 'stopwords:en' as const]),
      (text, chosen) => {
        const once = normalise(text, ...chosen);
        expect(normalise(once, ...chosen)).toBe(once);
      },
    ),
  );
});
