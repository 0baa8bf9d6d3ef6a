import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords } from '../kernel/words.ts';
import type { Passage } from '../model.ts';
import { sharedPassages } from './passages.ts';

const word3 = { shingle: { unit: 'word', size: 3 } } as const;
const word5 = { shingle: { unit: 'word', size: 5 } } as const;

const cut = (a: string, b: string, passages: Passage[]) =>
  passages.map(passage => [a.slice(...passage.a), b.slice(...passage.b)]);

/** The rule of the file, with every place of b tried at every word of a. */
function naivePassages(a: string, b: string, size: number): Passage[] {
  const wordsA = splitWords(a);
  const wordsB = splitWords(b);
  const passages: Passage[] = [];
  let nextB = 0;
  for (let atA = 0; atA < wordsA.length; ) {
    const lengths = wordsB.map((_, atB) => {
      let length = 0;
      while (wordsA[atA + length] && wordsA[atA + length]!.word === wordsB[atB + length]?.word) length++;
      return length;
    });
    const longest = Math.max(0, ...lengths);
    if (longest < size) {
      atA++;
      continue;
    }
    const onwards = lengths.findIndex((length, atB) => length === longest && atB >= nextB);
    const atB = onwards >= 0 ? onwards : lengths.indexOf(longest);
    nextB = atB + longest;
    passages.push({
      a: [wordsA[atA]!.start, wordsA[atA + longest - 1]!.end],
      b: [wordsB[atB]!.start, wordsB[nextB - 1]!.end],
    });
    atA += longest;
  }
  return passages;
}

describe('sharedPassages', () => {
  it('gives ranges of the originals, whatever case and punctuation stand in them', () => {
    const a = 'Well: TROPICAL fish, include (fish) found here.';
    const b = '"Tropical fish include   fish — found" elsewhere';
    expect(cut(a, b, sharedPassages(a, b, word5))).toEqual([
      ['TROPICAL fish, include (fish) found', 'Tropical fish include   fish — found'],
    ]);
  });

  it('finds blocks that were moved', () => {
    const first = 'four score and seven years ago our fathers';
    const second = 'the world will little note nor long remember';
    const a = `${first}. ${second}.`;
    const b = `${second}! And then: ${first}`;
    expect(cut(a, b, sharedPassages(a, b, word5))).toEqual([
      [first, first],
      [second, second],
    ]);
  });

  it('maps the second of two equal blocks to the second one, not to the first again', () => {
    const block = 'one two three four five';
    const a = `${block} x ${block}`;
    const b = `${block} y ${block}`;
    expect(sharedPassages(a, b, word5).map(passage => passage.b[0])).toEqual([0, block.length + 3]);
  });

  it('leaves out runs shorter than a shingle', () => {
    expect(sharedPassages('one two three four x', 'one two three four y', word5)).toEqual([]);
    expect(sharedPassages('one two three four x', 'one two three four y', word3)).toHaveLength(1);
  });

  it('shares a text shorter than a shingle as a whole or not at all', () => {
    expect(sharedPassages('Tropical fish', 'tropical, fish!', word5)).toEqual([{ a: [0, 13], b: [0, 14] }]);
    expect(sharedPassages('tropical fish', 'tropical fishes', word5)).toEqual([]);
    expect(sharedPassages('tropical fish', 'tropical fish live in warm seas', word5)).toEqual([]);
    expect(sharedPassages('', '', word5)).toEqual([]);
    expect(sharedPassages('?!', '…', word5)).toEqual([]);
  });

  it('asks for five words when shingles are of characters', () => {
    const options = { shingle: { unit: 'char', size: 9 } } as const;
    expect(sharedPassages('a b c d e 1', 'a b c d e 2', options)).toHaveLength(1);
    expect(sharedPassages('a b c d 1', 'a b c d 2', options)).toEqual([]);
  });

  it('tells Fish from fish only when case is kept', () => {
    expect(sharedPassages('Fish and chips', 'fish and chips', word3)).toHaveLength(1);
    expect(sharedPassages('Fish and chips', 'fish and chips', { ...word3, keepCase: true })).toEqual([]);
  });

  it('works on scripts without spaces, with offsets in UTF-16 units', () => {
    const a = '🐟热带鱼很美丽';
    const b = '他说热带鱼很美丽。';
    expect(cut(a, b, sharedPassages(a, b, word5))).toEqual([['热带鱼很美丽', '热带鱼很美丽']]);
  });

  it('agrees with trying every place', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 3, maxLength: 40 }).map(w => w.join(' '));
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(sharedPassages(a, b, word3)).toEqual(naivePassages(a, b, 3));
      }),
      { numRuns: 300 },
    );
  });

  it('takes a text of one repeated word, 200,000 windows alike, in its stride', () => {
    const zeros = '0 '.repeat(200_000);
    expect(sharedPassages(zeros, `${zeros} 1`, word5)).toEqual([{ a: [0, 399_999], b: [0, 399_999] }]);
  });

  it('follows unchanged text through windows too frequent to be tried everywhere', () => {
    const filler = 'row of equal cells here '.repeat(200);
    const a = `start one two three four ${filler} end one two three four`;
    const b = `begin one two three four ${filler} stop one two three four`;
    const [first, ...rest] = cut(a, b, sharedPassages(a, b, word5));
    expect(first![0]).toBe(a.slice(a.indexOf('one'), a.indexOf(' end')).trimEnd());
    expect(rest).toEqual([]);
  });
});
