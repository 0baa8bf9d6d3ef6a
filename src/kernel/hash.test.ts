/** The hashes that everything stands on: bijections, keys of a seed, and the checksum. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from './crc32.ts';
import {
  codePointHash,
  contentHash,
  donorOf,
  elementHash,
  invertPermutedHash,
  keyOf,
  mix,
  permuteHash,
  shingleHash,
  tokenHash,
  unmix,
} from './hash.ts';

const any64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('mix', () => {
  it('is undone by unmix, and the other way round', () => {
    fc.assert(
      fc.property(any64, x => {
        expect(unmix(mix(x))).toBe(x);
        expect(mix(unmix(x))).toBe(x);
      }),
    );
  });
});

describe('a permutation of hashes', () => {
  it('is undone by its inverse for any multiplier', () => {
    fc.assert(
      fc.property(any64, fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), (hash, multiplier) => {
        expect(invertPermutedHash(permuteHash(hash, multiplier), multiplier)).toBe(hash);
      }),
    );
  });
});

describe('keys and hashes', () => {
  it('differ by seed and by purpose', () => {
    const keys = [0, 1, 2, Number.MAX_SAFE_INTEGER].flatMap(seed => [1, 2, 3, 16, 17].map(use => keyOf(seed, use)));
    expect(new Set(keys).size).toBe(keys.length);
    for (const hash of [tokenHash, elementHash, contentHash]) {
      expect(hash(bytesOf('word'), 1)).not.toBe(hash(bytesOf('word'), 2));
    }
    expect(codePointHash(97, 1)).not.toBe(codePointHash(97, 2));
  });

  it('tell texts apart that differ only in zeros at their end', () => {
    for (const hash of [tokenHash, elementHash, contentHash]) {
      const hashes = Array.from({ length: 40 }, (_, zeros) => hash(bytesOf(`a${'\0'.repeat(zeros)}`), 1));
      expect(new Set(hashes).size).toBe(40);
    }
  });

  it('of a shingle tell the order and the number of its words', () => {
    const [a, b] = [tokenHash(bytesOf('a'), 1), tokenHash(bytesOf('b'), 1)];
    const shingles = [[a], [b], [a, b], [b, a], [a, a], [a, a, b]].map(shingleHash);
    expect(new Set(shingles).size).toBe(shingles.length);
  });

  it('do not collide on a hundred thousand short words', () => {
    const hashes = new Set<bigint>();
    for (let i = 0; i < 100_000; i++) hashes.add(elementHash(bytesOf(i.toString(36)), 1));
    expect(hashes.size).toBe(100_000);
  });
});

describe('the donors of an empty bin', () => {
  it('are bins, and over many attempts all of them', () => {
    const donors = new Set(Array.from({ length: 2000 }, (_, attempt) => donorOf(3, attempt, 50)));
    expect([...donors].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, bin) => bin));
  });
});

describe('CRC-32', () => {
  it('is the one of gzip and zip', () => {
    expect(crc32(bytesOf('123456789'))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array(0))).toBe(0);
    expect(crc32(bytesOf('The quick brown fox jumps over the lazy dog'))).toBe(0x414fa339);
  });
});
