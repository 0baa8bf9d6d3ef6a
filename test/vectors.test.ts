/** The published vectors: what the slow twin makes, what the kernel computes, and what docs/hashes.md says. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createKernel } from '../src/kernel/wasm-kernel.ts';
import { bandKeys } from '../src/lsh/bands.ts';
import { options } from '../src/options.ts';
import { makeVectors, vectorSeeds } from './support/vectors.ts';

const published: ReturnType<typeof makeVectors> = JSON.parse(read('vectors.json'));

test('test/vectors.json is what the slow twin makes of the inputs', () => {
  expect(published).toEqual(makeVectors());
});

describe('the kernel computes', () => {
  test('the content hashes and elements, for every seed', async () => {
    for (const [i, seed] of vectorSeeds.entries()) {
      const kernel = await createKernel({ shingle: { unit: 'word', size: 1 }, keepCase: false, seed, hashes: 1 });
      for (const { text, hashes } of published.contents) expect(hex(kernel.read(text).contentHash, 32)).toBe(hashes[i]);
      for (const { element, hashes } of published.elements)
        expect(Array.from(kernel.elementSet([element]), hash => hex(hash))).toEqual([hashes[i]]);
    }
  });

  test.each(published.sketches)('the sketches of $text in $shingle', async vector => {
    const kernel = await createKernel({
      shingle: options.shingle.parse(vector.shingle, 'shingle'),
      keepCase: false,
      seed: 1,
      hashes: 16,
    });
    const set = kernel.shingleSet(vector.text);
    const minima = kernel.minhash(vector.text);
    const { filled, values } = kernel.onePermutation(vector.text);
    expect({
      set: Array.from(set, hash => hex(hash)),
      minhash: Array.from(minima, hex32),
      onePermutation: { filled, values: Array.from(values, hex32) },
      simhash: hex(kernel.simhashOf(set)),
      bandKeys: set.length === 0 ? [] : Array.from(bandKeys(minima, 4, 4), key => hex(key)),
    }).toEqual({
      set: vector.set,
      minhash: vector.minhash,
      onePermutation: vector.onePermutation,
      simhash: vector.simhash,
      bandKeys: vector.bandKeys,
    });
  });
});

test('every hash in the tables of docs/hashes.md is a published one', () => {
  const rows = read('../docs/hashes.md')
    .split('\n')
    .filter(line => line.startsWith('|') && !/`(GOLDEN|M2?|BASE)`/.test(line));
  const hashes = rows.flatMap(row => row.match(/\b[0-9a-f]{16,32}\b/g) ?? []);
  const known = JSON.stringify(published);
  expect(hashes.length).toBeGreaterThan(20);
  expect(hashes.filter(hash => !known.includes(hash) && hash !== '0123456789abcdef')).toEqual([]);
});

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

function hex(value: bigint, digits = 16): string {
  return value.toString(16).padStart(digits, '0');
}

function hex32(value: number): string {
  return value.toString(16).padStart(8, '0');
}
