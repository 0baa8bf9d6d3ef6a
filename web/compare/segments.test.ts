import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coveredShare, numberedPassages, numberedStretches, segmentsOf, stretchesOf } from './segments.ts';

const texts = fc.string({ unit: 'grapheme', maxLength: 12_000, minLength: 0 });

test('loses and doubles no character of a text, folded or overlapped', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.tuple(fc.nat(12_000), fc.nat(6_000)), { maxLength: 8 }), (text, given) => {
      const ranges = given.map(([start, length], at) => {
        const from = Math.min(start, text.length);
        return { number: at + 1, start: from, end: Math.min(text.length, from + length) };
      });
      const segments = segmentsOf(
        text,
        ranges.filter(({ start, end }) => end > start),
      );
      expect(segments.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      const stretches = segments.flatMap(({ start, end }) =>
        stretchesOf(start, end, [
          [3, 9],
          [10, 700],
        ]),
      );
      expect(stretches.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test('folds long stretches, and keeps the number of each passage once', () => {
  const text = 'word '.repeat(4000);
  const segments = segmentsOf(text, [
    { number: 1, start: 5000, end: 15_000 },
    { number: 2, start: 6000, end: 7000 },
  ]);
  expect(segments.filter(({ isFolded }) => isFolded)).toHaveLength(3);
  expect(segments.filter(({ numbers, isContinued }) => numbers.length > 0 && !isContinued)).toEqual([
    expect.objectContaining({ start: 5000, numbers: [1, 2] }),
  ]);
});

test('cuts a text at its numbered differences, and keeps the place of what only the other text has', () => {
  const ranges = [
    { number: 1, start: 2, end: 4 },
    { number: 3, start: 6, end: 6 },
    { number: 2, start: 8, end: 12 },
    { number: 4, start: 12, end: 12 },
  ];
  const cut = (start: number, end: number) =>
    numberedStretches(start, end, ranges, end === 12).map(one => [one.start, one.end, one.isMarked, one.number]);
  expect(cut(0, 6)).toEqual([
    [0, 2, false, undefined],
    [2, 4, true, 1],
    [4, 6, false, undefined],
  ]);
  expect(cut(6, 10)).toEqual([
    [6, 6, false, 3],
    [6, 8, false, undefined],
    [8, 10, true, 2],
  ]);
  expect(cut(10, 12)).toEqual([
    [10, 12, true, 2],
    [12, 12, false, 4],
  ]);
});

test('marks the longest of very many passages, numbered in order', () => {
  const passages = Array.from({ length: 5 }, (_, at) => ({ a: [at * 10, at * 10 + 5 + at], b: [0, 5] }) as const);
  expect(numberedPassages(passages, 3).map(({ number, a }) => [number, a[0]])).toEqual([
    [1, 20],
    [2, 30],
    [3, 40],
  ]);
  expect(
    coveredShare(
      [
        [0, 5],
        [3, 8],
        [4, 6],
      ],
      16,
    ),
  ).toBe(0.5);
});
