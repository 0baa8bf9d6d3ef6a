/** The worked examples of the source documents, and the hashes that go with the texts. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Kernel } from '../kernel/contract.ts';
import { createKernel } from '../kernel/wasm-kernel.ts';
import { splitWords } from '../kernel/words.ts';
import type { ShingleSpec } from '../model.ts';
import { shingleHashesOf, shingleTexts } from './shingles.ts';

const wordsOf = (text: string) => splitWords(text).map(({ word }) => word);
const words = (size: number): ShingleSpec => ({ unit: 'word', size });
const chars = (size: number): ShingleSpec => ({ unit: 'char', size });
const kernelFor = (shingle: ShingleSpec) => createKernel({ shingle, keepCase: false, seed: 1, hashes: 8 });

const tropical =
  'Tropical fish include fish found in tropical environments around the world, including both freshwater and salt water species.';

describe('word shingles', () => {
  it('of "a rose is a rose is a rose", k = 4, are three', async () => {
    const text = 'a rose is a rose is a rose';
    expect(shingleTexts(wordsOf(text), words(4))).toEqual(['a rose is a', 'rose is a rose', 'is a rose is']);
    const kernel = await kernelFor(words(4));
    expect(kernel.shingleHashes(text)).toHaveLength(5);
    expect(kernel.shingleSet(text)).toHaveLength(3);
  });

  it('of "Four score and seven years ago, our founding", k = 4, are the five of figure 12.2', () => {
    expect(shingleTexts(wordsOf('Four score and seven years ago, our founding'), words(4))).toEqual([
      'four score and seven',
      'score and seven years',
      'and seven years ago',
      'seven years ago our',
      'years ago our founding',
    ]);
  });

  it('of the text on tropical fish, k = 3, are the sixteen of the slide', () => {
    const listed =
      'tropical fish include, fish include fish, include fish found, fish found in, found in tropical, in tropical environments, ' +
      'tropical environments around, environments around the, around the world, the world including, world including both, ' +
      'including both freshwater, both freshwater and, freshwater and salt, and salt water, salt water species';
    expect(shingleTexts(wordsOf(tropical), words(3))).toEqual(listed.split(', '));
  });

  it('of a text of fewer than k words is one, of all its words', () => {
    expect(shingleTexts(wordsOf('only three words'), words(5))).toEqual(['only three words']);
    expect(shingleTexts(wordsOf('exactly five words are here'), words(5))).toHaveLength(1);
  });

  it('of a text without words are none', async () => {
    expect(shingleTexts(wordsOf('… — !'), words(5))).toEqual([]);
    const kernel = await kernelFor(words(5));
    expect(shingleHashesOf(kernel.shingleHashes('… — !'), words(5))).toHaveLength(0);
  });
});

describe('character shingles', () => {
  it('run over the words joined by single spaces, in code points', () => {
    expect(shingleTexts(wordsOf('To  be!'), chars(3))).toEqual(['to ', 'o b', ' be']);
    expect(shingleTexts(wordsOf('𐐀𐐀 é'), chars(2))).toEqual(['𐐨𐐨', '𐐨 ', ' é']);
  });

  it('repeat once', () => {
    expect(shingleTexts(wordsOf('aaaaaa'), chars(2))).toEqual(['aa']);
  });

  it('of a text shorter than k are one', () => {
    expect(shingleTexts(wordsOf('ab'), chars(5))).toEqual(['ab']);
  });
});

describe('shingles that do not overlap', () => {
  it('start at every k-th word; what is left at the end is no shingle', () => {
    expect(shingleTexts(wordsOf(tropical), words(3), false)).toEqual([
      'tropical fish include',
      'fish found in',
      'tropical environments around',
      'the world including',
      'both freshwater and',
      'salt water species',
    ]);
    expect(shingleTexts(wordsOf('one two three four five'), words(2), false)).toEqual(['one two', 'three four']);
    expect(shingleTexts(wordsOf('abcdefg'), chars(3), false)).toEqual(['abc', 'def']);
  });

  it('of a short text are the one of all its words', () => {
    expect(shingleTexts(wordsOf('one two'), words(3), false)).toEqual(['one two']);
  });
});

describe('hashes', () => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await kernelFor(words(3));
  });

  it('are those of the shingles, in the same order, overlapping or not', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'rose', 'is'), { maxLength: 30 }).map(all => all.join(' '));
    fc.assert(
      fc.property(text, fc.boolean(), (given, overlapping) => {
        const texts = shingleTexts(wordsOf(given), words(3), overlapping);
        const hashes = shingleHashesOf(kernel.shingleHashes(given), words(3), overlapping);
        expect([...hashes]).toEqual(texts.map(shingle => kernel.shingleHashes(shingle)[0]));
      }),
    );
  });

  it('tell the order of words', () => {
    expect(kernel.shingleSet('salt and water')).not.toEqual(kernel.shingleSet('water and salt'));
  });

  it('are chosen by "keep those 0 mod m": of the sixteen numbers of the slide, four are 0 mod 4 and none 0 mod 16', () => {
    const listed = BigUint64Array.from(
      [938, 664, 463, 822, 492, 798, 78, 969, 143, 236, 913, 908, 694, 553, 870, 779],
      BigInt,
    );
    expect([...kernel.modOf(listed, 4)]).toEqual([664n, 492n, 236n, 908n]);
    expect([...kernel.modOf(listed, 16)]).toEqual([]);
    expect([...kernel.modOf(BigUint64Array.of(0n, 15n, 16n, 17n, 32n, 2n ** 64n - 16n), 16)]).toEqual([
      0n,
      16n,
      32n,
      2n ** 64n - 16n,
    ]);
  });

  it('keep about one in sixteen, the same ones in every document', () => {
    const many = Array.from({ length: 16_002 }, (_, i) => `w${i}`);
    const kept = kernel.modOf(kernel.shingleSet(many.join(' ')), 16);
    expect(Math.abs(kept.length - 1000)).toBeLessThan(4 * Math.sqrt(1000 * (15 / 16)));
    const part = kernel.modOf(kernel.shingleSet(many.slice(0, 4002).join(' ')), 16);
    expect(kernel.intersectionSize(part, kept)).toBe(part.length);
  });
});
