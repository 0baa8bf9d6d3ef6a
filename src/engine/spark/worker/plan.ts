/** What the driver tells a worker on its command line, and the rows that go through the pipes between them. */
import type { ReadOptions } from '../../../formats/item.ts';
import type { RunOptions } from '../../run-options.ts';

export interface WorkerPlan {
  /**
   * `analyse`: rid, line → what is known of the document. `decide`, `pair`: component, rid, line → what is decided in each component.
   * `mark`: rid, line, mark → rid, line with the mark.
   */
  readonly task: 'analyse' | 'decide' | 'pair' | 'mark';
  readonly options: RunOptions;
  readonly reading: ReadOptions;
  /** Lines with a lower rid are of the reference set. */
  readonly protectedCount: number;
  /** Of all components together; a worker stops behind it. */
  readonly maxPairs: number;
}

/** Rows that workers write, tab-separated; each has one of these in front. */
export const kinds = {
  document: 'D',
  reject: 'R',
  blank: 'B',
  removed: 'X',
  cluster: 'C',
  pair: 'P',
  line: 'L',
  trailer: 'T',
} as const;

/** Spark ends rows and fields at these; in JSON they are white space between values, where the characters that stand for them cannot be. */
export const stands = { tab: '\u0001', return: '\u0002' } as const;

/** The last row of each worker: a worker that ended early is found by what is missing here. */
export interface Trailer {
  readonly seen: number;
  readonly written: number;
  /** Sum of the rids, as digits: it may be past 2⁵³. */
  readonly rids: string;
  readonly comparisons: number;
  /** Fields of the options that none of its documents had. */
  readonly unknownFields: readonly string[];
}

export function encodePlan(plan: WorkerPlan): string {
  return Buffer.from(JSON.stringify(plan)).toString('base64url');
}

export function decodePlan(text: string): WorkerPlan {
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}
