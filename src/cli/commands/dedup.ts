/** `neardup dedup`: documents → those that stay, as they came, with evidence for each one that goes. */

import { batchOptionNames } from '../../batch/options.ts';
import { namedOutputs } from '../../batch/outputs.ts';
import { summaryLines } from '../../batch/summary.ts';
import { command, inputArguments } from '../app/command.ts';
import {
  csvSafeFlag,
  decisionsFlag,
  filesFlag,
  jsonFlag,
  outputFlag,
  pageFlag,
  rejectsFlag,
  switchFlag,
} from '../app/flags.ts';
import { requireFileForJson } from '../batch/json-outputs.ts';
import { askedOf, nameOfFlag, readRunFlags, sparkFlags, withAround } from '../batch/request.ts';

export const dedupCommand = command({
  name: 'dedup',
  summary: 'write the documents that stay, with evidence for each one removed',
  arguments: inputArguments,
  options: [...batchOptionNames, 'maxRemoved', 'maxCluster'],
  flags: {
    output: outputFlag('write the documents that stay here (a folder for copies of files: DIR/)', 'o'),
    removed: outputFlag('write the evidence: which document was removed, for which one, and why'),
    clusters: outputFlag('write the clusters'),
    report: pageFlag('write a report of the run, to open in a browser', ['.html', '.htm', '.html.gz', '.html.zst']),
    rejects: rejectsFlag,
    csvSafe: csvSafeFlag,
    decisions: decisionsFlag,
    ...sparkFlags,
    protect: filesFlag('a reference set: never removed, always wins, never written'),
    mark: switchFlag('remove nothing; add neardup: { cluster, size, keep } to each document'),
    dryRun: switchFlag('write nothing; only say what would be done'),
    json: jsonFlag,
  },
  examples: [
    'neardup dedup corpus.jsonl -o clean.jsonl --removed evidence.jsonl --report report.html',
    'neardup dedup news/ -o kept/ --keep longest',
    'neardup dedup crawl-*.warc.gz -o clean.warc.gz --max-removed 30%',
    'neardup dedup train.parquet -o clean.parquet --protect test.parquet --measure containment',
    'neardup dedup corpus.jsonl --by language --dry-run --json',
    'neardup dedup corpus.jsonl -o clean.jsonl --decisions decisions.jsonl',
  ],
  async run(inputs, options, io, given) {
    const { output = '-', removed, clusters, report, rejects } = options;
    const { mark = false, dryRun = false, json = false, maxRemoved, maxCluster } = options;
    const runOptions = readRunFlags(options, given);
    const outputs = { output, removed, clusters, report, rejects };
    requireFileForJson(namedOutputs({ ...outputs, output: options.output }, nameOfFlag), json, dryRun);

    const { dedupBatch } = await import('../../batch/dedup-batch.ts');
    const asked = { ...askedOf(inputs, options, runOptions), outputs, mark, dryRun, maxRemoved, maxCluster };
    const { summary, written } = await withAround(io, asked, around => dedupBatch(asked, around));
    if (dryRun && report !== undefined) io.note(`--dry-run: ${report} was not written`);
    const { recallLines } = await import('../../batch/recall-lines.ts');
    for (const line of [...summaryLines(summary, written), ...recallLines(runOptions)]) io.note(line);
    if (json) io.write(JSON.stringify(summary));
    return 0;
  },
});
