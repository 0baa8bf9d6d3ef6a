/** What an engine does: the files and options of a run → which documents stay, or which pairs there are. Memory, threads and Spark are engines. */
import type { Decision } from '../decisions/decision.ts';
import type { InputFile } from '../formats/find/inputs.ts';
import type { FileDamage, ReadOptions, Reject } from '../formats/item.ts';
import type { Format } from '../formats/registry.ts';
import type { Document, Pair } from '../model.ts';
import type { LargestGroup } from './decide/comparisons.ts';
import type { Decisions } from './decide/decisions.ts';
import type { DecisionCounts } from './decide/settle-decisions.ts';
import type { RunOptions } from './run-options.ts';
import type { SparkSettings } from './spark/connect/server.ts';

/** All engines give the same for the same request: the same decisions, in the same order, with the same values. */
export interface Engine {
  /** Only the ids of the documents are needed afterwards: documents that are written are read a second time. */
  decide(request: RunRequest): Promise<DecidedFiles>;
  pairs(request: RunRequest, wanted: WantedPairs): Promise<PairsOfFiles>;
}

export interface WantedPairs {
  /** Provably all pairs, without LSH. */
  readonly exact: boolean;
  /** The engine may stop after one pair more than this, unless `exact` is set. */
  readonly maxPairs: number;
}

export interface RunFiles {
  readonly inputs: readonly InputFile[];
  /** The files of the reference set. Its ids may repeat those of the inputs. */
  readonly reference: readonly InputFile[];
  /** Broken links found in folders, which become rejects of the run. */
  readonly brokenLinks?: readonly Reject[];
}

/** What was found while the inputs and the reference set were read. */
export interface FilesRead {
  /** How many documents the inputs have. */
  readonly documents: number;
  /** In the order of the lines, those of the reference set first. */
  readonly rejects: Iterable<Reject> & { readonly length: number };
  /** Files that were read up to their damage, those of the reference set first. */
  readonly damages: readonly FileDamage[];
  /** How many documents of the inputs repeat an id. They are named by their location. */
  readonly repeatedIds: number;
  /** Bytes of the inputs after decompression; for Parquet, the bytes of its texts. */
  readonly contentBytes: number;
  /** Fields that the options name but no document has. */
  readonly unknownFields: ReadonlySet<string>;
}

export interface RunRequest {
  readonly files: RunFiles;
  readonly reading: ReadOptions;
  readonly options: RunOptions;
  /** What people decided about pairs of documents: the lines of a log, in order. */
  readonly decisions?: readonly Decision[] | undefined;
  /** Number of threads. Default: the number of cores. */
  readonly jobs?: number | undefined;
  /** Inputs of at least this many bytes run on threads. */
  readonly threadsFrom?: number | undefined;
  /** The memory budget of the run, in bytes. */
  readonly memory: number;
  /** The folder for stage files. Default: the system's folder for temporary files. */
  readonly tmp?: string | undefined;
  /** The Spark to run on. Default: this machine, without Spark. */
  readonly spark?: SparkSettings | undefined;
  /** Continue from the stage files that an interrupted run of the same inputs and options has left. */
  readonly resume?: boolean | undefined;
  /** A component of more documents than this is divided among workers. */
  readonly giant?: number | undefined;
  /** Ends the run, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The number of comparisons at which `watch.many` is called. */
  readonly manyComparisons?: number | undefined;
  readonly watch?: Watch | undefined;
}

/** What a run over files is expected to take. */
export interface Estimate {
  readonly bytes: number;
  readonly documents: number;
  readonly seconds: number;
  /** Bytes in the folder for temporary files. */
  readonly disk: number;
  readonly memory: number;
}

/** Called when `done` of the `of` parts of a stage are finished. */
export type Stage = (name: string, done: number, of: number) => void;

/** Receives the progress of a run. Small runs end before there is any. */
export interface Watch {
  estimate(estimate: Estimate): void;
  readonly stage: Stage;
  /** Called once, when there are very many comparisons and more may follow. */
  many(group: LargestGroup): void;
}

/** How documents are written: copies of files, or records of one format. */
export type DocumentsForm =
  | { readonly kind: 'copies' }
  | { readonly kind: 'records' | 'rows'; readonly format: Format };

export interface DecidedFiles extends Decisions {
  readonly read: FilesRead;
  readonly options: RunOptions;
  /** Copies the lines that stay, byte for byte. Only present when the inputs are plain JSON lines. */
  readonly copyKept?: (path: string) => Promise<void>;
  /** Writes the documents that stay (with `mark`, all of them). Only present when the engine has them and the caller has not. */
  readonly writeDocuments?: (path: string, form: DocumentsForm, mark: boolean) => Promise<void>;
  /** Reads documents of the inputs, or of the reference set, by their ids. Only present when the engine has them and the caller has not. */
  readonly readDocuments?: (ids: Iterable<string>, isReference: boolean) => AsyncIterable<Document>;
  /** Removes the files of the run. If it is not done, files that a resumed run can use stay. */
  release(isDone: boolean): void | Promise<void>;
}

export interface PairsOfFiles {
  readonly pairs: Iterable<Pair>;
  /** The comparisons made so far. The number is final once all pairs have been read. */
  comparisons(): number;
  /** Present when the run was given decisions. */
  readonly decisions?: DecisionCounts | undefined;
  readonly read: FilesRead;
  readonly options: RunOptions;
  /** The same as for `DecidedFiles`, once all pairs have been read. */
  release(isDone: boolean): void | Promise<void>;
}
