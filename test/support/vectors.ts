/** Inputs → the published test vectors, by the kernel's slow twin. docs/hashes.md says what each field is. */
import {
  codePointHash,
  contentHash,
  donorOf,
  elementHash,
  keyOf,
  mix,
  permutationMultiplier,
  permuteHash,
  shingleHash,
  stir,
  tokenHash,
} from '../../src/kernel/hash.ts';
import { splitWords } from '../../src/kernel/words.ts';
import { bandKeys } from '../../src/lsh/bands.ts';
import { selectPositions } from '../../src/lsh/random-selection.ts';
import type { ShingleSpec } from '../../src/model.ts';
import { ReferenceKernel } from './reference-kernel.ts';

export const vectorSeeds = [0, 1, 2, Number.MAX_SAFE_INTEGER];
const tokens = ['', 'a', 'rose', '12345678', '123456789', 'sixteen_letters_', 'seventeen_letters', 'щука', '中', '𐐨'];
const elements = ['', 'a', '7', '-1.5', 'https://example.org/?q=near+duplicate'];
const texts = [
  '',
  '…!?',
  'one',
  'a rose is a rose is a rose',
  'Four score and seven years ago our founding',
  'Ça va? ÉTÉ à Łódź, ΟΔΥΣΣΕΥΣ, İstanbul, snake_case 3.14',
  '近似重複文書 ทดสอบ abc漢字def',
  'half \ud800 pair 𐐀',
];
const shingles: ShingleSpec[] = [
  { unit: 'word', size: 1 },
  { unit: 'word', size: 3 },
  { unit: 'word', size: 5 },
  { unit: 'char', size: 4 },
];

const encoder = new TextEncoder();
const hex = (value: bigint, digits = 16) => value.toString(16).padStart(digits, '0');
const hex32 = (value: number) => value.toString(16).padStart(8, '0');

export function makeVectors() {
  return {
    mix: [0n, 1n, 0x123456789abcdefn, 2n ** 64n - 1n].map(x => ({ x: hex(x), stir: hex(stir(x)), mix: hex(mix(x)) })),
    keys: vectorSeeds.map(seed => ({ seed, keys: [1, 2, 3, 4, 5, 16, 17].map(purpose => hex(keyOf(seed, purpose))) })),
    tokens: tokens.map(token => ({ token, hashes: ofEachSeed(seed => hex(tokenHash(encoder.encode(token), seed))) })),
    codePoints: [0x20, 0x61, 0x4e2d, 0x10428].map(codePoint => ({
      codePoint,
      hashes: ofEachSeed(seed => hex(codePointHash(codePoint, seed))),
    })),
    shingles: [['a'], ['a', 'rose'], ['a', 'rose', 'is', 'a']].map(words => ({
      words,
      hashes: ofEachSeed(seed => hex(shingleHash(words.map(word => tokenHash(encoder.encode(word), seed))))),
    })),
    elements: elements.map(element => ({
      element,
      hashes: ofEachSeed(seed => hex(elementHash(encoder.encode(element), seed))),
    })),
    contents: [...texts, 'x'.repeat(15), 'x'.repeat(16), 'x'.repeat(17), 'x'.repeat(32)].map(text => ({
      text,
      hashes: ofEachSeed(seed => hex(contentHash(encoder.encode(text), seed), 32)),
    })),
    permutations: [0, 1, 7, 8, 127, 4095].map(index => ({
      index,
      multipliers: ofEachSeed(seed => Number(permutationMultiplier(index, seed))),
      image: hex(permuteHash(0x0123456789abcdefn, permutationMultiplier(index, 1))),
    })),
    donors: [0, 1, 100].map(bin => ({ bin, of128: [1, 2, 3, 4].map(attempt => donorOf(bin, attempt, 128)) })),
    texts: texts.map(text => ({ text, words: splitWords(text).map(({ word }) => word) })),
    sketches: shingles.flatMap(shingle => texts.map(text => sketchVector(shingle, text))),
    selection: selectPositions(3, 4, 128, 1).map(positions => [...positions]),
  };
}

function ofEachSeed<Value>(make: (seed: number) => Value): Value[] {
  return vectorSeeds.map(make);
}

/** Of seed 1, with 16 hashes. */
function sketchVector(shingle: ShingleSpec, text: string) {
  const kernel = new ReferenceKernel({ shingle, keepCase: false, seed: 1, hashes: 16 });
  const set = kernel.shingleSet(text);
  const minima = kernel.minhashOf(set);
  const bins = kernel.onePermutationOf(set);
  return {
    shingle: `${shingle.unit}:${shingle.size}`,
    text,
    set: Array.from(set, hash => hex(hash)),
    minhash: Array.from(minima, hex32),
    onePermutation: { filled: bins.filled, values: Array.from(bins.values, hex32) },
    simhash: hex(kernel.simhashOf(set)),
    bandKeys: set.length === 0 ? [] : Array.from(bandKeys(minima, 4, 4), key => hex(key)),
  };
}
