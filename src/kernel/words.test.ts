/** The word rule of the contract, script by script. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomText } from '../../test/support/texts.ts';
import { splitWords } from './words.ts';

const wordsOf = (text: string, keepCase = false) => splitWords(text, keepCase).map(({ word }) => word);

describe('words', () => {
  it.each<[string, string, string[]]>([
    ['English', 'The quick-brown FOX.', ['the', 'quick', 'brown', 'fox']],
    ['an apostrophe', "don't", ['don', 't']],
    ['underscores and digits', 'foo_bar x2 3.14 __', ['foo_bar', 'x2', '3', '14', '__']],
    ['German', 'Straße, GRÖẞE', ['straße', 'größe']],
    ['Turkish İ, one to one', 'İSTANBUL', ['istanbul']],
    ['Greek, no final sigma', 'ΟΔΟΣ', ['οδοσ']],
    ['Cyrillic', 'Привет, МИР', ['привет', 'мир']],
    ['Armenian', 'Բարեւ', ['բարեւ']],
    ['Georgian capitals', 'ᲗᲑᲘᲚᲘᲡᲘ', ['თბილისი']],
    ['Cherokee', 'ᏣᎳᎩ', ['ꮳꮃꭹ']],
    ['Hebrew with points', 'שָׁלוֹם עולם', ['שָׁלוֹם', 'עולם']],
    ['Arabic with marks and digits', 'مَرْحَبًا ٣', ['مَرْحَبًا', '٣']],
    ['Persian, cut at the zero-width non-joiner', 'می\u200cخواهم', ['می', 'خواهم']],
    ['Hindi, vowel signs and virama inside', 'नमस्ते दुनिया।', ['नमस्ते', 'दुनिया']],
    ['Tamil', 'வணக்கம் உலகம்', ['வணக்கம்', 'உலகம்']],
    ['Korean, by spaces', '안녕하세요 세계', ['안녕하세요', '세계']],
    ['Chinese, each by itself', '你好，世界。', ['你', '好', '世', '界']],
    ['Han number and iteration mark', '〇人々', ['〇', '人', '々']],
    ['Japanese', 'ひらがなとカタ', ['ひ', 'ら', 'が', 'な', 'と', 'カ', 'タ']],
    // U+30FC belongs to no one script, so it is a run by itself; and so are two of them.
    ['the long vowel mark', 'コーヒーー', ['コ', 'ー', 'ヒ', 'ーー']],
    ['half-width Katakana', 'ｱｲ', ['ｱ', 'ｲ']],
    ['Han past the first plane', '𠀀𠀁', ['𠀀', '𠀁']],
    ['Thai, vowel signs and digits too', 'กำ๑', ['ก', 'ำ', '๑']],
    ['Lao', 'ລາວ', ['ລ', 'າ', 'ວ']],
    ['Khmer', 'ខ្មែរ', ['ខ', '្', 'ម', 'ែ', 'រ']],
    ['Myanmar', 'မြန်', ['မ', 'ြ', 'န', '်']],
    ['Tibetan, by its own marks', 'བོད་ཡིག', ['བོད', 'ཡིག']],
    ['scripts side by side', 'abc中def日2', ['abc', '中', 'def', '日', '2']],
    ['a combining accent', 'cafe\u0301 x', ['cafe\u0301', 'x']],
    ['letters past the first plane', '𐐀𐐁 𞤀', ['𐐨𐐩', '𞤢']],
    ['numbers that are no digits', 'x² Ⅳ ½', ['x²', 'ⅳ', '½']],
    ['full-width letters', 'ＡＢ１', ['ａｂ１']],
    ['emoji and signs', 'a😀b €5 c++', ['a', 'b', '5', 'c']],
    ['a soft hyphen', 'co\u00adop', ['co', 'op']],
    ['a half of a surrogate pair', 'a\ud800b', ['a', 'b']],
    ['the replacement character', 'a\ufffdb', ['a', 'b']],
    ['a byte order mark', '\ufeffa', ['a']],
    ['nothing', ' \t\n…', []],
  ])('%s', (_, text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('keep their case when asked', () => {
    expect(wordsOf('The ΟΔΟΣ', true)).toEqual(['The', 'ΟΔΟΣ']);
  });

  it('stand where they say, in UTF-16 offsets', () => {
    expect(splitWords('𐐀a, 中𠀀b')).toEqual([
      { word: '𐐨a', start: 0, end: 3 },
      { word: '中', start: 5, end: 6 },
      { word: '𠀀', start: 6, end: 8 },
      { word: 'b', start: 8, end: 9 },
    ]);
  });

  it('are, in any text, the letters of the text at their place, in order, with only separators between', () => {
    fc.assert(
      fc.property(randomText, text => {
        let end = 0;
        for (const { word, start, end: next } of splitWords(text, true)) {
          expect(start).toBeGreaterThanOrEqual(end);
          expect(text.slice(start, next)).toBe(word);
          expect(wordsOf(text.slice(end, start))).toEqual([]);
          end = next;
        }
        expect(wordsOf(text.slice(end))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('of words joined by spaces are those words', () => {
    fc.assert(
      fc.property(randomText, text => {
        const words = wordsOf(text);
        expect(wordsOf(words.join(' '), true)).toEqual(words);
      }),
      { numRuns: 200 },
    );
  });
});
