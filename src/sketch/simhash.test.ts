/** SimHash: bits by majority, distances, the estimate of cosine, and the Hamming index against a plain scan. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKernel } from '../kernel/wasm-kernel.ts';
import { cosineVariance, createHammingIndex, estimateCosine, hammingDistance } from './simhash.ts';
import type { SimHashSketch } from './sketch.ts';

const any64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const sketch = (hash: bigint, elements = 100): SimHashSketch => ({
  kind: 'simhash',
  size: 64,
  shingle: 'set',
  normalise: '',
  seed: 1,
  elements,
  values: BigUint64Array.of(hash),
});
/** A hash with as many bits set as is wanted. */
const ones = (count: number) => 2n ** BigInt(count) - 1n;

function plainDistance(a: bigint, b: bigint): number {
  return (a ^ b).toString(2).replaceAll('0', '').length;
}

describe('the SimHash of a set', () => {
  it('has a bit where more than half of the elements have it', async () => {
    const kernel = await createKernel({ shingle: { unit: 'word', size: 1 }, keepCase: false, seed: 1, hashes: 1 });
    expect(kernel.simhashOf(BigUint64Array.of(0b0011n, 0b0101n, 0b1001n))).toBe(0b0001n);
    expect(kernel.simhashOf(BigUint64Array.of(0b01n, 0b10n))).toBe(0n);
    expect(kernel.simhashOf(BigUint64Array.of(2n ** 64n - 1n))).toBe(2n ** 64n - 1n);
  });
});

describe('the Hamming distance', () => {
  it('is the number of bits that differ', () => {
    fc.assert(fc.property(any64, any64, (a, b) => hammingDistance(a, b) === plainDistance(a, b)));
    expect(hammingDistance(0n, 2n ** 64n - 1n)).toBe(64);
  });
});

describe('the estimate of cosine', () => {
  it('is 1 at distance 0, 0 near distance 32, and falls all the way down to −1', () => {
    const values = Array.from({ length: 65 }, (_, d) => estimateCosine(sketch(0n), sketch(ones(d))).value);
    expect(values[0]).toBe(1);
    expect(values[32]).toBeCloseTo(0, 2);
    expect(values[64]).toBeCloseTo(-1, 10);
    expect(values[1]).toBe(1); // what an unbiased estimate costs: one bit of 64 is not told from none, nor 63 from all
    for (let d = 2; d <= 63; d++) expect(values[d]).toBeLessThan(values[d - 1]!);
  });

  it('is unbiased: weighed with the chances of all distances it is cos θ', () => {
    for (const angle of [0.1, 0.5, 1, Math.PI / 2, 2.5]) {
      const share = angle / Math.PI;
      let mean = 0;
      let chance = (1 - share) ** 64;
      for (let d = 0; d <= 64; d++) {
        mean += chance * estimateCosine(sketch(0n), sketch(ones(d))).value;
        chance *= ((64 - d) / (d + 1)) * (share / (1 - share));
      }
      expect(mean).toBeCloseTo(Math.cos(angle), 9);
    }
  });

  it('has no variance at angle 0, and the most where the vectors are square to each other', () => {
    expect(cosineVariance(0)).toBe(0);
    expect(cosineVariance(0.5)).toBeGreaterThan(cosineVariance(0.2));
    // Slope π of cos(πp) at one half, variance ¼/64 of the share.
    expect(cosineVariance(0.5)).toBeCloseTo(Math.PI ** 2 / 256, 2);
  });

  it('of an empty document is 0', () => {
    expect(estimateCosine(sketch(0n, 0), sketch(0n, 0))).toEqual({ value: 0, standardError: 0 });
    expect(estimateCosine(sketch(0n, 0), sketch(5n))).toEqual({ value: 0, standardError: 0 });
  });
});

describe('the Hamming index', () => {
  it('finds what a plain scan finds, nearest first', () => {
    // Hashes a few bits from a few centres, so that there is something to find.
    const near = fc
      .tuple(fc.constantFrom(0n, 2n ** 64n - 1n, 0x0123456789abcdefn), fc.array(fc.nat(63), { maxLength: 10 }))
      .map(([centre, bits]) => bits.reduce((hash, bit) => hash ^ (1n << BigInt(bit)), centre));
    const hashes = fc.array(fc.oneof(near, any64), { maxLength: 60 });
    fc.assert(
      fc.property(hashes, near, fc.oneof(fc.nat(8), fc.nat(64)), (all, query, maxDistance) => {
        const index = createHammingIndex(maxDistance);
        for (const [item, hash] of all.entries()) index.add(item, hash);
        const scanned = all
          .map((hash, item) => ({ item, distance: plainDistance(hash, query) }))
          .filter(({ distance }) => distance <= maxDistance)
          .sort((a, b) => a.distance - b.distance || a.item - b.item);
        expect(index.search(query)).toEqual(scanned);
      }),
      { numRuns: 300 },
    );
  });

  it('finds a hash whichever three of its bits change, and not when four do', () => {
    const index = createHammingIndex(3);
    index.add(1, 0x5555_aaaa_0f0f_3333n);
    for (let first = 0n; first < 61n; first += 3n) {
      for (let second = first + 1n; second < 62n; second += 5n) {
        const query = 0x5555_aaaa_0f0f_3333n ^ (1n << first) ^ (1n << second) ^ (1n << 63n);
        expect(index.search(query)).toEqual([{ item: 1, distance: 3 }]);
        expect(index.search(query ^ (1n << 62n))).toEqual([]);
      }
    }
  });

  it('of distance 0 finds equal hashes', () => {
    const index = createHammingIndex(0);
    index.add(1, 7n);
    index.add(2, 7n);
    index.add(3, 8n);
    expect(index.search(7n).map(({ item }) => item)).toEqual([1, 2]);
  });
});
