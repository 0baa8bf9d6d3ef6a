/** Sampled shingles → their keys, apart from those of bands: `mix(element · GOLDEN + 1)` on halves of 32 bits, no bigint for each. */
import { GOLDEN, MULTIPLIER } from '../../kernel/hash.ts';
import { halvesOf } from './key-arrays.ts';

const golden = halvesOf(BigUint64Array.of(GOLDEN));
const multiplier = halvesOf(BigUint64Array.of(MULTIPLIER));
const [GOLDEN_LOW, GOLDEN_HIGH] = [golden[0]!, golden[1]!];
const [MULTIPLIER_LOW, MULTIPLIER_HIGH] = [multiplier[0]!, multiplier[1]!];

/** In place of what is given. */
export function toElementKeys(elements: BigUint64Array): BigUint64Array {
  const halves = halvesOf(elements);
  for (let at = 0; at < halves.length; at += 2) {
    const low = halves[at]!;
    let keyHigh = (Math.imul(low, GOLDEN_HIGH) + Math.imul(halves[at + 1]!, GOLDEN_LOW) + upper(low, GOLDEN_LOW)) | 0;
    let keyLow = (Math.imul(low, GOLDEN_LOW) + 1) | 0;
    if (keyLow === 0) keyHigh = (keyHigh + 1) | 0;
    keyLow ^= keyHigh;
    for (let half = 0; half < 2; half++) {
      keyHigh =
        (Math.imul(keyLow, MULTIPLIER_HIGH) + Math.imul(keyHigh, MULTIPLIER_LOW) + upper(keyLow, MULTIPLIER_LOW)) | 0;
      keyLow = Math.imul(keyLow, MULTIPLIER_LOW) ^ keyHigh;
    }
    halves[at] = keyLow;
    halves[at + 1] = keyHigh;
  }
  return elements;
}

/** The upper 32 bits of a product of 32-bit numbers, by parts of 16. */
function upper(a: number, b: number): number {
  const [aLow, aHigh, bLow, bHigh] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const other = aLow * bHigh + (middle & 0xffff);
  return aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
}
