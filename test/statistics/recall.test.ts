/** What minima agree in together: LSH by bands finds what its curve promises, and "90 of 100" too, however small the sets. */
import { describe, expect, it } from 'vitest';
import { createKernel } from '../../src/kernel/wasm-kernel.ts';
import { bandCurve, matchCurve } from '../../src/lsh/curve.ts';
import { createRandom, randomPair } from '../support/random-sets.ts';

const PAIRS = 8000;

/** The share of pairs whose equal minima (1 for each that is) are judged well; several judges see the same pairs. */
async function sharesOf(
  pairs: { union: number; resemblance: number; hashes: number },
  judges: readonly ((equal: Uint8Array) => boolean)[],
): Promise<number[]> {
  const { union, resemblance, hashes } = pairs;
  const kernel = await createKernel({ shingle: { unit: 'word', size: 5 }, keepCase: false, seed: 1, hashes });
  const random = createRandom(union * 100 + Math.round(resemblance * 100));
  const found = judges.map(() => 0);
  const equal = new Uint8Array(hashes);
  for (let i = 0; i < PAIRS; i++) {
    const { a, b } = randomPair({ union, resemblance }, random);
    const [minimaOfA, minimaOfB] = [kernel.minhashOf(a), kernel.minhashOf(b)];
    for (let row = 0; row < hashes; row++) equal[row] = minimaOfA[row] === minimaOfB[row] ? 1 : 0;
    for (const [judge, isFound] of judges.entries()) if (isFound(equal)) found[judge]!++;
  }
  return found.map(count => count / PAIRS);
}

function sharesBand(bands: number, rows: number): (equal: Uint8Array) => boolean {
  return equal => {
    for (let band = 0; band < bands; band++) {
      let row = band * rows;
      while (row < (band + 1) * rows && equal[row] === 1) row++;
      if (row === (band + 1) * rows) return true;
    }
    return false;
  };
}

const standardError = (share: number) => Math.sqrt((share * (1 - share)) / PAIRS);

// Permutations whose indexes are neighbours fall into one band: if they were not independent enough, it would show here.
describe.each([5, 10, 20, 50, 200])('of sets of %i elements in all, bands find the promised share', union => {
  it.each([
    {
      resemblance: 0.8,
      schemes: [
        { bands: 25, rows: 5 },
        { bands: 16, rows: 8 },
        { bands: 12, rows: 10 },
      ],
    },
    {
      resemblance: 0.6,
      schemes: [
        { bands: 25, rows: 5 },
        { bands: 32, rows: 4 },
      ],
    },
    { resemblance: 0.5, schemes: [{ bands: 25, rows: 5 }] },
    {
      resemblance: 0.4,
      schemes: [
        { bands: 42, rows: 3 },
        { bands: 64, rows: 2 },
      ],
    },
  ])('of the pairs at resemblance $resemblance', async ({ resemblance, schemes }) => {
    const judges = schemes.map(({ bands, rows }) => sharesBand(bands, rows));
    const found = await sharesOf({ union, resemblance, hashes: 128 }, judges);
    for (const [i, { bands, rows }] of schemes.entries()) {
      // Of five elements, two and a half cannot be shared.
      const promised = bandCurve(bands, rows)(Math.round(union * resemblance) / union);
      const least = promised - 4 * standardError(promised);
      expect.soft(found[i], `${bands} bands of ${rows} rows, promised ${promised}`).toBeGreaterThanOrEqual(least);
    }
  });
});

describe('the rule "similar when 90 of 100 minima agree"', () => {
  it.each([0.8, 0.85, 0.9, 0.95])('holds for the share of pairs that the curve says, at resemblance %f', async r => {
    const promised = matchCurve(90, 100)(r);
    const isSimilar = (equal: Uint8Array) => equal.reduce((sum, one) => sum + one) >= 90;
    const [found] = await sharesOf({ union: 100, resemblance: r, hashes: 100 }, [isSimilar]);
    expect(Math.abs(found! - promised)).toBeLessThan(4 * standardError(promised));
  });
});
