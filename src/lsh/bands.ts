/** A MinHash sketch → one key for each band of consecutive rows. */
import { bandKey } from '../kernel/hash.ts';

/**
 * Two sketches that agree in all rows of a band share its key. A sketch of no shingle must not come here.
 *
 * @example
 * ```ts
 * bandKeys(Uint32Array.of(1, 2, 3, 4), 2, 2).length; // → 2
 * ```
 */
export function bandKeys(sketch: Uint32Array, bands: number, rows: number): BigUint64Array {
  return BigUint64Array.from({ length: bands }, (_, band) => bandKey(band, sketch, positionsOfBand(band, rows)));
}

/** The rows of all bands, one after another: what the kernel's `bandKeys` takes. */
export function bandPositions(bands: number, rows: number): Uint32Array {
  return Uint32Array.from({ length: bands * rows }, (_, position) => position);
}

function* positionsOfBand(band: number, rows: number): Iterable<number> {
  for (let row = 0; row < rows; row++) yield band * rows + row;
}
