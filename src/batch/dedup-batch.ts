/** Files → the documents that stay, evidence, clusters, rejects and a page about the run, all written together; and the summary. */
import { decideFiles } from '../engine/choose-engine.ts';
import type { DecidedFiles, DocumentsForm } from '../engine/engine.ts';
import type { Removal } from '../model.ts';
import { printable } from '../report/printable.ts';
import { type Limits, requireWithinLimits } from './brake.ts';
import { noteDecisions } from './note-decisions.ts';
import { noteRejects } from './note-losses.ts';
import { formOf, listFormat, namedOutputs } from './outputs.ts';
import { createPendingResults, type PendingResults } from './pending-results.ts';
import { type Around, type Asked, type StartedRun, startRun, thenRelease } from './start-run.ts';
import { type DedupSummary, summaryOf } from './summary.ts';
import { type Written, writeDocuments } from './write-documents.ts';
import { writeList, writeRejects } from './write-list.ts';

/** Those that are not given are not written. */
export interface DedupOutputs {
  /** The documents that stay. */
  readonly output?: string | undefined;
  /** Which document was removed because of which, and why. */
  readonly removed?: string | undefined;
  readonly clusters?: string | undefined;
  /** A page about the run. */
  readonly report?: string | undefined;
  readonly rejects?: string | undefined;
}

export interface DedupAsked extends Asked, Limits {
  readonly outputs: DedupOutputs;
  /** Nothing is removed: what was decided is added to each document. */
  readonly mark: boolean;
  readonly dryRun: boolean;
}

interface DedupDone {
  readonly summary: DedupSummary;
  readonly written: Written;
}

export async function dedupBatch(asked: DedupAsked, around: Around): Promise<DedupDone> {
  const { outputs, dryRun } = asked;
  const { nameOf, messages } = around;
  const lists = (['removed', 'clusters', 'rejects'] as const).flatMap(list => {
    const path = outputs[list];
    return path === undefined ? [] : [{ list, path, format: listFormat(nameOf(list), path) }];
  });
  const request = await startRun(asked, dryRun ? {} : namedOutputs(outputs, nameOf), around);
  const form =
    outputs.output === undefined ? undefined : formOf(outputs.output, request.files.inputs, asked.mark, nameOf);
  if (request.spark && form) {
    const { requireSparkForm } = await import('../engine/spark/requirements.ts');
    requireSparkForm(outputs.output!, form, request.files.inputs, asked.csvSafe);
  }
  const decided = await decideFiles(request);
  return thenRelease(decided, async () => {
    await noteRejects(messages, decided.read, request.files.inputs, outputs.rejects !== undefined && !dryRun);
    noteDecisions(messages, asked.decisions, decided.decisions);
    requireWithinLimits(asked, decided, nameOf);
    if (dryRun) return { summary: summaryOf(decided, request.effort(decided.read)), written: {} };
    const results = createPendingResults(request.files);
    let done: DedupDone | undefined;
    const writeLists = async () => {
      for (const { list, path, format } of lists) {
        around.signal?.throwIfAborted();
        const pending = await results.pathFor(path);
        if (list === 'rejects') await writeRejects(pending, format, decided.read, asked);
        else await writeList(pending, format, decided[list], asked, around.signal);
      }
    };
    await results.run(async () => {
      // Lists take the processor, documents the disk. A session of Spark does one thing at a time.
      if (request.spark) await writeLists();
      const rest = writeRest(asked, request, decided, results, form, around);
      done = await bothEnded(rest, request.spark ? undefined : writeLists());
    });
    return done!;
  });
}

/** Waits for both, whatever becomes of them: nothing is written any more when the first failure is thrown. */
async function bothEnded<Result>(work: Promise<Result>, other: Promise<void> | undefined): Promise<Result> {
  const [ended, otherEnded] = await Promise.allSettled([work, other]);
  if (otherEnded.status === 'rejected') throw otherEnded.reason;
  if (ended.status === 'rejected') throw ended.reason;
  return ended.value;
}

async function writeRest(
  asked: DedupAsked,
  request: StartedRun,
  decided: DecidedFiles,
  results: PendingResults,
  form: DocumentsForm | undefined,
  { messages, signal }: Around,
): Promise<DedupDone> {
  const { inputs, protect, mark, csvSafe = false, outputs } = asked;
  let written: Written = {};
  if (form) {
    const output = outputs.output!;
    const path = await (form.kind === 'copies' ? results.folderFor(output) : results.pathFor(output));
    const { files, reading } = request;
    written = await writeDocuments({ inputs: files.inputs, reading, decided, path, form, mark, csvSafe, signal });
    for (const line of written.lost ?? []) messages.warn(printable(`warning: ${output}: ${line}`));
  }
  const summary = () => summaryOf(decided, request.effort(decided.read), written);
  if (outputs.report === undefined) return { summary: summary(), written };
  const { writeReport } = await import('./write-report.ts');
  const { shownDocuments } = await import('./report-texts.ts');
  const { files, reading } = request;
  const documentsOf = (removals: Iterable<Removal>) => shownDocuments(removals, decided, { files, reading, signal });
  const run = { inputs, reference: protect, decided, summary, isMarked: mark, date: new Date(), documentsOf };
  return { summary: await writeReport(await results.pathFor(outputs.report), run), written };
}
