/** The flags of `pairs` and `clusters` → a list in a file or on a terminal, and what the run says of it. */
import type { ListOutputs } from '../../batch/list-batch.ts';
import type { Around, Asked } from '../../batch/start-run.ts';
import {
  type ClustersSummary,
  decisionsLines,
  effortLine,
  type PairsSummary,
  repeatedIdsLines,
} from '../../batch/summary.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import type { Io } from '../app/io.ts';
import { requireFilesBesideSummary } from './json-outputs.ts';
import { legendLines, listTarget } from './listing.ts';
import { askedOf, type RunFlags, withAround } from './request.ts';

interface ListFlags extends RunFlags, ListOutputs {
  readonly json?: boolean;
}

interface ListRun<Summary> {
  /** `show` takes the lines of a listing, where there is to be one in place of the list. */
  find(asked: Asked & { readonly outputs: ListOutputs }, around: Around, show: Show | undefined): Promise<Summary>;
  /** How many pairs or clusters there are. */
  count(summary: Summary): number;
  /** The first line of what is said of the run. */
  line(summary: Summary): string;
  /** Candidates may have been missed. */
  readonly hasRecall: boolean;
}

type Show = (lines: AsyncIterable<string> | Iterable<string>) => Promise<void>;

export async function runList<Summary extends PairsSummary | ClustersSummary>(
  inputs: readonly string[],
  flags: ListFlags,
  runOptions: RunOptions,
  io: Io,
  list: ListRun<Summary>,
): Promise<number> {
  const { output = '-', rejects, json = false } = flags;
  const target = listTarget(io, flags.output, json);
  if (target === 'file with summary') requireFilesBesideSummary({ '-o': output, '--rejects': rejects });

  const { recallLines } = await import('../../batch/recall-lines.ts');
  const { writeLines } = await import('../output/write-lines.ts');
  const asked = { ...askedOf(inputs, flags, runOptions), outputs: { output, rejects } };
  const show: Show = lines => writeLines(io, () => lines);
  const summary = await withAround(io, asked, around =>
    list.find(asked, around, target === 'listing' ? show : undefined),
  );
  if (target === 'listing' && list.count(summary) > 0) for (const line of legendLines(runOptions)) io.note(line);
  io.note(list.line(summary));
  for (const line of [...decisionsLines(summary), ...repeatedIdsLines(summary)]) io.note(line);
  io.note(effortLine(summary, summary.comparisons));
  if (list.hasRecall) for (const line of recallLines(runOptions)) io.note(line);
  if (target === 'file with summary') io.write(JSON.stringify(summary));
  return 0;
}
