/** Files → results: the engine of the command line as library calls, with threads, a memory budget and `resume`. */
import { type GivenRunOptions, runOptionNames } from '../engine/run-options.ts';
import { fail } from '../errors.ts';
import type { Cluster, Pair } from '../model.ts';
import { type GivenOptions, pick, plainName, readOptions, requireNames, withoutAliases } from '../options.ts';
import type { DedupOutputs } from './dedup-batch.ts';
import { FilesRun } from './files-run.ts';
import { host } from './hosting.ts';
import type { ListOutputs } from './list-batch.ts';
import { type BatchSettings, batchOptionNames, inputOptionNames, runOptionsFrom, workOptionNames } from './options.ts';
import { sparkSettings } from './spark-settings.ts';
import type { Asked } from './start-run.ts';
import type { ClustersSummary, DedupSummary, PairsSummary } from './summary.ts';

/** How far a run over files is. */
export interface FilesProgress {
  /** `read`, `sketch`, `ids`, `equal texts`, `candidates`, `verify`, `write`. Small inputs have no stages. */
  readonly stage: string;
  readonly done: number;
  /** Parts that the stage has. */
  readonly of: number;
}

/** What every run over files takes besides its options. */
export interface FilesCallSettings {
  /** Ends the run. It fails with the signal's reason, and no output appears. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress of the run. */
  readonly onProgress?: ((progress: FilesProgress) => void) | undefined;
  /** Called with one line for each reject, skipped file and damage, and when a run takes very many comparisons. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** Options of every run over files. */
export type GivenFilesOptions = GivenRunOptions &
  GivenOptions<(typeof inputOptionNames)[number] | (typeof workOptionNames)[number]> &
  FilesCallSettings & {
    /** `key=value` for the Spark that is started, with engine `spark`. */
    readonly sparkConf?: readonly string[] | undefined;
    /** Node on the executors of Spark, or a .tgz with bin/node to ship to them. */
    readonly sparkNode?: string | undefined;
    /** The file of a log of decisions that people made (`decisions.jsonl`). */
    readonly decisions?: string | undefined;
    /** Put an apostrophe before cells of CSV output that a spreadsheet would take for a formula. Default: false. */
    readonly csvSafe?: boolean | undefined;
  };

/** Options of `dedupFiles`. Outputs that are not named are not written. */
export type DedupFilesOptions = GivenFilesOptions &
  GivenOptions<'maxRemoved' | 'maxCluster'> &
  DedupOutputs & {
    /** Files of a reference set: never removed, always win, never written. */
    readonly protect?: string | readonly string[] | undefined;
    /** Remove nothing; add `neardup: { cluster, size, keep }` to each document. Default: false. */
    readonly mark?: boolean | undefined;
    /** Write nothing; only say what would be done. Default: false. */
    readonly dryRun?: boolean | undefined;
  };

/** Options of `findPairsInFiles`. Rejects, and the pairs themselves, are written where a file is named. */
export type PairsInFilesOptions = Omit<GivenFilesOptions, 'cluster' | 'keep'> &
  GivenOptions<'maxPairs'> &
  ListOutputs & {
    /** Provably all pairs at or above the threshold, without LSH. Default: false. */
    readonly exact?: boolean | undefined;
  };

/** Options of `findClustersInFiles`. Rejects, and the clusters themselves, are written where a file is named. */
export type ClustersInFilesOptions = GivenFilesOptions &
  GivenOptions<'maxCluster'> &
  ListOutputs & {
    /** Files of a reference set, whose documents represent the others. */
    readonly protect?: string | readonly string[] | undefined;
  };

/**
 * Files, folders and patterns → the documents that stay, evidence, clusters and a report, written all together or not at
 * all. Runs on threads, within `memory`; nothing of it blocks the event loop.
 *
 * @example
 * ```ts
 * const { kept, removed } = await dedupFiles(['crawl-*.warc.gz'], { output: 'clean.warc.gz', removed: 'evidence.jsonl' });
 * ```
 */
export async function dedupFiles(
  inputs: string | readonly string[],
  given: DedupFilesOptions = {},
): Promise<DedupSummary> {
  const { output, removed, clusters, report, rejects, mark = false, dryRun = false, ...rest } = given;
  const limits = readOptions(['maxRemoved', 'maxCluster'], pick(rest, ['maxRemoved', 'maxCluster']));
  const asked = {
    ...askedOf(inputs, rest, ['maxRemoved', 'maxCluster', 'protect']),
    ...limits,
    outputs: { output, removed, clusters, report, rejects },
    mark,
    dryRun,
  };
  return host({ name: 'dedup', asked }, given);
}

/**
 * Files → all near-duplicate pairs among their documents. `await` it for the summary, with the pairs in `output` if that
 * is given; or iterate it for the pairs, sorted by the first, then by the second document.
 *
 * @example
 * ```ts
 * for await (const { a, b, resemblance } of findPairsInFiles('essays/', { threshold: 0.5 })) console.log(a, b, resemblance);
 * const { pairs } = await findPairsInFiles('essays/', { output: 'pairs.jsonl' });
 * ```
 */
export function findPairsInFiles(
  inputs: string | readonly string[],
  given: PairsInFilesOptions = {},
): FilesRun<Pair, PairsSummary> {
  return new FilesRun<Pair, PairsSummary>(given.signal, (signal, onItems) => {
    const { output, rejects, exact = false, ...rest } = given;
    const { maxPairs } = readOptions(['maxPairs'], pick(rest, ['maxPairs']));
    const asked = { ...askedOf(inputs, rest, ['maxPairs'], exact), exact, maxPairs, outputs: { output, rejects } };
    return host({ name: 'pairs', asked }, { ...given, signal }, onItems);
  });
}

/**
 * Files → the groups of near-duplicates among their documents. `await` it for the summary, with the clusters in `output`
 * if that is given; or iterate it for the clusters, in the order of their representatives.
 *
 * @example
 * ```ts
 * for await (const { representative, members } of findClustersInFiles('licences/')) console.log(representative, members);
 * ```
 */
export function findClustersInFiles(
  inputs: string | readonly string[],
  given: ClustersInFilesOptions = {},
): FilesRun<Cluster, ClustersSummary> {
  return new FilesRun<Cluster, ClustersSummary>(given.signal, (signal, onItems) => {
    const { output, rejects, ...rest } = given;
    const limits = readOptions(['maxCluster'], pick(rest, ['maxCluster']));
    const asked = { ...askedOf(inputs, rest, ['maxCluster', 'protect']), ...limits, outputs: { output, rejects } };
    return host({ name: 'clusters', asked }, { ...given, signal }, onItems);
  });
}

const settingNames = ['csvSafe', 'sparkConf', 'sparkNode', 'decisions', 'signal', 'onProgress', 'onWarning'] as const;

/** What all of them are asked. `others`: names that the call itself reads. */
function askedOf(
  inputs: string | readonly string[],
  given: GivenFilesOptions & { readonly protect?: string | readonly string[] | undefined },
  others: readonly string[],
  exact = false,
): Asked {
  const spelled = withoutAliases(given);
  requireNames(spelled, [...batchOptionNames, ...settingNames, ...others]);
  const read = readOptions(batchOptionNames, pick(spelled, batchOptionNames));
  const options = runOptionsFrom(pick(read, [...runOptionNames, 'setField']), spelled, plainName, exact);
  const settings: BatchSettings = pick(read, [...inputOptionNames, ...workOptionNames]);
  const { protect, csvSafe, decisions } = spelled;
  return {
    inputs: listOf(inputs, 'inputs'),
    protect: protect === undefined ? undefined : listOf(protect, 'protect'),
    decisions,
    options,
    settings,
    spark: sparkSettings(settings, spelled, plainName),
    csvSafe,
  };
}

function listOf(given: string | readonly string[], name: string): readonly string[] {
  const list = typeof given === 'string' ? [given] : given;
  if (Array.isArray(list) && list.every(path => typeof path === 'string' && path !== '') && list.length > 0)
    return list;
  return fail('BAD_OPTION', { option: name, expected: 'a path or a list of paths', got: given });
}
