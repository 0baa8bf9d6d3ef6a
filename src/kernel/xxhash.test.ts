import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChecksum } from './xxhash.ts';

const checksumOf = await createChecksum();

test('gives the published values', () => {
  const of = (text: string) => checksumOf(Buffer.from(text)).toString(16);
  expect([of(''), of('a'), of('abc')]).toEqual(['51d8e999', 'a98c6e5b', 'ad770999']);
});

test('is what a slow twin gives, for any length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      expect(checksumOf(bytes)).toBe(Number(slowHash(bytes) & 0xffffffffn));
    }),
  );
  const large = Uint8Array.from({ length: 300_001 }, (_, i) => (i * i) >> 5);
  expect(checksumOf(large)).toBe(Number(slowHash(large) & 0xffffffffn));
});

/** XXH64 as its specification has it, with a seed of 0. */
function slowHash(bytes: Uint8Array): bigint {
  const [p1, p2, p3, p4, p5] = [
    0x9e3779b185ebca87n,
    0xc2b2ae3d27d4eb4fn,
    0x165667b19e3779f9n,
    0x85ebca77c2b2ae63n,
    0x27d4eb2f165667c5n,
  ];
  const u64 = (x: bigint) => BigInt.asUintN(64, x);
  const rotate = (x: bigint, by: bigint) => u64(x << by) | (x >> (64n - by));
  const round = (lane: bigint, input: bigint) => u64(rotate(u64(lane + input * p2), 31n) * p1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  let hash = p5;
  if (bytes.length >= 32) {
    const lanes = [u64(p1 + p2), p2, 0n, u64(-p1)];
    for (; at + 32 <= bytes.length; at += 32)
      for (let i = 0; i < 4; i++) lanes[i] = round(lanes[i]!, view.getBigUint64(at + 8 * i, true));
    hash = u64([1n, 7n, 12n, 18n].reduce((sum, by, i) => sum + rotate(lanes[i]!, by), 0n));
    for (const lane of lanes) hash = u64((hash ^ round(0n, lane)) * p1 + p4);
  }
  hash = u64(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8)
    hash = u64(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * p1 + p4);
  for (; at + 4 <= bytes.length; at += 4)
    hash = u64(rotate(hash ^ u64(BigInt(view.getUint32(at, true)) * p1), 23n) * p2 + p3);
  for (; at < bytes.length; at++) hash = u64(rotate(hash ^ u64(BigInt(bytes[at]!) * p5), 11n) * p1);
  hash = u64((hash ^ (hash >> 33n)) * p2);
  hash = u64((hash ^ (hash >> 29n)) * p3);
  return hash ^ (hash >> 32n);
}
