/** A decided run → its page, written whole. */
import type { DecidedFiles } from '../../engine/files.ts';
import { readName } from '../../formats/name.ts';
import { openSink } from '../../formats/sink.ts';
import { runPage } from '../../report/run-page.ts';
import { selectOfRun } from '../../report/run-selection.ts';
import { readVersion } from '../version.ts';
import { curvePicture, recallSentences } from './recall-lines.ts';
import type { DedupSummary } from './summary.ts';

export interface ReportedRun {
  readonly decided: DecidedFiles;
  readonly summary: DedupSummary;
  /** As they were written. */
  readonly inputs: readonly string[];
  readonly reference?: readonly string[] | undefined;
  readonly isMarked?: boolean;
  readonly date: Date;
}

export async function writeReport(path: string, run: ReportedRun): Promise<void> {
  const sink = await openSink(path, readName(path).compression);
  await sink.write(reportOf(run));
  await sink.close();
}

export function reportOf({ decided, summary, inputs, reference = [], isMarked = false, date }: ReportedRun): string {
  const { options } = decided;
  return runPage({
    figures: summary,
    threshold: options.threshold,
    isEstimated: options.verify !== 'exact',
    isMarked,
    options: summary.options,
    inputs,
    reference,
    version: readVersion(),
    date,
    selection: selectOfRun(decided.removed, decided.clusters, decided.totals.removed),
    curve: curvePicture(options),
    recall: recallSentences(options),
    rejects: decided.read.rejects,
  });
}
