import { describe, expect, it } from 'vitest';
import { nearestName } from './options.ts';

describe('a name that is not known', () => {
  const known = ['threshold', 'measure', 'limit', 'of'];
  it.each([
    ['treshold', 'threshold'],
    ['Threshold', 'threshold'],
    ['limti', 'limit'],
    ['limits', 'limit'],
    ['mesure', 'measure'],
    ['if', 'of'],
    ['colour', undefined],
    ['', undefined],
    ['x'.repeat(1_000_000), undefined],
  ])('%s suggests %s', (given, nearest) => expect(nearestName(given, known)).toBe(nearest));
});
