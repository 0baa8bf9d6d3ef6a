/** `neardup tune`: a threshold and a recall → bands × rows, as table, plot, picture or JSON. */
import { bandCurve, type Curve, matchCurve } from '../../lsh/curve.ts';
import { type BandTuning, type MatchTuning, tune, tuneOptions } from '../../lsh/tune.ts';
import { flagOf } from '../../options.ts';
import { type CurvePicture, drawAsSvg } from '../../report/curve-svg.ts';
import { plotInTerminal, showProbability } from '../../report/curve-terminal.ts';
import { command } from '../command.ts';
import { fileFlag, jsonFlag } from '../flags.ts';
import { writeResult } from '../write-file.ts';

export const tuneCommand = command({
  name: 'tune',
  summary: 'choose bands and rows for a threshold and a recall, and show the curve',
  arguments: [],
  options: tuneOptions,
  flags: { svg: fileFlag('write the curve as a picture'), json: jsonFlag },
  examples: [
    'neardup tune --threshold 0.8 --recall 0.999 --hashes 128',
    'neardup tune --bands 20 --rows 5 --svg curve.svg',
    'neardup tune --matches 90 --of 100',
  ],
  async run(_args, { svg, json }, io, given) {
    const tuning = tune(given, flagOf);
    const picture = pictureOf(tuning);
    if (svg !== undefined) {
      await writeResult(svg, drawAsSvg(picture));
      io.note(`curve written to ${svg}`);
    }
    if (json) io.write(JSON.stringify(tuning));
    else io.write([picture.title, picture.description, '', ...table(tuning), '', plotInTerminal(picture)].join('\n'));
  },
});

function table({ curve }: BandTuning | MatchTuning): string[] {
  const rows = curve.map(
    ({ similarity, probability }) => `${similarity.toFixed(2).padStart(10)}  ${showProbability(probability)}`,
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
  const found = `a pair of similarity ${threshold} becomes a candidate with probability ${showProbability(curve(threshold))}`;
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
    description: `a pair of similarity ${share} is called similar with probability ${showProbability(curve(share))}`,
    curves: [{ label: title, curve }],
    mark: { similarity: share, label: `${matches} of ${of}` },
    probability: 'probability of being called similar',
  };
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : thing.endsWith('h') ? 'es' : 's'}`;
}
