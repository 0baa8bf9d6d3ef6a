/** Files → the groups of near-duplicates among their documents, written or handed on; and the summary. */
import { decideFiles } from '../engine/choose-engine.ts';
import type { DecidedFiles } from '../engine/engine.ts';
import { type Limits, requireWithinLimits } from './brake.ts';
import { noteDecisions } from './note-decisions.ts';
import { noteRejects } from './note-losses.ts';
import { listFormat, namedOutputs } from './outputs.ts';
import type { ListOutputs } from './pairs-batch.ts';
import { thenRelease } from './release.ts';
import { createStaging } from './staging.ts';
import { type Around, type Asked, startRun } from './start-run.ts';
import { type ClustersSummary, summaryOf } from './summary.ts';
import { writeList, writeRejects } from './write-list.ts';

export interface ClustersAsked extends Asked, Pick<Limits, 'maxCluster'> {
  readonly outputs: ListOutputs;
}

/** Takes the clusters in place of a file. */
export type TakeClusters = (decided: DecidedFiles) => Promise<void>;

export async function clustersBatch(
  asked: ClustersAsked,
  around: Around,
  take?: TakeClusters,
): Promise<ClustersSummary> {
  const { outputs } = asked;
  const { nameOf, messages, signal } = around;
  const { output, rejects } = outputs;
  const format = output === undefined ? undefined : listFormat(nameOf('output'), output);
  const rejectsFormat = rejects === undefined ? undefined : listFormat(nameOf('rejects'), rejects);
  const request = await startRun(asked, namedOutputs(outputs, nameOf), around);
  const decided = await decideFiles(request);
  return thenRelease(decided, async () => {
    await noteRejects(messages, decided.read, request.files.inputs, rejects !== undefined);
    noteDecisions(messages, asked.decisions, decided.decisions);
    requireWithinLimits(asked, decided, nameOf);
    const staging = createStaging(request.files);
    await staging.run(async () => {
      if (rejects !== undefined)
        await writeRejects(await staging.pathFor(rejects), rejectsFormat!, decided.read, asked);
      if (take) await take(decided);
      else if (output !== undefined)
        await writeList(await staging.pathFor(output), format!, decided.clusters, asked, signal);
    });
    const { documents, clusters, rejected, seconds, bytes, contentBytes, options, repeatedIds, comparisons } =
      summaryOf(decided, request.effort(decided.read));
    return {
      documents,
      clusters,
      clustered: decided.totals.clustered,
      rejected,
      seconds,
      bytes,
      ...(contentBytes !== undefined && { contentBytes }),
      options,
      repeatedIds,
      comparisons,
      ...(decided.decisions && { decisions: decided.decisions }),
    };
  });
}
