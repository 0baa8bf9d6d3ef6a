/** One suite for both kernels: what the WebAssembly one computes must be, bit for bit, what its slow twin computes. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Kernel, KernelOptions, Text } from '../../src/kernel/contract.ts';
import { createKernel } from '../../src/kernel/wasm-kernel.ts';
import type { ShingleSpec } from '../../src/model.ts';
import { ReferenceKernel } from '../support/reference-kernel.ts';
import { damagedBytes, licenceTexts, randomText } from '../support/texts.ts';

const base: KernelOptions = { shingle: { unit: 'word', size: 5 }, keepCase: false, seed: 1, hashes: 128 };
const shingles: ShingleSpec[] = [
  { unit: 'word', size: 1 },
  { unit: 'word', size: 3 },
  { unit: 'word', size: 5 },
  { unit: 'word', size: 100 },
  { unit: 'char', size: 1 },
  { unit: 'char', size: 5 },
  { unit: 'char', size: 100 },
];

async function twins(options: Partial<KernelOptions> = {}): Promise<[Kernel, Kernel]> {
  const all = { ...base, ...options };
  return [await createKernel(all), new ReferenceKernel(all)];
}

/** Everything that is told of a text; the sketches of long texts take too long in the slow twin. */
function expectEqual([fast, slow]: [Kernel, Kernel], text: Text, sketches = true): void {
  expect(fast.read(text)).toEqual(slow.read(text));
  const hashes = slow.shingleHashes(text);
  expectSame(fast.shingleHashes(text), hashes);
  const set = slow.shingleSet(text);
  expectSame(fast.shingleSet(text), set);
  if (!sketches) return;
  expect(fast.simhashOf(set)).toBe(slow.simhashOf(set));
  for (const modulus of [1, 3, 16]) expect(fast.modOf(set, modulus)).toEqual(slow.modOf(set, modulus));
  expect(fast.minhash(text)).toEqual(slow.minhash(text));
  for (const below of [0, 1, 3, 40, 64]) expect(fast.readMinhash(text, below)).toEqual(slow.readMinhash(text, below));
  expect(fast.minhashOf(set)).toEqual(slow.minhashOf(set));
  expect(fast.onePermutation(text)).toEqual(slow.onePermutation(text));
  expect(fast.onePermutationOf(set)).toEqual(slow.onePermutationOf(set));
}

/** `toEqual` takes seconds on long arrays of big integers. */
function expectSame(got: BigUint64Array, want: BigUint64Array): void {
  expect(got.length).toBe(want.length);
  expect(got.findIndex((hash, i) => hash !== want[i])).toBe(-1);
}

