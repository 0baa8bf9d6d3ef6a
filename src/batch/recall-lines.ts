/** The options of a run → what can be said of the share of near-duplicates it finds. */
import { containmentModulus, missed, SMALLEST_PART } from '../engine/analyse/candidate-keys.ts';
import type { RunOptions } from '../engine/run-options.ts';
import { bandCurve, type Curve, selectionCurve } from '../lsh/curve.ts';
import type { CurvePicture } from '../report/curve-svg.ts';
import { showProbability } from '../report/curve-terminal.ts';

/** For the summary; resemblance goes without saying, as `tune` says it. */
export function recallLines({ measure, ...options }: Pick<RunOptions, 'measure' | 'threshold' | 'recall'>): string[] {
  if (measure !== 'containment') return [];
  const recall = showProbability(containmentRecall(options));
  return [`containment candidates: expected recall ${recall} for parts of ${SMALLEST_PART} shingles and more`];
}

/** For the page, in whole sentences. */
export function recallSentences(options: RunOptions): string[] {
  const { measure, threshold, recall, verify } = options;
  const curve = lshCurve(options);
  const sentences: string[] = [];
  if (!curve)
    sentences.push(
      'Candidates share a part of their sketches. There is no curve for this sketch, and no stated recall.',
    );
  else if (measure === 'edit')
    sentences.push(
      'Candidates share shingles of five characters and are verified by edit distance: no recall is promised.',
    );
  else
    sentences.push(
      `A pair of resemblance ${threshold}, the threshold, becomes a candidate with probability ` +
        `${showProbability(curve(threshold), threshold)}; a pair that is more alike, with a higher one. ${wanted(curve(threshold), recall)}`,
    );
  if (measure === 'containment')
    sentences.push(
      `Containment has candidates of its own: the expected recall is ${showProbability(containmentRecall(options))} for parts of ` +
        `${SMALLEST_PART} shingles and more (70 words in runs of five). Shingles that more than a thousand unlike documents share are boilerplate, and do not count.`,
    );
  if (verify === 'exact') sentences.push('Each candidate was compared on the whole shingle sets.');
  return sentences;
}

function wanted(reached: number, recall: number): string {
  return reached >= recall ? `The recall asked for was ${recall}.` : `That is below the recall asked for, ${recall}.`;
}

export function curvePicture(options: RunOptions): CurvePicture | undefined {
  const { threshold, measure, resolvedLsh } = options;
  const curve = lshCurve(options);
  if (!curve || !resolvedLsh) return undefined;
  const { kind, bands, rows } = resolvedLsh;
  const title = kind === 'bands' ? `${bands} bands of ${rows} rows` : `${bands} signatures of ${rows} random minima`;
  return {
    title,
    description: 'The probability that a pair becomes a candidate rises with its resemblance.',
    curves: [{ label: title, curve }],
    // Edit distance is not what the curve is of.
    ...(measure !== 'edit' && { mark: { similarity: threshold, label: `threshold ${threshold}` } }),
    probability: 'probability of becoming a candidate',
  };
}

/** The curve of the bands or random selections; undefined for sketches that need none. */
function lshCurve({ resolvedLsh, sketch }: Pick<RunOptions, 'resolvedLsh' | 'sketch'>): Curve | undefined {
  if (!resolvedLsh) return undefined;
  const { kind, bands, rows } = resolvedLsh;
  return kind === 'bands' ? bandCurve(bands, rows) : selectionCurve(bands, rows, sketch.size);
}

/** For parts of SMALLEST_PART shingles that are in their whole by just the threshold; larger ones are found more often. */
function containmentRecall({ threshold, recall }: Pick<RunOptions, 'threshold' | 'recall'>): number {
  return 1 - missed(containmentModulus(threshold, recall), threshold);
}
