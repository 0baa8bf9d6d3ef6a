/** Who shares elements is ranked as plain counting ranks it, whatever is left out on the way. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_POSTINGS } from '../engine/decide/buckets.ts';
import { chooseCandidates, type Ranking } from './candidates.ts';
import { FIRST_CANDIDATE_KEY, type Prepared } from './prepare.ts';

const ranked = (ranking: Ranking) => Array.from({ length: ranking.length }, (_, place) => ranking.at(place));

function chosen(lists: readonly (readonly number[])[], most: number) {
  const keys = new BigUint64Array(FIRST_CANDIDATE_KEY + lists.length);
  const prepared = { keys, firstElement: FIRST_CANDIDATE_KEY, mostMissing: () => most } as unknown as Prepared;
  return ranked(chooseCandidates(prepared, place => lists[place - FIRST_CANDIDATE_KEY]!, 0.8).byElements);
}

const list = fc.uniqueArray(fc.nat(40), { maxLength: 30 }).map(numbers => numbers.sort((a, b) => a - b));

it('has all that lack few enough, those that lack fewest first', () => {
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 15 }), fc.nat(16), (lists, most) => {
      const missing = (number: number) => lists.filter(list => !list.includes(number)).length;
      const expected = [...new Set(lists.flat())]
        .map(number => ({ number, missing: missing(number), isCommon: false }))
        .filter(one => one.missing <= most)
        .sort((a, b) => a.missing - b.missing || a.number - b.number);
      expect(chosen(lists, most)).toEqual(expected);
    }),
    { seed: 4, numRuns: 1000 },
  );
});

const full = (from: number, step = 1) => Array.from({ length: MAX_POSTINGS }, (_, i) => from + step * i);

it('looks at what very many share only where the rest is no more than may be lacking', () => {
  const lists = [full(0), full(0), [], [7], [7, 2000]];
  expect(chosen(lists, 2)).toEqual([
    { number: 7, missing: 1, isCommon: false },
    { number: 2000, missing: 2, isCommon: false },
  ]);
  const withCommon = chosen(lists, 3);
  expect(withCommon).toHaveLength(MAX_POSTINGS + 1);
  expect(withCommon.slice(0, 3)).toEqual([
    { number: 7, missing: 1, isCommon: false },
    // It may be in both that are full.
    { number: 2000, missing: 2, isCommon: false },
    { number: 0, missing: 3, isCommon: true },
  ]);
});

it('holds nothing against those that came after a list was full', () => {
  const [short, long] = [full(0), full(0, 3)];
  const both = chosen([short, long], 1).filter(({ missing }) => missing === 0);
  expect(both.map(({ number }) => number)).toEqual(long);
  expect(chosen([short, long], 0)).toEqual(both);
});
