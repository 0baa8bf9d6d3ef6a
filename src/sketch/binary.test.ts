/** Sketches as bytes: what goes in comes out, and what is damaged is refused. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSketcher, type Sketcher } from '../engine/sketcher.ts';
import { NeardupError } from '../errors.ts';
import { crc32 } from '../kernel/crc32.ts';
import { decodeSketch, encodeSketch } from './binary.ts';
import { keepBits } from './minhash.ts';
import type { MinHashSketch, Sketch } from './sketch.ts';

const kinds = ['minhash:128', 'minhash:7', 'oph:50', 'bottom:30', 'mod:4', 'mod:auto', 'super', 'simhash'] as const;
const text = 'Four score and seven years ago our fathers brought forth, upon this continent, a new nation';

/** The code of the error that decoding ends in; undefined when it does not. */
function codeOf(bytes: Uint8Array): string | undefined {
  try {
    decodeSketch(bytes);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(NeardupError);
    return (error as NeardupError).code;
  }
}

/** Bytes whose checksum is right, whatever else they are. */
function withChecksum(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  new DataView(copy.buffer).setUint32(copy.length - 4, crc32(copy.subarray(0, -4)), true);
  return copy;
}

function withHeader(header: string): Uint8Array {
  const body = new TextEncoder().encode(header);
  const bytes = new Uint8Array(12 + body.length + 4);
  bytes.set([...'NDSK'].map(letter => letter.charCodeAt(0)));
  bytes[4] = 1;
  new DataView(bytes.buffer).setUint32(8, body.length, true);
  bytes.set(body, 12);
  return withChecksum(bytes);
}

describe.each(kinds)('%s', kind => {
  let sketcher: Sketcher;
  beforeAll(async () => {
    sketcher = await createSketcher({ sketch: kind, shingle: 'word:2', normalise: 'nfc,strip-digits', seed: 77 });
  });

  it('comes back as it was, with its options', () => {
    const sketch = sketcher.sketch(text);
    const decoded = decodeSketch(encodeSketch(sketch));
    expect(decoded).toEqual(sketch);
    expect(decoded).toMatchObject({ shingle: 'word:2', normalise: 'nfc,strip-digits', seed: 77 });
  });

  it.each([
    ['a text without words', '…'],
    ['an empty text', ''],
    ['an empty set', []],
    ['a set', ['x', 7]],
  ])('comes back of %s', (_, document) => {
    const sketch = sketcher.sketch(document);
    expect(decodeSketch(encodeSketch(sketch))).toEqual(sketch);
  });

  it('is refused with any one byte changed', () => {
    const bytes = encodeSketch(sketcher.sketch(text));
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice();
      damaged[at]! ^= 1 << (at % 8);
      expect(codeOf(damaged), `byte ${at}`).toBe('BAD_SKETCH');
    }
  });

  it('is refused when cut off anywhere, or longer than it was', () => {
    const bytes = encodeSketch(sketcher.sketch(text));
    for (let end = 0; end < bytes.length; end++) expect(codeOf(bytes.subarray(0, end)), `${end}`).toBe('BAD_SKETCH');
    expect(codeOf(Uint8Array.of(...bytes, 0))).toBe('BAD_SKETCH');
  });

  it('is read at any place in a larger buffer', () => {
    const bytes = encodeSketch(sketcher.sketch(text));
    const larger = new Uint8Array(bytes.length + 11);
    larger.set(bytes, 5);
    expect(decodeSketch(larger.subarray(5, 5 + bytes.length))).toEqual(sketcher.sketch(text));
  });
});

describe('b-bit minima', () => {
  const bitCounts = Array.from({ length: 32 }, (_, i) => i + 1);
  let whole: (document: string) => MinHashSketch;
  beforeAll(async () => {
    const sketcher = await createSketcher({ sketch: 'minhash:13' });
    whole = document => sketcher.sketch(document) as MinHashSketch;
  });

  it.each(bitCounts)('of %i bits come back', bits => {
    for (const document of [text, '']) {
      const sketch = keepBits(whole(document), bits);
      expect(decodeSketch(encodeSketch(sketch))).toEqual(sketch);
    }
  });

  it('take b bits each', () => {
    const bytes = bitCounts.map(bits => encodeSketch(keepBits(whole(text), bits)).length - `${bits}`.length);
    expect(bytes.map(size => size - bytes[0]!)).toEqual(bitCounts.map(bits => Math.ceil((13 * bits) / 8) - 2));
  });

  it('of any values come back', () => {
    const values = fc
      .integer({ min: 1, max: 32 })
      .chain(bits => fc.array(fc.nat(2 ** bits - 1), { maxLength: 40 }).map(all => ({ bits, all })));
    fc.assert(
      fc.property(values, ({ bits, all }) => {
        const origin = { shingle: 'word:5', normalise: '', seed: 1 };
        const sketch: Sketch = { ...origin, kind: 'minhash', size: all.length, bits, values: Uint32Array.from(all) };
        expect(decodeSketch(encodeSketch(sketch))).toEqual(sketch);
      }),
    );
  });
});

describe('bytes that are not a sketch', () => {
  it('say what is wrong', async () => {
    const sketcher = await createSketcher();
    const bytes = encodeSketch(sketcher.sketch(text));
    const nextVersion = bytes.slice();
    nextVersion[4] = 2;
    expect(() => decodeSketch(withChecksum(nextVersion))).toThrow('version 2, this reads version 1');
    expect(() => decodeSketch(new TextEncoder().encode('{"kind":"minhash"}'))).toThrow('does not begin with NDSK');
    const flipped = bytes.slice();
    flipped[bytes.length - 9]! ^= 4;
    expect(() => decodeSketch(flipped)).toThrow('its checksum is wrong');
  });

  it.each(['', 'not JSON', 'null', '7', '{}', '{"kind":"bloom","count":0}', '{"kind":"minhash"}', '{"kind":"mod"}'])(
    'are refused though the checksum is right: header %j',
    header => {
      expect(codeOf(withHeader(header))).toBe('BAD_SKETCH');
    },
  );

  it('are refused when the header is said to be longer than all', async () => {
    const bytes = encodeSketch((await createSketcher()).sketch(text));
    new DataView(bytes.buffer).setUint32(8, 0xffff_ffff, true);
    expect(codeOf(withChecksum(bytes))).toBe('BAD_SKETCH');
  });
});
