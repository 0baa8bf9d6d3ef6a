/** A decided run → its page, written whole. */
import type { DecidedFiles } from '../engine/engine.ts';
import { readVersion } from '../files/package.ts';
import { readName } from '../formats/name.ts';
import { openSink } from '../formats/sink.ts';
import { runPage } from '../report/run-page.ts';
import { selectOfRun } from '../report/run-selection.ts';
import { curvePicture, recallSentences } from './recall-lines.ts';
import type { DedupSummary } from './summary.ts';

export interface ReportedRun {
  readonly decided: DecidedFiles;
  /** Taken when all but the page is done. */
  readonly summary: () => DedupSummary;
  /** As they were written. */
  readonly inputs: readonly string[];
  readonly reference?: readonly string[] | undefined;
  readonly isMarked?: boolean;
  readonly date: Date;
}

/** Returns the summary that the page shows. */
export async function writeReport(path: string, run: ReportedRun): Promise<DedupSummary> {
  const { page, summary } = reportOf(run);
  const sink = await openSink(path, readName(path).compression);
  await sink.write(page);
  await sink.close();
  return summary;
}

export function reportOf(run: ReportedRun): { readonly page: string; readonly summary: DedupSummary } {
  const { decided, inputs, reference = [], isMarked = false, date } = run;
  const { options } = decided;
  // What takes time with millions of removals comes before the time is taken.
  const selection = selectOfRun(decided.removed, decided.clusters, decided.totals.removed);
  const summary = run.summary();
  const page = runPage({
    figures: summary,
    threshold: options.threshold,
    isEstimated: options.verify !== 'exact',
    isMarked,
    options: summary.options,
    inputs,
    reference,
    version: readVersion(),
    date,
    selection,
    curve: curvePicture(options),
    recall: recallSentences(options),
    rejects: decided.read.rejects,
    damages: decided.read.damages,
    repeatedIds: decided.read.repeatedIds,
  });
  return { page, summary };
}
