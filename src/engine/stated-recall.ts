/** The options of a run → the share of pairs at the threshold that its candidates are expected to hold. */
import { bandCurve, type Curve, selectionCurve } from '../lsh/curve.ts';
import { containmentModulus, missed } from './analyse/candidate-keys.ts';
import type { RunOptions } from './run-options.ts';

export { SMALLEST_PART } from './analyse/candidate-keys.ts';

/** The curve of the bands or random selections; undefined for sketches that need none. */
export function lshCurve({ resolvedLsh, sketch }: Pick<RunOptions, 'resolvedLsh' | 'sketch'>): Curve | undefined {
  if (!resolvedLsh) return undefined;
  const { kind, bands, rows } = resolvedLsh;
  return kind === 'bands' ? bandCurve(bands, rows) : selectionCurve(bands, rows, sketch.size);
}

/** For parts of SMALLEST_PART shingles that are in their whole by just the threshold; larger ones are found more often. */
export function containmentRecall({ threshold, recall }: Pick<RunOptions, 'threshold' | 'recall'>): number {
  return 1 - missed(containmentModulus(threshold, recall), threshold);
}
