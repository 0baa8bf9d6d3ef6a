import { expect, it } from 'vitest';
import { spread } from './spread.ts';

it.each([0, 1, 2, 3, 10, 64, 97, 1000])('gives each of %i numbers once', next => {
  expect([...spread(next)].sort((a, b) => a - b)).toEqual(Array.from({ length: next }, (_, at) => at));
});

it('reaches every tenth of the numbers within the first thirty', () => {
  for (const next of [100, 999, 1000, 123_457, 2 ** 31]) {
    const first = [...take(spread(next), 30)].map(number => Math.floor((number / next) * 10));
    expect(new Set(first).size).toBe(10);
  }
});

function* take(numbers: Iterable<number>, count: number) {
  for (const number of numbers) {
    if (count-- === 0) return;
    yield number;
  }
}