describe('both kernels agree on', () => {
  test.each(shingles)('random texts in many scripts, $unit:$size', async shingle => {
    const kernels = await twins({ shingle, hashes: 20 });
    fc.assert(
      fc.property(randomText, text => expectEqual(kernels, text)),
      { numRuns: 200 },
    );
  });

  test('bytes that are not quite UTF-8', async () => {
    const kernels = await twins({ hashes: 8 });
    fc.assert(
      fc.property(damagedBytes, bytes => expectEqual(kernels, bytes)),
      { numRuns: 1000 },
    );
  });

  test('case that is kept', async () => {
    for (const unit of ['word', 'char'] as const) {
      const kernels = await twins({ keepCase: true, shingle: { unit, size: 2 }, hashes: 8 });
      fc.assert(
        fc.property(randomText, text => expectEqual(kernels, text)),
        { numRuns: 200 },
      );
    }
  });

  test('any seed and number of hashes', async () => {
    for (const [seed, hashes] of [
      [0, 1],
      [2, 7],
      [3, 8],
      [4, 9],
      [Number.MAX_SAFE_INTEGER, 100],
      [5, 4096],
    ] as const) {
      const kernels = await twins({ seed, hashes });
      expectEqual(kernels, 'Four score and seven years ago our founding fathers brought forth');
      expectEqual(kernels, '');
    }
  });

  test('every code point, by itself and inside a word', async () => {
    const [fast, slow] = await twins({ shingle: { unit: 'word', size: 1 }, hashes: 8 });
    // Three quarters of the code points are in planes where nothing is a letter: every 16th of those is enough.
    for (let start = 0; start < 0x110000; start += start < 0x34000 ? 0x1000 : 0x10000) {
      const step = start < 0x34000 ? 1 : 16;
      let text = '';
      for (let codePoint = start; codePoint < start + 0x1000; codePoint += step) {
        if (codePoint < 0xd800 || codePoint > 0xdfff) text += `a${String.fromCodePoint(codePoint)}Z `;
      }
      expectSame(fast.shingleHashes(text), slow.shingleHashes(text));
    }
  });

  test('texts, words and gaps of boundary lengths', async () => {
    const kernels = await twins({ shingle: { unit: 'word', size: 2 }, hashes: 8 });
    for (const length of [
      0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 8175, 8191, 8192, 8193, 16384, 16385,
    ]) {
      for (const [unit, gap] of [
        ['a', ' '],
        ['é', '\u3000'],
        ['中', ''],
        ['𐐀', ' '],
      ] as const) {
        expectEqual(kernels, unit.repeat(length), length < 200);
        expectEqual(kernels, `${gap.repeat(length)}${unit}`, length < 200);
        expectEqual(kernels, `${unit.repeat(length)}${gap}${unit.repeat(3)}${gap}${unit.repeat(length)}`, length < 200);
        expectEqual(kernels, `${(unit + gap).repeat(length)}`, length < 200);
      }
    }
  });

  test('a word of one megabyte, and code points cut by every internal border', async () => {
    const kernels = await twins({ shingle: { unit: 'word', size: 2 }, hashes: 8 });
    expectEqual(kernels, `start ${'x'.repeat(1_000_000)} end`, false);
    expectEqual(kernels, `start ${'щ'.repeat(500_003)} end`, false);
    for (let shift = 0; shift < 8; shift++) expectEqual(kernels, 'b'.repeat(shift) + 'é中𐐀 '.repeat(3000), false);
    for (let shift = 0; shift < 4; shift++) {
      const bytes = new Uint8Array(70_000).fill(0xe4);
      bytes.fill(0x61, 0, shift + 8188);
      expectEqual(kernels, bytes, false);
    }
  });

  test('shingles of a thousand words, over several pieces', async () => {
    const [fast, slow] = await twins({ shingle: { unit: 'word', size: 1000 }, hashes: 8 });
    const text = Array.from({ length: 4000 }, (_, i) => `w${i % 1500}`).join(' ');
    expectSame(fast.shingleHashes(text), slow.shingleHashes(text));
  });

  test('real licence texts', async () => {
    const kernels = await twins({ hashes: 16 });
    for (const text of licenceTexts(25)) expectEqual(kernels, text);
  });

  test('plain sets and their intersections', async () => {
    const [fast, slow] = await twins({ hashes: 32 });
    const element = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.constantFrom('a', 'a\0', '', 'x'.repeat(70_000)),
    );
    const elements = fc.array(element, { maxLength: 100 });
    fc.assert(
      fc.property(elements, elements, (a, b) => {
        const setA = slow.elementSet(a);
        const setB = slow.elementSet([...a.slice(0, 50), ...b]);
        expect(fast.elementSet(a)).toEqual(setA);
        const shared = slow.intersectionSize(setA, setB);
        expect(fast.intersectionSize(setA, setB)).toBe(shared);
        for (const least of [1, shared, shared + 1, setA.length]) {
          const told = fast.intersectionSize(setA, setB, least);
          if (shared >= least) expect(told).toBe(shared);
          else expect(told).toBeLessThan(least);
        }
        expect(fast.minhashOf(setB)).toEqual(slow.minhashOf(setB));
      }),
      { numRuns: 50 },
    );
  });
});

describe('large inputs', () => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await createKernel({ ...base, shingle: { unit: 'word', size: 1 } });
  });

  test('a set of a million hashes is sorted, each once', () => {
    const words = Array.from({ length: 1_000_000 }, (_, i) => (i % 700_000).toString(36));
    const set = kernel.shingleSet(words.join(' '));
    expect(set.length).toBe(700_000);
    expect(set.every((hash, i) => i === 0 || set[i - 1]! < hash)).toBe(true);
    expect(kernel.elementSet(words)).toEqual(set);
  });

  test('a million equal words are one shingle', () => {
    expect(kernel.shingleSet('buffalo '.repeat(1_000_000)).length).toBe(1);
  });
});
