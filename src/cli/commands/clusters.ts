/** `neardup clusters`: documents → the groups of near-duplicates among them, as JSON lines, or as a listing on a terminal. */
import { batchOptionNames } from '../../batch/options.ts';
import { decisionsLines, effortLine, many, repeatedIdsLines } from '../../batch/summary.ts';
import { withCommas } from '../../report/with-commas.ts';
import { command } from '../app/command.ts';
import { csvSafeFlag, decisionsFlag, filesFlag, listJsonFlag, outputFlag, rejectsFlag } from '../app/flags.ts';
import { requireFilesBesideSummary } from '../batch/json-outputs.ts';
import { clusterListing, legendLines, listTarget } from '../batch/listing.ts';
import { aroundOf, inputArguments, readRunFlags, readSparkFlags, settingsOf, sparkFlags } from '../batch/request.ts';

export const clustersCommand = command({
  name: 'clusters',
  summary: 'list the groups of near-duplicates, each with its representative',
  arguments: inputArguments,
  options: [...batchOptionNames, 'maxCluster'],
  flags: {
    output: outputFlag('write the clusters here instead of standard output', 'o'),
    rejects: rejectsFlag,
    csvSafe: csvSafeFlag,
    decisions: decisionsFlag,
    ...sparkFlags,
    protect: filesFlag('a reference set, whose documents represent the others'),
    json: listJsonFlag,
  },
  examples: [
    'neardup clusters corpus.jsonl --threshold 0.7',
    'neardup clusters licences/ --cluster connected -o families.jsonl',
    'neardup clusters products.jsonl --set-field features --keep max:sales',
  ],
  async run(inputs, options, io, given) {
    const { output = '-', rejects, protect, json = false, csvSafe, maxCluster } = options;
    const runOptions = readRunFlags(options, given);
    const target = listTarget(io, options.output, json);
    if (target === 'file with summary') requireFilesBesideSummary({ '-o': output, '--rejects': rejects });

    const { clustersBatch } = await import('../../batch/clusters-batch.ts');
    const { recallLines } = await import('../../batch/recall-lines.ts');
    const { writeLines } = await import('../output/write-lines.ts');
    const settings = settingsOf(options);
    const limits = maxCluster === undefined ? {} : { maxCluster };
    const asked = {
      inputs,
      spark: readSparkFlags(options),
      decisions: options.decisions,
      protect,
      options: runOptions,
      settings,
      csvSafe,
      ...limits,
      outputs: { output, rejects },
    };
    const summary = await clustersBatch(
      asked,
      await aroundOf(io, runOptions, settings),
      target === 'listing' ? decided => writeLines(io, () => clusterListing(decided, io)) : undefined,
    );
    const { documents, clusters, clustered, rejected } = summary;
    if (target === 'listing' && clusters > 0) for (const line of legendLines(runOptions)) io.note(line);
    io.note(
      `${many(documents, 'document')}: ${withCommas(clustered)} in ${many(clusters, 'cluster')}, ${withCommas(rejected)} rejected`,
    );
    for (const line of [...decisionsLines(summary), ...repeatedIdsLines(summary)]) io.note(line);
    io.note(effortLine(summary, summary.comparisons));
    for (const line of recallLines(runOptions)) io.note(line);
    if (target === 'file with summary') io.write(JSON.stringify(summary));
    return 0;
  },
});
