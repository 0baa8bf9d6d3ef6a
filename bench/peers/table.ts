/** What was measured, and under which conditions → Markdown. */
import { cpus } from 'node:os';
import type { Environment } from './environment.ts';
import type { Measurement } from './measure.ts';
import type { PairScore, RemovalScore } from './score.ts';
import type { Agreement } from './truth.ts';

export interface Row {
  readonly name: string;
  readonly note: string;
  readonly measurement?: Measurement;
  /** Why there is nothing to tell. */
  readonly failure?: string;
  readonly pairs?: PairScore;
  readonly removals?: RemovalScore;
}

export interface Conditions {
  readonly bytes: number;
  readonly documents: number;
  readonly source: string;
  readonly rounds: number;
  readonly environment: Environment;
  readonly agreement: Agreement;
}

export function formatConditions({ rounds, environment, agreement, ...of }: Conditions): string {
  const count = (number: number) => number.toLocaleString('en');
  return `${cpus().length} × ${cpus()[0]?.model}; Node ${process.version}, ${environment.pythonVersion}. ${new Date().toISOString().slice(0, 10)}.

${count(of.documents)} documents, ${(of.bytes / 1e6).toFixed(0)} MB of JSON lines (${of.source}); word 5-shingles, 128 hashes, threshold 0.8. Each tool reads the file and writes
kept ids or pairs; neardup writes the kept documents too. Times are of whole processes, best of ${rounds}, interleaved (once if past a minute). CPU is user and
system time of all processes of a tool, which hardly depends on what else the machine does; where it is less than the time, the tool had to wait.
Peak memory is that of all processes of a tool together: the sum of their proportional set sizes, sampled up to ten times a second, or
the largest process's peak resident size from the kernel if that is more. Below about 15 MB nothing can be seen: that is what the measuring process takes.

The truth is \`neardup pairs --exact\`. A second program (runners/exact_pairs.py: numpy, no hashes, no code of neardup) compared the first ${count(agreement.documents)} documents:
${count(agreement.pairs)} pairs, ${agreement.differences === 0 ? 'the same ones, with the same resemblance to the last bit' : `${count(agreement.differences)} DIFFERENT`}.

- Pairs: recall is the share of the true pairs that was found, precision the share of the found ones that is true.
- Removals: recall is the share of the documents with an earlier partner ≥ 0.8 that was removed. A removal without a partner is a removed document
  that resembles no other at 0.8. Where a peer gives pairs, a document with an earlier partner in them counts as removed. Pairs left are the true pairs
  whose documents were both kept; unlike the recall, this does not ask that the earlier document stays (text-dedup keeps any one of a group).
`;
}

const columns = [
  'tool',
  'time',
  'CPU',
  'MB/s',
  '× `wc -w`',
  'peak memory',
  'pairs: recall',
  'precision',
  'removals: recall',
  'without partner',
  'pairs left',
  'settings',
];

/** The first row is the yardstick. */
export function formatTable(rows: readonly Row[], bytes: number): string {
  const yardstick = rows[0]?.measurement?.seconds ?? Number.NaN;
  const rule = columns.map((_, column) => (column === 0 || column === columns.length - 1 ? '---' : '---:'));
  return [columns, rule, ...rows.map(row => cellsOf(row, bytes, yardstick))]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function cellsOf(
  { name, note, measurement, failure, pairs, removals }: Row,
  bytes: number,
  yardstick: number,
): string[] {
  if (!measurement) return [name, failure!.replaceAll('|', '\\|'), ...columns.slice(3).map(() => ''), note];
  const { seconds, cpuSeconds, peakBytes } = measurement;
  return [
    name,
    `${seconds.toPrecision(seconds < 100 ? 3 : 4)} s`,
    `${cpuSeconds.toPrecision(3)} s`,
    (bytes / 1e6 / seconds).toPrecision(3),
    (seconds / yardstick).toPrecision(3),
    `${(peakBytes / 1e6).toFixed(0)} MB`,
    pairs?.recall.toFixed(4) ?? '',
    pairs?.precision.toFixed(4) ?? '',
    removals?.recall.toFixed(4) ?? '',
    removals ? percent(removals.withoutPartner) : '',
    removals ? percent(removals.pairsLeft) : '',
    note,
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
