import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differences, gapsOf } from './differences.ts';
import { sharedPassages } from './passages.ts';
import { diffTokens } from './token-diff.ts';

const shingle = { unit: 'word', size: 3 } as const;

function differing(a: string, b: string) {
  const found = differences(a, b, sharedPassages(a, b, { shingle }));
  const texts = (parts: string[]) => parts.filter(part => part !== '');
  return { gone: texts(found.map(one => a.slice(...one.a))), come: texts(found.map(one => b.slice(...one.b))) };
}

test('names the words that differ between two passages', () => {
  expect(differing('one two three MONDAY four five six', 'one two three tuesday four five six')).toEqual({
    gone: ['MONDAY'],
    come: ['tuesday'],
  });
  expect(differing('the cat sat down on the mat today', 'the cat sat up on the mat today')).toEqual({
    gone: ['down'],
    come: ['up'],
  });
});

test('sets words beside a passage that moved against those before the next one', () => {
  const [x, y, z] = ['x1 x2 x3', 'y1 y2 y3', 'z1 z2 z3'];
  expect(differing(`${x} red ${y} ${z}`, `${z} ${x} ${y}`).gone.join(' ')).toContain('red');
  const { gone, come } = differing(`${x} then ${z} met monday ${y}`, `${x} then ${y} ${z} met tuesday`);
  expect(gone.join(' ')).toContain('monday');
  expect(come.join(' ')).toContain('tuesday');
});

test('calls neighbouring words one difference, and two apart two', () => {
  expect(differing('one two three red fish four five six', 'one two three blue bird four five six').gone).toEqual([
    'red fish',
  ]);
  const apart = differences('red and one blue', 'green and one black', []);
  expect(apart).toHaveLength(2);
});

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', ','), { maxLength: 60 }).map(list => list.join(' '));

test('every character outside of the passages is in one gap, and none within', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      const passages = sharedPassages(a, b, { shingle });
      const gaps = gapsOf(a.length, b.length, passages);
      for (const [side, text] of [
        ['a', a],
        ['b', b],
      ] as const) {
        const times = new Array<number>(text.length).fill(0);
        for (const { [side]: gap } of gaps) for (let at = gap[0]; at < gap[1]; at++) times[at]!++;
        const covered = Array.from(text, (_, at) =>
          passages.some(({ [side]: [start, end] }) => at >= start && at < end),
        );
        expect(times).toEqual(covered.map(isCovered => (isCovered ? 0 : 1)));
      }
    }),
  );
});

test('a diff turns one text into the other, with as few edits as the plain table needs', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n', '🐟', '\ud83d', '.'), { maxLength: 30 });
  fc.assert(
    fc.property(texts, texts, (first, second) => {
      const [a, b] = [first.join(''), second.join('')];
      const { changes, edits } = diffTokens(a, b, 100)!;
      let made = '';
      let at = 0;
      for (const change of changes) {
        made += a.slice(at, change.a[0]) + b.slice(...change.b);
        at = change.a[1];
      }
      expect(made + a.slice(at)).toBe(b);
      expect(edits).toBe(plainEdits(tokens(a), tokens(b)));
      if (edits > 0) expect(diffTokens(a, b, edits - 1)).toBeUndefined();
    }),
  );
});

const tokens = (text: string) => text.match(/[\p{L}\p{M}\p{N}_]+|\s+|./gsu) ?? [];

function plainEdits(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [x, left] of a.entries()) {
    const next = [x + 1];
    for (const [y, right] of b.entries()) next.push(left === right ? row[y]! : 1 + Math.min(row[y + 1]!, next[y]!));
    row = next;
  }
  return row.at(-1)!;
}

test('texts that have nothing in common cost little and differ as a whole', () => {
  const [a, b] = ['x', 'y'].map(letter => Array.from({ length: 50_000 }, (_, at) => `${letter}${at}`).join(' '));
  // Every second token is a space, which both have.
  expect(differences(a!, b!, [])).toEqual([{ a: [0, a!.length], b: [0, b!.length] }]);
});
