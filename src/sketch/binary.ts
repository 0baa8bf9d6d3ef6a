/**
 * A sketch ↔ bytes that describe themselves:
 *
 *   "NDSK" | version u8 | 3 zero bytes | header length u32 | header (JSON) | values, little-endian | CRC-32 of all before, u32
 *
 * Values are 64 bits for samples and SimHash, else as many bits as the header says, packed from the lowest bit on.
 */
import { fail } from '../errors.ts';
import { crc32 } from '../kernel/crc32.ts';
import type { SketchKind } from '../model.ts';
import type { Sketch } from './sketch.ts';

const MAGIC = 'NDSK';
const VERSION = 1;
const FIXED = 12;

/**
 * A sketch → bytes with a magic number, a version and a checksum.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ sketch: 'minhash:16' });
 * encodeSketch(sketcher.sketch('one two three')).length > 64; // → true
 * ```
 */
export function encodeSketch(sketch: Sketch): Uint8Array {
  const { values, ...header } = sketch;
  const headerBytes = new TextEncoder().encode(JSON.stringify({ ...header, count: values.length }));
  const valueBytes = values instanceof Uint32Array ? packBits(values, bitsOf(sketch)) : bytesOf(values);
  const bytes = new Uint8Array(FIXED + headerBytes.length + valueBytes.length + 4);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  view.setUint8(4, VERSION);
  view.setUint32(8, headerBytes.length, true);
  bytes.set(headerBytes, FIXED);
  bytes.set(valueBytes, FIXED + headerBytes.length);
  view.setUint32(bytes.length - 4, crc32(bytes.subarray(0, -4)), true);
  return bytes;
}

/**
 * Bytes of `encodeSketch` → the sketch. Damaged bytes are an error.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher();
 * decodeSketch(encodeSketch(sketcher.sketch('one two three'))).kind; // → 'minhash'
 * ```
 */
export function decodeSketch(bytes: Uint8Array): Sketch {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < FIXED + 4 || new TextDecoder().decode(bytes.subarray(0, 4)) !== MAGIC)
    bad('it does not begin with NDSK');
  if (view.getUint8(4) !== VERSION) bad(`version ${view.getUint8(4)}, this reads version ${VERSION}`);
  if (view.getUint32(bytes.length - 4, true) !== crc32(bytes.subarray(0, -4))) bad('its checksum is wrong');
  const headerEnd = FIXED + view.getUint32(8, true);
  const { count, ...header } = readHeader(bytes.subarray(FIXED, headerEnd));
  const body = bytes.subarray(headerEnd, -4);
  const values =
    header.kind === 'minhash' || header.kind === 'oph'
      ? unpackBits(body, count, bitsOf(header))
      : numbersOf(body, count);
  return { ...header, values } as Sketch;
}

type Header = Omit<Sketch, 'values'> & { readonly count: number };

const kinds: readonly string[] = ['minhash', 'oph', 'bottom', 'mod', 'super', 'simhash'] satisfies SketchKind[];

function readHeader(bytes: Uint8Array): Header {
  try {
    const header = JSON.parse(new TextDecoder().decode(bytes)) as Header | null;
    if (header && kinds.includes(header.kind)) return header;
  } catch (cause) {
    return fail('BAD_SKETCH', { reason: 'its header is not JSON' }, cause);
  }
  return bad('its header names no kind of sketch');
}

function bitsOf(sketch: object): number {
  return 'bits' in sketch ? (sketch.bits as number) : 32;
}

function packBits(values: Uint32Array, bits: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((values.length * bits) / 8));
  for (const [i, value] of values.entries()) {
    for (let bit = 0; bit < bits; bit++) {
      const position = i * bits + bit;
      if ((value >>> bit) & 1) bytes[position >> 3]! |= 1 << (position & 7);
    }
  }
  return bytes;
}

function unpackBits(bytes: Uint8Array, count: number, bits: number): Uint32Array {
  if (bytes.length !== Math.ceil((count * bits) / 8)) bad('it is too short or too long');
  return Uint32Array.from({ length: count }, (_, i) => {
    let value = 0;
    for (let bit = 0; bit < bits; bit++) {
      const position = i * bits + bit;
      if ((bytes[position >> 3]! >> (position & 7)) & 1) value += 2 ** bit;
    }
    return value;
  });
}

function bytesOf(values: BigUint64Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 8));
  for (const [i, value] of values.entries()) view.setBigUint64(i * 8, value, true);
  return new Uint8Array(view.buffer);
}

function numbersOf(bytes: Uint8Array, count: number): BigUint64Array {
  if (bytes.length !== count * 8) bad('it is too short or too long');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return BigUint64Array.from({ length: count }, (_, i) => view.getBigUint64(i * 8, true));
}

function bad(reason: string): never {
  return fail('BAD_SKETCH', { reason });
}
