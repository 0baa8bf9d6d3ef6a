/** What the driver tells a worker on its command line, and the rows that go through the pipes between them. */
import type { ReadOptions } from '../../../formats/item.ts';
import type { RunOptions } from '../../run-options.ts';

export interface WorkerPlan {
  readonly task: keyof typeof taskColumns;
  readonly options: RunOptions;
  readonly reading: ReadOptions;
  /** Lines with a lower rid are of the reference set. */
  readonly protectedCount: number;
  /** Rids of one-document files, which were made lines; `to` is the first behind them. */
  readonly converted: readonly (readonly [from: number, to: number])[];
  /** Of all components together; a worker stops behind it. */
  readonly maxPairs: number;
  /** Bytes that a worker may take. */
  readonly memory: number;
  /** What people decided depends on the contents of documents. */
  readonly hasDecisions: boolean;
  /** Where the stages of the run are, if workers can look: it is gone when the run is. */
  readonly folder?: string | undefined;
  /** Slots to count elements in; a power of two. */
  readonly slots?: number;
}

/** What a worker reads: whole numbers, the CRC-32 of the rest, and the rest, which is any bytes but newlines. */
export const taskColumns = {
  /** → what is known of the document. */
  analyse: { numbers: ['rid'], rest: ['line'] },
  /** → what is decided in each component. `what`: one of `parts`. */
  decide: { numbers: ['root', 'what', 'rid'], rest: ['payload'] },
  pair: { numbers: ['root', 'what', 'rid'], rest: ['payload'] },
  /** → the line with the mark. */
  mark: { numbers: ['rid'], rest: ['mark', 'line'] },
  /** → the line that the bytes of a one-document file make. */
  convert: { numbers: ['rid'], rest: ['file', 'bytes'] },
  /** Lines of giant components → how often elements come in them. */
  count: { numbers: ['rid'], rest: ['line'] },
  /** Counts of several workers → their sums. */
  sum: { numbers: ['rid'], rest: ['counts'] },
  /** Sums, then lines → the prefixes of the documents. `what`: 0 for a sum. */
  prefix: { numbers: ['part', 'what', 'rid'], rest: ['payload'] },
  /** Prefixes, by element → links between documents that may reach the threshold. */
  link: { numbers: ['element', 'rid'], rest: ['place'] },
} as const;

/** Of the rows of a component. */
export const parts = {
  /** The line of a document. */
  line: 0,
  /** A document whose text is that of another: `[rid of that one, id, keep value]`. */
  copy: 1,
  /** What people decided on two documents: `[rid, rid, verdict, rid of the one to keep or null]`. */
  decision: 2,
} as const;

/** Rows that workers write, tab-separated; each has one of these in front. */
export const kinds = {
  document: 'D',
  reject: 'R',
  blank: 'B',
  removed: 'X',
  cluster: 'C',
  pair: 'P',
  line: 'L',
  counts: 'S',
  prefix: 'E',
  link: 'K',
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
  /** The same of the CRC-32 of each row written. */
  readonly sum: string;
  readonly comparisons: number;
  /** Fields of the options that none of its documents had. */
  readonly unknownFields: readonly string[];
}

/** What analysis tells besides, as JSON; numbers as text, since JSON has no infinity. */
export interface Extra {
  readonly keep?: readonly [kind: number, number: string, text: string];
  /** As a log of decisions has it, and the same of the value of --by. */
  readonly content?: string;
  readonly group?: string;
}

export function encodePlan(plan: WorkerPlan): string {
  return Buffer.from(JSON.stringify(plan)).toString('base64url');
}

export function decodePlan(text: string): WorkerPlan {
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}
