import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteSum, checksumsOf, crc32, hex32, hex64, md5 } from './fingerprint.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('byteSum', () => {
  it('gives 0x508 for "Tropical fish"', () => {
    expect(byteSum(bytesOf('Tropical fish'))).toBe(0x508);
  });

  it('cannot tell an anagram from its text, as the source warns', () => {
    expect(byteSum(bytesOf('Tropical shif'))).toBe(0x508);
  });

  it('goes past 32 bits without loss', () => {
    expect(byteSum(new Uint8Array(17_000_000).fill(255))).toBe(4_335_000_000);
  });
});

describe('crc32', () => {
  it('gives the check value 0xcbf43926 for "123456789"', () => {
    expect(crc32(bytesOf('123456789'))).toBe(0xcbf43926);
  });

  it('agrees with the CRC in a gzip trailer for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        expect(crc32(bytes)).toBe(gzipSync(bytes).readUInt32LE(gzipSync(bytes).length - 8));
      }),
    );
  });
});

describe('md5', () => {
  it('agrees with OpenSSL for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        expect(md5(bytes)).toBe(createHash('md5').update(bytes).digest('hex'));
      }),
    );
  });
});

describe('checksumsOf', () => {
  it('prints lower-case hex without prefix', () => {
    expect(checksumsOf(bytesOf('Tropical fish'))).toEqual({
      byteSum: '508',
      crc32: hex32(crc32(bytesOf('Tropical fish'))),
      md5: createHash('md5').update('Tropical fish').digest('hex'),
    });
  });

  it('knows the values of the empty text', () => {
    expect(checksumsOf(new Uint8Array())).toEqual({
      byteSum: '0',
      crc32: '00000000',
      md5: 'd41d8cd98f00b204e9800998ecf8427e',
    });
  });

  it('keeps leading zeros in fixed-width values', () => {
    expect(hex32(0xab)).toBe('000000ab');
    expect(hex64(0xabn)).toBe('00000000000000ab');
  });
});
