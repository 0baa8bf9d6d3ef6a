/** What an engine does: the files and options of a run → which documents stay, or which pairs there are. Memory, threads and Spark are engines. */
import type { Decision } from '../decisions/decision.ts';
import type { InputFile } from '../formats/find/inputs.ts';
import type { FileDamage, ReadOptions, Reject } from '../formats/item.ts';
import type { Format } from '../formats/registry.ts';
import type { Pair } from '../model.ts';
import type { LargestGroup } from './decide/comparisons.ts';
import type { Decisions } from './decide/decisions.ts';
import type { DecisionCounts } from './decide/settle-decisions.ts';
import type { RunOptions } from './run-options.ts';
import type { SparkSettings } from './spark/connect/server.ts';

/** All engines give the same for the same request: the same decisions, in the same order, with the same values. */
export interface Engine {
  /** Nothing of the documents but their ids is needed afterwards: whoever writes them reads them again. */
  decide(request: RunRequest): Promise<DecidedFiles>;
  pairs(request: RunRequest, wanted: WantedPairs): Promise<PairsOfFiles>;
}

export interface WantedPairs {
  /** Provably all pairs, without LSH. */
  readonly exact: boolean;
  /** No more than so many and one are looked for, unless they are to be exact. */
  readonly maxPairs: number;
}

export interface RunFiles {
  readonly inputs: readonly InputFile[];
  /** Of the reference set. Its ids are apart from those of the inputs. */
  readonly reference: readonly InputFile[];
  /** Links in folders that lead nowhere: rejects of the run. */
  readonly brokenLinks?: readonly Reject[];
}

/** What reading the inputs and the reference set met on the way. */
export interface FilesRead {
  /** Documents of the inputs. */
  readonly documents: number;
  /** In the order of the lines, those of the reference set first. */
  readonly rejects: Iterable<Reject> & { readonly length: number };
  /** Files that were read up to their damage, those of the reference set first. */
  readonly damages: readonly FileDamage[];
  /** Documents of the inputs whose id came before: they are named by their location. */
  readonly repeatedIds: number;
  /** Bytes of the inputs once they are decompressed; of Parquet, those of its texts. */
  readonly contentBytes: number;
  /** Fields that the options name and no document has. */
  readonly unknownFields: ReadonlySet<string>;
}

export interface RunRequest {
  readonly files: RunFiles;
  readonly reading: ReadOptions;
  readonly options: RunOptions;
  /** What people decided on pairs of documents: the lines of a log, in their order. */
  readonly decisions?: readonly Decision[] | undefined;
  /** Threads; as many as there are cores, if not said. */
  readonly jobs?: number | undefined;
  /** Bytes of input from which threads are worth their start. */
  readonly threadsFrom?: number | undefined;
  /** Bytes that the run may take. */
  readonly memory: number;
  /** Where stage files go; the system's folder for temporary files, if not said. */
  readonly tmp?: string | undefined;
  /** Which Spark runs it; on this machine, if not said. */
  readonly spark?: SparkSettings | undefined;
  /** Goes on with what an interrupted run of the same has left. */
  readonly resume?: boolean | undefined;
  /** A component of more documents is shared among workers. */
  readonly giant?: number | undefined;
  /** Ends the run: it fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Comparisons that are so many that `watch` is told. */
  readonly manyComparisons?: number | undefined;
  readonly watch?: Watch | undefined;
}

/** What a run over files will take. */
export interface Estimate {
  readonly bytes: number;
  readonly documents: number;
  readonly seconds: number;
  /** In the folder of temporary files. */
  readonly disk: number;
  readonly memory: number;
}

/** `done` of `of` parts of a stage are done with. */
export type Stage = (name: string, done: number, of: number) => void;

/** Told how far a run is; small runs are over before there is anything to tell. */
export interface Watch {
  estimate(estimate: Estimate): void;
  readonly stage: Stage;
  /** Comparisons are very many, and more may follow; said once. */
  many(group: LargestGroup): void;
}

/** How documents are written: copies of files, or records of one format. */
export type DocumentsForm =
  | { readonly kind: 'copies' }
  | { readonly kind: 'records' | 'rows'; readonly format: Format };

export interface DecidedFiles extends Decisions {
  readonly read: FilesRead;
  readonly options: RunOptions;
  /** Copies the lines that stay, byte for byte; only where the inputs are plain JSON lines. */
  readonly copyKept?: (path: string) => Promise<void>;
  /** Writes the documents that stay (with `mark`, all of them), where the engine has them and not the caller. */
  readonly writeDocuments?: (path: string, form: DocumentsForm, mark: boolean) => Promise<void>;
  /** Removes what the run keeps; if it is not done, what a run that resumes can use stays. */
  release(isDone: boolean): void | Promise<void>;
}

export interface PairsOfFiles {
  readonly pairs: Iterable<Pair>;
  /** Made so far; all of them when the pairs have been gone through. */
  comparisons(): number;
  /** Given when the run was given decisions. */
  readonly decisions?: DecisionCounts | undefined;
  readonly read: FilesRead;
  readonly options: RunOptions;
  /** The same, when the pairs have been gone through. */
  release(isDone: boolean): void | Promise<void>;
}
