/** The public surface of `neardup`: all of `neardup/browser`, and what needs Node. */

export type { DedupOutputs } from './batch/dedup-batch.ts';
export {
  type ClustersInFilesOptions,
  type DedupFilesOptions,
  dedupFiles,
  type FilesCallSettings,
  type FilesProgress,
  findClustersInFiles,
  findPairsInFiles,
  type GivenFilesOptions,
  type PairsInFilesOptions,
} from './batch/files-calls.ts';
export type { FilesRun } from './batch/files-run.ts';
export type { ListOutputs } from './batch/list-batch.ts';
export type { ClustersSummary, DedupSummary, Effort, PairsSummary } from './batch/summary.ts';
export type { OtherRecords } from './batch/write-warc-records.ts';
export * from './browser.ts';
export { type ReadDecisionsSettings, readDecisions, type UnreadableLine } from './decisions/decision-file.ts';
export { fileLog, memoryLog } from './decisions/line-log.ts';
export type { IndexedDocument } from './model.ts';
export type { StorePolicy } from './store/batch.ts';
export type { ClusterOrder, ClusterPage, ClusterQuery, ClusterSort } from './store/cluster-pages.ts';
export type { ClusterPairs, ClusterPairsQuery } from './store/cluster-pairs.ts';
export type { ClusterState, IndexCluster } from './store/clusters.ts';
export type { Damage } from './store/contract.ts';
export type { DocumentPage, DocumentQuery, ListedDocument } from './store/documents-page.ts';
export type { IndexDecisions } from './store/index-decisions.ts';
export type { IndexHistogram } from './store/index-histogram.ts';
export type { IndexInput, JsonWithId } from './store/index-input.ts';
export type { GivenIndexOptions } from './store/index-options.ts';
export type { AddOutcome, AddSettings, Boilerplate, BoilerplateSettings, Stats } from './store/index-settings.ts';
export type { MeasuredRecall, RecallSettings } from './store/measure-recall.ts';
export type { NearIndex } from './store/near-index.ts';
export { type GivenOpenOptions, type OpenSettings, openIndex } from './store/open-index.ts';
export type { Status, Verdict } from './store/record.ts';
export type { SearchQuery, SearchSettings } from './store/search.ts';
export type { Secret } from './store/secret-seed.ts';
