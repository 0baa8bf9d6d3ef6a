/** Files → the near-duplicate pairs among their documents, or the groups of them, written or handed on; and the summary. */
import { setImmediate } from 'node:timers/promises';
import { decideFiles, findPairsOfFiles } from '../engine/choose-engine.ts';
import type { DecidedFiles, PairsOfFiles } from '../engine/engine.ts';
import { writtenOptions } from '../engine/written-options.ts';
import { fail } from '../errors.ts';
import { STANDARD_OUTPUT } from '../formats/sink.ts';
import type { Pair } from '../model.ts';
import { type Limits, requireWithinLimits } from './brake.ts';
import { noteDecisions } from './note-decisions.ts';
import { noteRejects } from './note-losses.ts';
import { listFormat, namedOutputs } from './outputs.ts';
import { createPendingResults } from './pending-results.ts';
import { type Around, type Asked, type StartedRun, startRun, thenRelease } from './start-run.ts';
import { type ClustersSummary, type Effort, type PairsSummary, summaryOf } from './summary.ts';
import { writeList, writeRejects } from './write-list.ts';

export interface ListOutputs {
  readonly output?: string | undefined;
  readonly rejects?: string | undefined;
}

interface ListAsked extends Asked {
  readonly outputs: ListOutputs;
}

export interface PairsAsked extends ListAsked {
  readonly exact: boolean;
  readonly maxPairs: number;
}

export interface ClustersAsked extends ListAsked, Pick<Limits, 'maxCluster'> {}

/** `take` takes the pairs in place of a file. */
export function pairsBatch(
  asked: PairsAsked,
  around: Around,
  take?: (pairs: AsyncIterable<Pair>) => Promise<void>,
): Promise<PairsSummary> {
  const { exact, maxPairs } = asked;
  const { nameOf, signal } = around;
  const { output } = asked.outputs;
  let count = 0;
  const counted = async function* ({ pairs }: PairsOfFiles): AsyncGenerator<Pair> {
    for (const pair of pairs) {
      if (count === maxPairs) {
        const isWritten = output === undefined || output === STANDARD_OUTPUT;
        fail('TOO_MANY_PAIRS', { count, isWritten, threshold: nameOf('threshold'), maxPairs: nameOf('maxPairs') });
      }
      count++;
      yield pair;
      // So that an interrupt is heard.
      if (count % 1000 === 0) await setImmediate();
      signal?.throwIfAborted();
    }
  };
  return listBatch(asked, around, {
    find: request => findPairsOfFiles(request, { exact, maxPairs }),
    async list(found, write) {
      if (take) await take(counted(found));
      else if (write) await write(counted(found));
      else for await (const _ of counted(found));
    },
    summary: ({ read, options, comparisons, decisions }, effort) => ({
      documents: read.documents,
      pairs: count,
      rejected: read.rejects.length,
      ...effort,
      options: { ...writtenOptions(options), exact },
      repeatedIds: read.repeatedIds,
      comparisons: comparisons(),
      ...(decisions && { decisions }),
    }),
  });
}

/** `take` takes the clusters in place of a file. */
export function clustersBatch(
  asked: ClustersAsked,
  around: Around,
  take?: (decided: DecidedFiles) => Promise<void>,
): Promise<ClustersSummary> {
  return listBatch(asked, around, {
    find: decideFiles,
    async list(decided, write) {
      requireWithinLimits(asked, decided, around.nameOf);
      if (take) await take(decided);
      else await write?.(decided.clusters);
    },
    summary(decided, effort) {
      const { documents, clusters, rejected, seconds, bytes, contentBytes, options, repeatedIds, comparisons } =
        summaryOf(decided, effort);
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
    },
  });
}

type Items = Iterable<object> | AsyncIterable<object>;

interface ListSteps<Found, Summary> {
  readonly find: (request: StartedRun) => Promise<Found>;
  /** `write` writes items to the output, if there is one. */
  readonly list: (found: Found, write: ((items: Items) => Promise<void>) | undefined) => Promise<void>;
  readonly summary: (found: Found, effort: Effort) => Summary;
}

async function listBatch<Found extends PairsOfFiles | DecidedFiles, Summary>(
  asked: ListAsked,
  around: Around,
  { find, list, summary }: ListSteps<Found, Summary>,
): Promise<Summary> {
  const { output, rejects } = asked.outputs;
  const { nameOf, messages, signal } = around;
  const format = output === undefined ? undefined : listFormat(nameOf('output'), output);
  const rejectsFormat = rejects === undefined ? undefined : listFormat(nameOf('rejects'), rejects);
  const request = await startRun(asked, namedOutputs(asked.outputs, nameOf), around);
  const found = await find(request);
  return thenRelease(found, async () => {
    await noteRejects(messages, found.read, request.files.inputs, rejects !== undefined);
    noteDecisions(messages, asked.decisions, found.decisions);
    const results = createPendingResults(request.files);
    const write = async (items: Items) => writeList(await results.pathFor(output!), format!, items, asked, signal);
    await results.run(async () => {
      if (rejects !== undefined) await writeRejects(await results.pathFor(rejects), rejectsFormat!, found.read, asked);
      await list(found, output === undefined ? undefined : write);
    });
    return summary(found, request.effort(found.read));
  });
}
