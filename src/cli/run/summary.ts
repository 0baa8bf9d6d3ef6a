/** Decisions → what a run did, as numbers, and as lines to read. */
import type { DecidedFiles } from '../../engine/files.ts';
import { writtenOptions } from '../../engine/written-options.ts';
import type { RunFigures } from '../../report/run-page.ts';
import { withCommas } from '../../report/with-commas.ts';
import { count as counted } from '../printable.ts';
import type { Written } from './write-documents.ts';
import type { OtherRecords } from './write-warc-records.ts';

export interface DedupSummary extends RunFigures {
  /** Documents that are named by their location because their id came before. */
  readonly repeatedIds: number;
  /** Of two documents each, to decide which go. */
  readonly comparisons: number;
  readonly options: Readonly<Record<string, unknown>>;
  /** Where WARC files went into one: its records that are no documents. */
  readonly otherRecords?: OtherRecords;
}

export type Effort = Pick<RunFigures, 'seconds' | 'bytes' | 'contentBytes'>;

export function summaryOf(
  { read, totals, options, comparisons }: DecidedFiles,
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
    clusters,
    rejected: read.rejects.length,
    ...effort,
    options: writtenOptions(options),
    repeatedIds: read.repeatedIds,
    comparisons,
    ...(otherRecords && { otherRecords }),
  };
}

export function summaryLines(summary: DedupSummary, written: Written = {}): string[] {
  const { documents, kept, removed, exact, near, contained, clusters } = summary;
  const parts = [`${withCommas(exact)} exact`, `${withCommas(near)} near`];
  if (contained > 0 || summary.options.measure === 'containment') parts.push(`${withCommas(contained)} contained`);
  return [
    `${many(documents, 'document')}: ${withCommas(kept)} kept, ${withCommas(removed)} removed (${parts.join(', ')})`,
    `${many(clusters, 'cluster')}, ${withCommas(summary.rejected)} rejected`,
    ...repeatedIdsLines(summary),
    ...otherRecordsLines(written),
    effortLine(summary, summary.comparisons),
  ];
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

export function many(number: number, thing: string): string {
  return counted(number, thing).replace(String(number), withCommas(number));
}
