import { describe, expect, test } from 'vitest';
import { NeardupError } from '../errors.ts';
import type { Documents } from './corpus.ts';
import { dedup, findClusters, findPairs } from './dedup.ts';

const text = 'one two three four five six seven';

describe('what a caller gives as documents', () => {
  test.each([
    ['a string', 'abc'],
    ['a number', 5],
    ['null in a list', [null]],
    ['no text and no set', [{ id: 'a' }]],
    ['an object as id', [{ id: {}, text }]],
  ])('is refused in one line when it is %s', async (_, documents) => {
    await expect(dedup(documents as unknown as Documents)).rejects.toThrow(NeardupError);
  });

  test('may have numbers as ids, which count as their decimal strings', async () => {
    const { removed } = await dedup([
      { id: 1, text },
      { id: 2, text },
    ] as unknown as Documents);
    expect(removed).toMatchObject([{ id: '2', keptId: '1' }]);
  });

  test('stays in the run once for each id: the first', async () => {
    const { kept, rejected } = await dedup([
      { id: 'a', text },
      { id: 'a', text: 'another text altogether' },
    ]);
    expect(kept).toEqual([{ id: 'a', text }]);
    expect(rejected).toEqual([{ id: 'a', index: 1, reason: 'repeated id "a"' }]);
  });

  test('is refused by calls that have no place to tell of a repeated id', async () => {
    const twice = [
      { id: 'a', text },
      { id: 'a', text },
    ];
    await expect(findClusters(twice)).rejects.toThrow('its id came before');
    await expect(findPairs(twice).next()).rejects.toThrow('its id came before');
  });
});

test('normalize is another spelling of normalise', async () => {
  const documents = [
    { id: 'a', text: 'connected things stay together here' },
    { id: 'b', text: 'connection thing stays together here' },
  ];
  expect((await dedup(documents, { normalize: 'stem:en' })).removed).toHaveLength(1);
  expect((await dedup(documents)).removed).toHaveLength(0);
});

test('numbers too large for JavaScript are different elements when their digits are', async () => {
  const { kept } = await dedup([
    { id: 'a', set: [1e21, 1] },
    { id: 'b', set: ['1000000000000000000000', '1'] },
    { id: 'c', set: ['1000000000000000000001', '1'] },
  ]);
  expect(kept.map(({ id }) => id)).toEqual(['a', 'c']);
});
