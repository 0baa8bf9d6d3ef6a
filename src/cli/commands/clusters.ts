/** `neardup clusters`: documents → the groups of near-duplicates among them, as JSON lines, or as a listing on a terminal. */
import { batchOptionNames } from '../../batch/options.ts';
import type { ClustersSummary } from '../../batch/summary.ts';
import { many } from '../../report/printable.ts';
import { withCommas } from '../../report/with-commas.ts';
import { command, inputArguments } from '../app/command.ts';
import { csvSafeFlag, decisionsFlag, filesFlag, listJsonFlag, outputFlag, rejectsFlag } from '../app/flags.ts';
import { clusterListing } from '../batch/listing.ts';
import { readRunFlags, sparkFlags } from '../batch/request.ts';
import { runList } from '../batch/run-list.ts';

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
    return runList<ClustersSummary>(inputs, options, readRunFlags(options, given), io, {
      async find(asked, around, show) {
        const { clustersBatch } = await import('../../batch/list-batch.ts');
        const { maxCluster } = options;
        return clustersBatch({ ...asked, maxCluster }, around, show && (decided => show(clusterListing(decided, io))));
      },
      count: ({ clusters }) => clusters,
      line: ({ documents, clustered, clusters, rejected }) =>
        `${many(documents, 'document')}: ${withCommas(clustered)} in ${many(clusters, 'cluster')}, ${withCommas(rejected)} rejected`,
      hasRecall: true,
    });
  },
});
