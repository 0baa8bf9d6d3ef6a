/** Decisions → what a run did, as numbers, and as lines to read. */
import type { DecisionCounts } from '../engine/decide/settle-decisions.ts';
import type { DecidedFiles } from '../engine/engine.ts';
import { writtenOptions } from '../engine/written-options.ts';
import { many } from '../report/printable.ts';
import type { RunFigures } from '../report/run-page.ts';
import { withCommas } from '../report/with-commas.ts';
import type { Written } from './write-documents.ts';
import type { OtherRecords } from './write-warc-records.ts';

export interface DedupSummary extends RunFigures {
  /** Documents that are named by their location because their id came before. */
  readonly repeatedIds: number;
  /** Of two documents each, to decide which go. */
  readonly comparisons: number;
  readonly options: Readonly<Record<string, unknown>>;
  /** What became of the decisions that people made, where they were given. */
  readonly decisions?: DecisionCounts;
  /** Where WARC files went into one: its records that are no documents. */
  readonly otherRecords?: OtherRecords;
}

/** What `pairs` found, as numbers. */
export interface PairsSummary extends Effort {
  readonly documents: number;
  readonly pairs: number;
  readonly rejected: number;
  readonly options: Readonly<Record<string, unknown>>;
  /** Documents that are named by their location because their id came before. */
  readonly repeatedIds: number;
  readonly comparisons: number;
  /** What became of the decisions that people made, where they were given. */
  readonly decisions?: DecisionCounts;
}

/** What `clusters` found, as numbers. */
export interface ClustersSummary extends Effort {
  readonly documents: number;
  readonly clusters: number;
  /** Documents in clusters, representatives included. */
  readonly clustered: number;
  readonly rejected: number;
  readonly options: Readonly<Record<string, unknown>>;
  /** Documents that are named by their location because their id came before. */
  readonly repeatedIds: number;
  readonly comparisons: number;
  /** What became of the decisions that people made, where they were given. */
  readonly decisions?: DecisionCounts;
}

/** What a run took. `bytes` as they are stored; `contentBytes` where they are compressed. */
export type Effort = Pick<RunFigures, 'seconds' | 'bytes' | 'contentBytes'>;

export function summaryOf(
  { read, totals, options, comparisons, decisions }: DecidedFiles,
  effort: Effort,
  { otherRecords }: Written = {},
): DedupSummary {
  const { removed, exact, near, contained, clusters } = totals;
  return {
    documents: read.documents,
    kept: read.documents - removed,
    removed,
    exact,
    near,
    contained,
    ...(decisions && { decided: totals.decided }),
    clusters,
    rejected: read.rejects.length,
    ...effort,
    options: writtenOptions(options),
    repeatedIds: read.repeatedIds,
    comparisons,
    ...(decisions && { decisions }),
    ...(otherRecords && { otherRecords }),
  };
}

export function summaryLines(summary: DedupSummary, written: Written = {}): string[] {
  const { documents, kept, removed, exact, near, contained, clusters } = summary;
  const parts = [`${withCommas(exact)} exact`, `${withCommas(near)} near`];
  if (contained > 0 || summary.options.measure === 'containment') parts.push(`${withCommas(contained)} contained`);
  if (summary.decided !== undefined) parts.push(`${withCommas(summary.decided)} decided`);
  return [
    `${many(documents, 'document')}: ${withCommas(kept)} kept, ${withCommas(removed)} removed (${parts.join(', ')})`,
    `${many(clusters, 'cluster')}, ${withCommas(summary.rejected)} rejected`,
    ...decisionsLines(summary),
    ...repeatedIdsLines(summary),
    ...otherRecordsLines(written),
    effortLine(summary, summary.comparisons),
  ];
}

export function decisionsLines({ decisions }: { readonly decisions?: DecisionCounts | undefined }): string[] {
  if (!decisions) return [];
  const { applied, stale, unknown, apart } = decisions;
  const ignored = [
    stale > 0 && `${withCommas(stale)} about texts that have changed`,
    unknown > 0 && `${withCommas(unknown)} about unknown ids`,
    apart > 0 && `${withCommas(apart)} across groups`,
  ].filter(part => part !== false);
  const left = ignored.length === 0 ? '' : `; ignored: ${ignored.join(', ')}`;
  return [`${many(applied, 'decision')} applied${left}`];
}

export function repeatedIdsLines({ repeatedIds }: Pick<DedupSummary, 'repeatedIds'>): string[] {
  if (repeatedIds === 0) return [];
  return [`${many(repeatedIds, 'document')} with an id that came before: named by file and line`];
}

export function otherRecordsLines({ otherRecords, otherRecordsLeftOut = 0 }: Written): string[] {
  if (otherRecordsLeftOut > 0)
    return [`${many(otherRecordsLeftOut, 'other WARC record')} left out: only a WARC file can hold them`];
  if (otherRecords === undefined) return [];
  const { written, removed } = otherRecords;
  return [`${many(written, 'other WARC record')} written through, ${withCommas(removed)} removed with their response`];
}

/** The rate of compressed input is that of its content, which is what is read and compared. */
export function effortLine({ seconds, bytes, contentBytes }: Effort, comparisons: number): string {
  const megabytes = (contentBytes ?? bytes) / 1e6;
  const compressed = contentBytes === undefined ? '' : `${(bytes / 1e6).toFixed(1)} MB compressed, `;
  const unit = contentBytes === undefined ? 'MB' : 'MB decompressed';
  return `${seconds.toFixed(1)} s, ${compressed}${megabytes.toFixed(1)} ${unit}, ${(megabytes / seconds).toFixed(1)} MB/s, ${many(comparisons, 'comparison')}`;
}
