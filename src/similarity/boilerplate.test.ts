import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords } from '../kernel/words.ts';
import { boilerplateIn } from './boilerplate.ts';

const word3 = { unit: 'word', size: 3 } as const;

/** The rule of the file: each window against every other text. */
function naive(text: string, others: readonly string[], size: number, atLeast: number): string[] {
  const words = splitWords(text);
  const joined = others.map(
    other =>
      ` ${splitWords(other)
        .map(({ word }) => word)
        .join(' ')} `,
  );
  const isCommon = words.map(() => false);
  for (let at = 0; at + size <= words.length; at++) {
    const window = ` ${words
      .slice(at, at + size)
      .map(({ word }) => word)
      .join(' ')} `;
    if (joined.filter(other => other.includes(window)).length >= atLeast) isCommon.fill(true, at, at + size);
  }
  return words.filter((_, at) => isCommon[at]).map(({ start, end }) => text.slice(start, end));
}

describe('boilerplateIn', () => {
  it('marks what enough of the others have, whatever its case and signs', () => {
    const text = 'Rain on Monday. All rights reserved, 2024.';
    const others = ['ALL RIGHTS RESERVED 2024', 'Sun. All rights reserved – 2024', 'all rights reserved'];
    const cut = (atLeast: number) =>
      boilerplateIn(text, others, { shingle: word3, atLeast }).map(range => text.slice(...range));
    expect(cut(3)).toEqual(['All rights reserved']);
    expect(cut(2)).toEqual(['All rights reserved, 2024']);
    expect(cut(4)).toEqual([]);
  });

  it('counts a document once that says it twice', () => {
    const twice = 'one two three and one two three';
    expect(boilerplateIn('one two three', [twice], { shingle: word3, atLeast: 2 })).toEqual([]);
    expect(boilerplateIn(twice, ['one two three'], { shingle: word3, atLeast: 1 })).toEqual([
      [0, 13],
      [18, 31],
    ]);
  });

  it('has nothing to say of a text shorter than a shingle', () => {
    expect(boilerplateIn('one two', ['one two', 'one two'], { shingle: word3, atLeast: 1 })).toEqual([]);
  });

  it('says the same as comparing every window with every text', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 }).map(words => words.join(' '));
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 6 }), fc.integer({ min: 1, max: 3 }), (own, others, atLeast) => {
        const ranges = boilerplateIn(own, others, { shingle: word3, atLeast });
        const marked = ranges.flatMap(range => splitWords(own.slice(...range)).map(({ word }) => word));
        expect(marked).toEqual(naive(own, others, 3, atLeast));
      }),
      { numRuns: 500 },
    );
  });
});
