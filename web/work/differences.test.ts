import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharedPassages } from '../../src/browser.ts';
import { differencesOf, gapsOf } from './differences.ts';

const shingle = { unit: 'word', size: 3 } as const;

function differing(a: string, b: string) {
  const passages = sharedPassages(a, b, { shingle });
  const { a: inA, b: inB } = differencesOf(a, b, passages, () => 0);
  return { gone: inA.map(range => a.slice(...range)), come: inB.map(range => b.slice(...range)) };
}

test('names the words that differ between two passages', () => {
  expect(differing('one two three MONDAY four five six', 'one two three tuesday four five six')).toEqual({
    gone: ['MONDAY'],
    come: ['tuesday'],
  });
});

test('sets words beside a passage that moved against those before the next one', () => {
  const [x, y, z] = ['x1 x2 x3', 'y1 y2 y3', 'z1 z2 z3'];
  expect(differing(`${x} red ${y} ${z}`, `${z} ${x} ${y}`).gone.join(' ')).toContain('red');
  const { gone, come } = differing(`${x} then ${z} met monday ${y}`, `${x} then ${y} ${z} met tuesday`);
  expect(gone.join(' ')).toContain('monday');
  expect(come.join(' ')).toContain('tuesday');
});

test('every character outside of the passages is in one gap, and none within', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', ','), { maxLength: 60 }).map(list => list.join(' '));
  fc.assert(
    fc.property(words, words, (a, b) => {
      const passages = sharedPassages(a, b, { shingle });
      const gaps = gapsOf(a.length, b.length, passages);
      for (const [side, text] of [
        ['a', a],
        ['b', b],
      ] as const) {
        const times = new Array<number>(text.length).fill(0);
        for (const gap of gaps)
          for (let at = gap[side === 'a' ? 'gapA' : 'gapB'][0]; at < gap[side === 'a' ? 'gapA' : 'gapB'][1]; at++)
            times[at]!++;
        const covered = Array.from(text, (_, at) =>
          passages.some(({ [side]: [start, end] }) => at >= start && at < end),
        );
        expect(times).toEqual(covered.map(isCovered => (isCovered ? 0 : 1)));
      }
    }),
  );
});

test('what is said to differ, taken out, leaves the same words in gaps that were set against each other', () => {
  const { gone, come } = differing('the cat sat down on the mat today', 'the cat sat up on the mat today');
  expect([gone, come]).toEqual([['down'], ['up']]);
});
