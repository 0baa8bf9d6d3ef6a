/** `neardup tune`: a threshold and a recall → bands × rows, as table, plot, picture or JSON; measured on documents, if asked. */

import type { InputOptions } from '../../batch/options.ts';
import { inputOptionNames } from '../../batch/options.ts';
import { fail } from '../../errors.ts';
import { writeWhole } from '../../formats/sink.ts';
import { bandCurve, type Curve, matchCurve } from '../../lsh/curve.ts';
import { type BandTuning, type MatchTuning, tuneOptions, tuningOf } from '../../lsh/tune.ts';
import { flagOf, type GivenOptions, type Options } from '../../options.ts';
import { type CurvePicture, drawAsSvg } from '../../report/curve-svg.ts';
import { plotInTerminal, showProbability } from '../../report/curve-terminal.ts';
import { count } from '../../report/printable.ts';
import { command } from '../app/command.ts';
import { filesFlag, jsonFlag, pageFlag } from '../app/flags.ts';
import type { Io } from '../app/io.ts';

/** How documents become sets: what `tune` without a sample has no use for. */
const makingOptions = ['shingle', 'normalise', 'seed'] as const;

export const tuneCommand = command({
  name: 'tune',
  summary: 'choose bands and rows for a threshold and a recall, and show the curve',
  arguments: [],
  options: [...tuneOptions, ...makingOptions, ...inputOptionNames],
  flags: {
    sample: filesFlag('measure on a sample of these documents what LSH finds'),
    svg: pageFlag('write the curve as a picture', ['.svg']),
    json: jsonFlag,
  },
  examples: [
    'neardup tune --threshold 0.8 --recall 0.999 --hashes 128',
    'neardup tune --bands 20 --rows 5 --svg curve.svg',
    'neardup tune --matches 90 --of 100',
    'neardup tune --threshold 0.7 --sample corpus.jsonl',
  ],
  async run(_args, options, io, given) {
    const { sample, svg, json } = options;
    refuseMix(sample !== undefined, given);
    const tuning = tuningOf(options, given, flagOf);
    const measured = sample && !('matches' in tuning) && (await measure(sample, tuning, options, io));
    const picture = pictureOf(tuning);
    if (svg !== undefined) {
      await writeWhole(svg, drawAsSvg(picture));
      io.note(`curve written to ${svg}`);
    }
    if (json) return io.write(JSON.stringify(measured || tuning));
    io.write([picture.title, picture.description, '', ...table(tuning), '', plotInTerminal(picture)].join('\n'));
    if (!measured) return;
    const { sampleLines } = await import('../output/sample-text.ts');
    io.write(['', ...sampleLines(measured)].join('\n'));
  },
});

/** Options that would change nothing are refused. */
function refuseMix(hasSample: boolean, given: GivenOptions): void {
  if (hasSample && given.matches !== undefined)
    fail('BAD_COMBINATION', { what: '--sample with --matches', why: 'what is measured is LSH, which it is not about' });
  const [idle] = [...makingOptions, ...inputOptionNames].filter(name => given[name] !== undefined);
  if (!hasSample && idle !== undefined)
    fail('BAD_COMBINATION', { what: `${flagOf(idle)} without --sample`, why: 'no document is read' });
}

async function measure(
  inputs: readonly string[],
  tuning: BandTuning,
  { svg, ...options }: InputOptions & Options<(typeof makingOptions)[number]> & { readonly svg?: string },
  io: Io,
) {
  const { readInputs } = await import('../input/read-inputs.ts');
  const { measureOnSample } = await import('../../engine/calls/tune-on-sample.ts');
  const documents = readInputs(inputs, options, io, { outputs: { '--svg': svg } });
  return measureOnSample(documents, tuning, options, {}, flagOf);
}

function table({ curve }: BandTuning | MatchTuning): string[] {
  const rows = curve.map(
    ({ similarity, probability }) =>
      `${similarity.toFixed(2).padStart(10)}  ${showProbability(probability, similarity)}`,
  );
  return ['similarity  probability', ...rows];
}

function pictureOf(tuning: BandTuning | MatchTuning): CurvePicture {
  return 'matches' in tuning
    ? pictureOfMatches(tuning, matchCurve(tuning.matches, tuning.of))
    : pictureOfBands(tuning, bandCurve(tuning.bands, tuning.rows));
}

function pictureOfBands({ threshold, hashes, bands, rows }: BandTuning, curve: Curve): CurvePicture {
  const used = bands * rows;
  const title = `${count(bands, 'band')} of ${count(rows, 'row')}`;
  const spent = used === hashes ? count(used, 'hash') : `${used} of ${count(hashes, 'hash')}`;
  const found = `a pair of similarity ${threshold} becomes a candidate with probability ${showProbability(curve(threshold), threshold)}`;
  return {
    title,
    description: `${spent}; ${found}`,
    curves: [{ label: title, curve }],
    mark: { similarity: threshold, label: `threshold ${threshold}` },
    probability: 'probability of becoming a candidate',
  };
}

function pictureOfMatches({ matches, of }: MatchTuning, curve: Curve): CurvePicture {
  const title = `At least ${matches} of ${of} minima equal`;
  const share = matches / of;
  return {
    title,
    description: `a pair of similarity ${share} is called similar with probability ${showProbability(curve(share), share)}`,
    curves: [{ label: title, curve }],
    mark: { similarity: share, label: `${matches} of ${of}` },
    probability: 'probability of being called similar',
  };
}
