import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { flippedByte } from './flipped-byte.ts';

const place = fc.record({ bytes: fc.uint8Array({ minLength: 1, maxLength: 2000 }), seed: fc.nat(2 ** 32 - 1) });

it('tells which byte was flipped, and how, from the checksum alone', () => {
  fc.assert(
    fc.property(place, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ bytes, seed }, where, bits) => {
      const at = where % bytes.length;
      const flipped = bytes.slice();
      flipped[at]! ^= bits;
      expect(flippedByte(bytes.length, crc32(bytes, seed) ^ crc32(flipped, seed))).toEqual({ at, bits });
    }),
    { seed: 1 },
  );
});

it('tells nothing of bytes that are as they were, or of several that are not', () => {
  const bytes = new Uint8Array(1000);
  expect(flippedByte(bytes.length, 0)).toBeUndefined();
  const flipped = bytes.slice();
  flipped[3] = 1;
  flipped[500] = 1;
  expect(flippedByte(bytes.length, crc32(bytes) ^ crc32(flipped))).toBeUndefined();
});
