/** A script → sentences: real ones of licence texts in English; made-up words of natural lengths in Cyrillic and Chinese. */
import licences from 'spdx-license-list/full.js';
import type { Random } from './random.ts';

export type Script = 'latin' | 'cyrillic' | 'chinese';

export function createSentences(script: Script, random: Random): () => string {
  if (script === 'latin') {
    const sentences = englishSentences();
    return () => random.pick(sentences);
  }
  const words = Array.from({ length: 20_000 }, () =>
    script === 'cyrillic' ? cyrillicWord(random) : chineseWord(random),
  );
  // The least of two: frequent words, as in any language.
  const word = () => words[Math.min(random.below(words.length), random.below(words.length))]!;
  return script === 'cyrillic' ? () => cyrillicSentence(word, random) : () => chineseSentence(word, random);
}

function englishSentences(): string[] {
  return Object.values(licences)
    .flatMap(({ licenseText }) => licenseText.replace(/\s+/g, ' ').split(/(?<=[.;:]) /))
    .filter(sentence => sentence.length > 20 && sentence.length < 400 && /^[\x20-\x7e]+$/.test(sentence));
}

const cyrillic = 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё';

function cyrillicWord(random: Random): string {
  const letter = () => cyrillic[Math.min(random.below(cyrillic.length), random.below(cyrillic.length))]!;
  return Array.from({ length: 1 + random.below(6) + random.below(6) }, letter).join('');
}

function cyrillicSentence(word: () => string, random: Random): string {
  const words = Array.from({ length: 6 + random.below(14) }, word);
  const text = words.join(' ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

function chineseWord(random: Random): string {
  const ideograph = () => String.fromCodePoint(0x4e00 + Math.min(random.below(8000), random.below(20_000)));
  return Array.from({ length: 1 + random.below(3) }, ideograph).join('');
}

function chineseSentence(word: () => string, random: Random): string {
  return `${Array.from({ length: 5 + random.below(10) }, word).join('')}。`;
}
