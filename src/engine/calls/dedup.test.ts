import { describe, expect, test } from 'vitest';
import { NeardupError } from '../../errors.ts';
import type { Document } from '../../model.ts';
import type { Documents } from '../memory/corpus.ts';
import { compare } from './compare.ts';
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

  test('is named by its position where an id is repeated, missing, null or empty, and none is lost', async () => {
    const documents = [
      { id: 'a', text },
      { id: 'a', text: 'another text altogether' },
      { id: 'a', text },
      { text },
      { id: null, text },
      { id: '', text: 'a third text, unlike the others' },
    ] as unknown as Document[];
    const { kept, removed, renamed } = await dedup(documents, {
      protect: [{ id: 'a', text: 'p' }, { text: 'p' }] as never,
    });
    expect(kept).toEqual([documents[0], documents[1], documents[5]]);
    expect(kept[1]).toBe(documents[1]);
    expect(removed.map(({ id, keptId }) => `${id} ${keptId}`)).toEqual([
      'documents:3 a',
      'documents:4 a',
      'documents:5 a',
    ]);
    expect(renamed.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5]);
    const [cluster] = await findClusters(documents);
    expect(cluster!.members).toEqual(['a', 'documents:3', 'documents:4', 'documents:5']);
    expect((await findPairs(documents).next()).value).toMatchObject({ a: 'a', b: 'documents:3' });
  });
});

test('a set may be any iterable of strings and numbers, gone through once', async () => {
  const elements = function* () {
    yield* ['x', 'y', 1];
  };
  const documents = [
    { id: 'a', set: new Set(['x', 'y', 1]) },
    { id: 'b', set: ['1', 'y', 'x'] },
    { id: 'c', set: elements() },
    { id: 'd', set: new Set(['x', 'y', 2]) },
  ];
  const { kept, removed } = await dedup(documents, { keep: 'longest' });
  expect(kept).toEqual([documents[0], documents[3]]);
  expect(kept[0]).toBe(documents[0]);
  expect(removed.map(({ id, keptId, relation }) => [id, keptId, relation])).toEqual([
    ['b', 'a', 'exact'],
    ['c', 'a', 'exact'],
  ]);
  expect(await compare(elements(), new Set(['x']))).toEqual(await compare(['x', 'y', 1], ['x']));
  await expect(dedup([{ id: 'a', set: new Map([['x', 1]]) as never }])).rejects.toMatchObject({ code: 'BAD_DOCUMENT' });
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
