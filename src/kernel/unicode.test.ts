/** The committed Unicode table is the one that the script makes, and says what Unicode says. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kindOf, lowercaseOf, SEPARATOR, SOLO, unicodeRuns, WORD } from './unicode.ts';

const script = new URL('../../scripts/make-unicode-table.mjs', import.meta.url);
const table = new URL('./unicode-table.ts', import.meta.url);

// Blocks that were full before Unicode 15.0, so that any Node agrees on them.
const settled: readonly (readonly [number, number])[] = [
  [0, 0x377],
  [0x400, 0x52f],
  [0x5d0, 0x5ea],
  [0x620, 0x6ff],
  [0x900, 0x97f],
  [0xe01, 0xe5b],
  [0x1000, 0x109f],
  [0x1780, 0x17b3],
  [0x1e00, 0x1eff],
  [0x3041, 0x3096],
  [0x30a0, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xff01, 0xff9f],
  [0x10400, 0x1044f],
  [0x1f600, 0x1f64f],
  [0x20000, 0x2a6d6],
];

function* settledLetters(): Generator<[codePoint: number, letter: string]> {
  for (const [first, last] of settled)
    for (let codePoint = first; codePoint <= last; codePoint++) yield [codePoint, String.fromCodePoint(codePoint)];
}

describe('the Unicode table', () => {
  it('is what scripts/make-unicode-table.mjs makes', async () => {
    const { makeUnicodeTable } = (await import(/* @vite-ignore */ script.href)) as {
      makeUnicodeTable(): Promise<string>;
    };
    // Not toBe: a difference would be printed as 15 kB.
    expect((await makeUnicodeTable()) === readFileSync(table, 'utf8')).toBe(true);
  });

  it('has runs in order, none empty, none touching its like', () => {
    for (const [i, run] of unicodeRuns.entries()) {
      const before = unicodeRuns[i - 1];
      expect(run.length).toBeGreaterThan(0);
      if (!before) continue;
      const end = before.start + before.length;
      expect(run.start).toBeGreaterThanOrEqual(end);
      if (run.start === end) expect([run.kind, run.shift]).not.toEqual([before.kind, before.shift]);
    }
  });

  it('has as word characters the letters, marks and numbers, and the underscore', () => {
    const wrong = [...settledLetters()].filter(
      ([codePoint, letter]) => (kindOf(codePoint) !== SEPARATOR) !== /[\p{L}\p{M}\p{N}_]/u.test(letter),
    );
    expect(wrong).toEqual([]);
  });

  it('has as words by themselves those of the seven scripts written without spaces', () => {
    const alone =
      /(?=[\p{L}\p{M}\p{N}])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
    const wrong = [...settledLetters()].filter(
      ([codePoint, letter]) => (kindOf(codePoint) === SOLO) !== alone.test(letter),
    );
    expect(wrong).toEqual([]);
  });

  it('maps to lowercase one to one', () => {
    const wrong = [...settledLetters()].filter(([codePoint, letter]) => {
      const lower = codePoint === 0x130 ? 'i' : letter.toLowerCase(); // İ alone has a longer full mapping
      return lowercaseOf(codePoint) !== lower.codePointAt(0);
    });
    // Only letters in words are mapped: nothing else is ever looked at.
    expect(wrong.filter(([codePoint]) => kindOf(codePoint) !== SEPARATOR)).toEqual([]);
  });

  it('leaves code points that are no character at all as separators', () => {
    for (const codePoint of [0xd800, 0xdfff, 0xfffe, 0xffff, 0xe000, 0x10ffff, 0xfffd]) {
      expect(kindOf(codePoint)).toBe(SEPARATOR);
    }
    expect(kindOf('_'.codePointAt(0)!)).toBe(WORD);
  });
});
