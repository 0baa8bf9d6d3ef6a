/** A MinHash sketch → one key for each band of consecutive rows. */
import { bandKey } from './key.ts';

/** Two sketches that agree in all rows of a band share its key. A sketch of no shingle must not come here. */
export function bandKeys(sketch: Uint32Array, bands: number, rows: number): BigUint64Array {
  return BigUint64Array.from({ length: bands }, (_, band) => bandKey(band, sketch, positionsOfBand(band, rows)));
}

function* positionsOfBand(band: number, rows: number): Iterable<number> {
  for (let row = 0; row < rows; row++) yield band * rows + row;
}
