/** `neardup clusters`: documents → the groups of near-duplicates among them, as JSON lines, or as a listing on a terminal. */

import { withCommas } from '../../report/with-commas.ts';
import { command } from '../command.ts';
import { csvSafeFlag, filesFlag, listJsonFlag, outputFlag, rejectsFlag } from '../flags.ts';
import { clusterTooLarge, STOPPED, stopLine } from '../run/brake.ts';
import { clusterListing, legendLines, listTarget } from '../run/listing.ts';
import { listFormat, requireFilesBesideSummary } from '../run/outputs.ts';
import { inputArguments, requireRunOptions, runOptions, startRun } from '../run/request.ts';
import { effortLine, many, repeatedIdsLines, summaryOf } from '../run/summary.ts';

export const clustersCommand = command({
  name: 'clusters',
  summary: 'list the groups of near-duplicates, each with its representative',
  arguments: inputArguments,
  options: [...runOptions, 'maxCluster'],
  flags: {
    output: outputFlag('write the clusters here instead of standard output', 'o'),
    rejects: rejectsFlag,
    csvSafe: csvSafeFlag,
    protect: filesFlag('a reference set, whose documents represent the others'),
    json: listJsonFlag,
  },
  examples: [
    'neardup clusters corpus.jsonl --threshold 0.7',
    'neardup clusters licences/ --cluster connected -o families.jsonl',
    'neardup clusters products.jsonl --set-field features --keep max:sales',
  ],
  async run(inputs, options, io, given) {
    const { output = '-', rejects, protect, json = false } = options;
    const outputs = { '-o': options.output, '--rejects': rejects };
    requireRunOptions(given, options);
    const target = listTarget(io, options.output, json);
    if (target === 'file with summary') requireFilesBesideSummary(outputs);
    const format = listFormat('-o', output);
    const rejectsFormat = rejects === undefined ? undefined : listFormat('--rejects', rejects);

    const request = await startRun({ inputs, protect }, options, given, { ...outputs, '-o': output }, io);
    const { decideFiles } = await import('../../engine/files.ts');
    const { noteRejects } = await import('../run/notes.ts');
    const { recallLines } = await import('../run/recall-lines.ts');
    const { writeLines } = await import('../write-lines.ts');
    const { createStaging } = await import('../run/staging.ts');
    const { writeList, writeRejects } = await import('../run/write-list.ts');
    const decided = await decideFiles(request);
    await noteRejects(io, decided.read, request.files.inputs, rejects !== undefined);
    const reason = clusterTooLarge(options, decided);
    if (reason !== undefined) {
      io.stderr.write(stopLine(reason));
      return STOPPED;
    }
    const staging = createStaging(request.files);
    await staging.run(async () => {
      if (rejects !== undefined)
        await writeRejects(await staging.pathFor(rejects), rejectsFormat!, decided.read, options);
      if (target === 'listing') await writeLines(io, () => clusterListing(decided, io));
      else await writeList(await staging.pathFor(output), format, decided.clusters, options);
    });
    decided.keeping?.remove();
    const { documents, clusters, rejected, ...rest } = summaryOf(decided, request.effort(decided.read));
    const { clustered } = decided.totals;
    if (target === 'listing' && clusters > 0) for (const line of legendLines(decided.options)) io.note(line);
    io.note(
      `${many(documents, 'document')}: ${withCommas(clustered)} in ${many(clusters, 'cluster')}, ${withCommas(rejected)} rejected`,
    );
    for (const line of repeatedIdsLines(rest)) io.note(line);
    io.note(effortLine(rest, rest.comparisons));
    for (const line of recallLines(decided.options)) io.note(line);
    const { repeatedIds, comparisons, seconds, bytes, contentBytes, options: written } = rest;
    const effort = { seconds, bytes, ...(contentBytes !== undefined && { contentBytes }) };
    const told = { documents, clusters, clustered, rejected, ...effort, options: written, repeatedIds, comparisons };
    if (target === 'file with summary') io.write(JSON.stringify(told));
    return 0;
  },
});
