/** A sketch → the 64-bit key of each band, or of each chosen selection, of its values. The twin is src/lsh/key.ts. */
import { GOLDEN, mix } from './hash';

/** `positions` names, band after band, the rows of each; keys go to `out`. */
export function bandKeys(sketch: usize, positions: usize, bands: u32, rows: u32, out: usize): void {
  for (let band: u32 = 0; band < bands; band++) {
    let key = mix(<u64>band + 1);
    for (let row: u32 = 0; row < rows; row++) {
      key = mix((key ^ <u64>load<u32>(sketch + ((<usize>load<u32>(positions)) << 2))) * GOLDEN);
      positions += 4;
    }
    store<u64>(out, key);
    out += 8;
  }
}
