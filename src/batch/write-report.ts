/** A decided run → its page, written whole. */
import type { DecidedFiles } from '../engine/engine.ts';
import { readVersion } from '../files/package.ts';
import { writeWhole } from '../formats/sink.ts';
import type { Removal } from '../model.ts';
import { runPage } from '../report/run-page.ts';
import type { PairReader } from '../report/run-pairs.ts';
import { type RunSelection, selectOfRun } from '../report/run-selection.ts';
import { pairView } from './pair-views.ts';
import { curvePicture, recallSentences } from './recall-lines.ts';
import type { ShownDocuments } from './report-texts.ts';
import type { DedupSummary } from './summary.ts';

interface ReportedRun {
  readonly decided: DecidedFiles;
  /** Taken when all but the page is done. */
  readonly summary: () => DedupSummary;
  /** As they were written. */
  readonly inputs: readonly string[];
  readonly reference?: readonly string[] | undefined;
  readonly isMarked?: boolean;
  readonly date: Date;
  /** Finds the texts of the documents of these removals. */
  readonly documentsOf: (removals: Iterable<Removal>) => Promise<ShownDocuments>;
}

/** Returns the summary that the page shows. */
export async function writeReport(path: string, run: ReportedRun): Promise<DedupSummary> {
  const { page, summary } = await reportOf(run);
  await writeWhole(path, page);
  return summary;
}

export async function reportOf(run: ReportedRun): Promise<{ readonly page: string; readonly summary: DedupSummary }> {
  const { decided, inputs, reference = [], isMarked = false, date } = run;
  const { options } = decided;
  // What takes time with millions of removals comes before the time is taken.
  const selection = selectOfRun(decided.removed, decided.clusters, decided.totals.removed);
  const documents = await run.documentsOf(removalsOf(selection));
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
    readPair: pairReader(documents, decided),
    curve: curvePicture(options),
    recall: recallSentences(options),
    rejects: decided.read.rejects,
    damages: decided.read.damages,
    repeatedIds: decided.read.repeatedIds,
  });
  return { page, summary };
}

function* removalsOf({ largest, lowest, spread }: RunSelection): Generator<Removal> {
  yield* lowest;
  yield* spread;
  for (const { members } of largest) yield* members;
}

function pairReader(documents: ShownDocuments, { options }: DecidedFiles): PairReader {
  return (removal, whole) => {
    const removed = documents(removal.id, false);
    const kept = documents(removal.keptId, removal.reference === true);
    const view = removed && kept && pairView(removal, removed, kept, options, whole);
    return view && { view, contents: [removed.content, kept.content] };
  };
}
