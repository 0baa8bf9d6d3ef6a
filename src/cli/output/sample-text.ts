/** What LSH does on a sample → the lines that show it: resemblances of pairs, and schemes side by side. */
import type { LshSample, MeasuredScheme, SampledTuning } from '../../engine/calls/tune-on-sample.ts';
import { showProbability } from '../../report/curve-terminal.ts';
import { alignColumns } from '../../report/printable.ts';
import { withCommas } from '../../report/with-commas.ts';

const WIDEST_BAR = 40;

export function sampleLines({ threshold, sample }: SampledTuning): string[] {
  const { documents, read, floor, schemes } = sample;
  const of = read === documents ? '' : ` of ${withCommas(read)}`;
  return [
    `Measured on ${withCommas(documents)}${of} documents: every pair of resemblance ${floor} or more, compared exactly`,
    ...(read === documents ? [] : ['(of equal documents one, none without words; near-duplicates are drawn together)']),
    '',
    ...histogram(sample),
    '',
    ...alignColumns([
      [
        '',
        'recall',
        `pairs ≥ ${threshold}`,
        'found',
        'measured',
        'expected',
        `false ≥ ${floor}`,
        'expected',
        `< ${floor}`,
      ],
      ...schemes.map((scheme, at) => schemeRow(scheme, at === 0)),
    ]),
    '',
    `recall: of a pair just at ${threshold}, by theory; measured: the share of these pairs that became candidates, beside what theory`,
    `expects of the same pairs; false: candidates below ${threshold}, those from ${floor} up beside what theory expects of them.`,
  ];
}

function histogram({ resemblances }: LshSample): string[] {
  const most = Math.max(1, ...resemblances.map(({ pairs }) => pairs));
  const rows = resemblances.map(({ from, to, pairs }) => [
    `${from.toFixed(2)} – ${to.toFixed(2)}`,
    withCommas(pairs).padStart(9),
    // A bar for every row that has a pair at all.
    '█'.repeat(pairs === 0 ? 0 : Math.max(1, Math.round((pairs / most) * WIDEST_BAR))),
  ]);
  return alignColumns([['resemblance', 'pairs'.padStart(9), ''], ...rows]);
}

function schemeRow(scheme: MeasuredScheme, isChosen: boolean): string[] {
  const { bands, rows, recall, pairs, found, measuredRecall, expectedRecall } = scheme;
  const { falseCandidates, belowFloor, expectedFalseCandidates } = scheme;
  return [
    `${isChosen ? '→' : ' '} ${bands} × ${rows}`,
    showProbability(recall),
    withCommas(pairs),
    withCommas(found),
    measuredRecall === null ? '–' : showProbability(measuredRecall),
    expectedRecall === null ? '–' : showProbability(expectedRecall),
    withCommas(falseCandidates - belowFloor),
    withCommas(Math.round(expectedFalseCandidates)),
    withCommas(belowFloor),
  ];
}
