import { describe, expect, it } from 'vitest';
import { type IdPair, scorePairs, scoreRemovals } from './score.ts';

// a, b, c resemble one another; d and e too; f stands alone.
const truth: IdPair[] = [
  ['a', 'b'],
  ['a', 'c'],
  ['b', 'c'],
  ['d', 'e'],
];

describe('pairs', () => {
  it('counts a pair once, in whatever order and however often it was found', () => {
    const found: IdPair[] = [
      ['a', 'b'],
      ['b', 'a'],
      ['d', 'e'],
      ['d', 'f'],
    ];
    expect(scorePairs(found, truth)).toEqual({ recall: 2 / 4, precision: 2 / 3 });
  });

  it('tells ids apart whose texts run together', () => {
    expect(scorePairs([['a b', 'c']], [['a', 'b c']])).toEqual({ recall: 0, precision: 0 });
  });

  it('finds nothing wrong in nothing', () => {
    expect(scorePairs([], truth)).toEqual({ recall: 0, precision: 1 });
    expect(scorePairs([], [])).toEqual({ recall: 1, precision: 1 });
  });
});

describe('removals', () => {
  it('asks for the documents with an earlier partner', () => {
    expect(scoreRemovals(new Set(['b', 'e']), truth)).toEqual({ recall: 2 / 3, withoutPartner: 0, pairsLeft: 1 / 4 });
  });

  it('counts a removed document with only a later partner as neither found nor wrong', () => {
    expect(scoreRemovals(new Set(['a']), truth)).toEqual({ recall: 0, withoutPartner: 0, pairsLeft: 2 / 4 });
  });

  it('counts a removed document without a partner as wrong', () => {
    expect(scoreRemovals(new Set(['b', 'c', 'e', 'f']), truth)).toEqual({
      recall: 1,
      withoutPartner: 1 / 4,
      pairsLeft: 0,
    });
  });

  it('leaves no pair when all but one of a group go, whichever stays', () => {
    expect(scoreRemovals(new Set(['a', 'b', 'd']), truth)).toEqual({ recall: 1 / 3, withoutPartner: 0, pairsLeft: 0 });
  });
});
