/** In place of stop words and stemmers (450 KB), which no page offers. */
export function createNormaliser(): never {
  throw new Error('These pages do not normalise texts; the command line does, with --normalise.');
}
