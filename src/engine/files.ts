/** Input files → the decisions of a run over them, or its pairs: on threads where it can be, else with all documents in memory. */
import { statSync } from 'node:fs';
import { RepeatedIds } from '../formats/ids.ts';
import { type InputFile, isCompressed } from '../formats/inputs.ts';
import { type Damage, isDamage, isDocument, isReject, type ReadOptions, type Reject } from '../formats/item.ts';
import { readBatches } from '../formats/read.ts';
import { failReading } from '../formats/system-errors.ts';
import { whileUnchanged } from '../formats/unchanged.ts';
import type { Document, Pair } from '../model.ts';
import type { NameOf } from '../options.ts';
import { createBuckets } from './buckets.ts';
import { Comparisons, type LargestGroup, largestGroup, MANY_COMPARISONS } from './comparisons.ts';
import { withoutText } from './content.ts';
import { type Decisions, decisionsOf, pairsOf, type Run } from './decisions.ts';
import { openRun } from './dedup.ts';
import type { Estimate } from './local/estimate.ts';
import type { Stage } from './local/link-documents.ts';
import { RejectList } from './reject-list.ts';
import { type GivenRunOptions, type RunOptions, readRunOptions } from './run-options.ts';
import { fieldsOf, UnknownFields } from './unknown-fields.ts';

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
  readonly damages: readonly Damage[];
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
  /** As they were written. */
  readonly given: GivenRunOptions;
  /** Threads; as many as there are cores, if not said. */
  readonly jobs?: number | undefined;
  readonly nameOf: NameOf;
  /** Bytes of input from which threads are worth their start. */
  readonly threadsFrom?: number | undefined;
  /** Bytes that the run may take. */
  readonly memory: number;
  /** Where stage files go; the system's folder for temporary files, if not said. */
  readonly tmp?: string | undefined;
  /** Goes on with what an interrupted run of the same has left. */
  readonly resume?: boolean | undefined;
  /** Comparisons that are so many that `watch` is told. */
  readonly manyComparisons?: number | undefined;
  readonly watch?: Watch | undefined;
}

/** Told how far a run is; small runs are over before there is anything to tell. */
export interface Watch {
  estimate(estimate: Estimate): void;
  readonly stage: Stage;
  /** Comparisons are very many, and more may follow; said once. */
  many(group: LargestGroup): void;
}

export interface DecidedFiles extends Decisions {
  readonly read: FilesRead;
  readonly options: RunOptions;
  /** Copies the lines that stay, byte for byte; only where the inputs are plain JSON lines. */
  readonly copyKept?: (path: string) => Promise<void>;
  readonly keeping?: Keeping;
}

/** What a run keeps on disk while it is not over. */
export interface Keeping {
  /** To be called when all is written. */
  remove(): void;
}

/** Starting the threads takes 0.2 s. In memory, documents of a few words take 2 s a megabyte, and 200 MB; longer ones a tenth of it. */
const WORTH_THREADS = 2 * 2 ** 20;

/** Text shrinks to a fourth or less. */
const ASSUMED_RATIO = 4;

function isWorthThreads({ files, threadsFrom = WORTH_THREADS }: RunRequest): boolean {
  const sizes = allOf(files).map(file => storedSize(file) * (isCompressed(file) ? ASSUMED_RATIO : 1));
  return sizes.reduce((sum, size) => sum + size, 0) >= threadsFrom;
}

/** What a run in memory may read before it goes to threads after all: 7 MB of gzip may hold 7 GB. */
function mostInMemory({ threadsFrom = WORTH_THREADS }: RunRequest): number {
  return ASSUMED_RATIO * threadsFrom;
}

/** What even the shortest line takes, as an object. */
const ITEM_BYTES = 64;

class OutgrewMemory extends Error {}

/** Undefined if the inputs are more than they looked. */
function unlessOutgrown<Result>(run: () => Promise<Result>): Promise<Result | undefined> {
  return run().catch(error => {
    if (!(error instanceof OutgrewMemory)) throw error;
    return undefined;
  });
}

export function storedBytes(files: RunFiles): number {
  return allOf(files).reduce((sum, file) => sum + storedSize(file), 0);
}

export function storedSize({ path, stored = path }: InputFile): number {
  try {
    return statSync(stored).size;
  } catch (error) {
    return failReading(path, error);
  }
}

/** Those of the reference set first. */
export function allOf({ inputs, reference }: RunFiles): InputFile[] {
  return [...reference, ...inputs];
}

/** Nothing of the documents but their ids is needed afterwards: whoever writes them reads them again. */
export function decideFiles(request: RunRequest): Promise<DecidedFiles> {
  return whileUnchanged(allOf(request.files), () => decide(withExactFields(request)));
}

async function decide(request: RunRequest): Promise<DecidedFiles> {
  const options = readRunOptions(request.given, request.nameOf);
  const inMemory = isWorthThreads(request) ? undefined : await unlessOutgrown(() => decideInMemory(request));
  if (inMemory) return inMemory;
  const { decideOnThreads } = await import('./local/run.ts');
  return decideOnThreads(request, options);
}

async function decideInMemory(request: RunRequest): Promise<DecidedFiles> {
  const { files, reading, given, nameOf } = request;
  const met = metIn(files, mostInMemory(request));
  const reference = new FileDocuments(files.reference, reading, met);
  const inputs = new FileDocuments(files.inputs, reading, met, given);
  const run = await openRun(inputs, reference, given, nameOf);
  const { watch, manyComparisons: many = MANY_COMPARISONS } = request;
  return { ...decisionsOf(run, { many, onMany: watch?.many }), options: run.options, read: inputs };
}

function withExactFields(request: RunRequest): RunRequest {
  return { ...request, reading: { ...request.reading, exactFields: fieldsOf(request.given) } };
}

export interface PairsOfFiles {
  readonly pairs: Iterable<Pair>;
  /** Made so far; all of them when the pairs have been gone through. */
  comparisons(): number;
  readonly read: FilesRead;
  readonly options: RunOptions;
  readonly keeping?: Keeping;
}

/** Without `exact` no more than `maxPairs` + 1 pairs are looked for. */
export function findPairsOfFiles(request: RunRequest, exact: boolean, maxPairs: number): Promise<PairsOfFiles> {
  return whileUnchanged(allOf(request.files), () => findPairs(withExactFields(request), exact, maxPairs));
}

async function findPairs(request: RunRequest, exact: boolean, maxPairs: number): Promise<PairsOfFiles> {
  if (exact) return findPairsInMemory(request, true, Number.POSITIVE_INFINITY);
  const findAll = () => findPairsInMemory(request, false, mostInMemory(request));
  const inMemory = isWorthThreads(request) ? undefined : await unlessOutgrown(findAll);
  if (inMemory) return inMemory;
  const { findPairsOnThreads } = await import('./local/run.ts');
  return findPairsOnThreads(request, readRunOptions(request.given, request.nameOf), maxPairs);
}

async function findPairsInMemory(request: RunRequest, exact: boolean, most: number): Promise<PairsOfFiles> {
  const { files, reading, given, nameOf } = request;
  const met = metIn(files, most);
  const inputs = new FileDocuments(files.inputs, reading, met, given);
  const run = await openRun(inputs, [], given, nameOf, exact);
  const { watch, manyComparisons: many = MANY_COMPARISONS } = request;
  const comparisons = new Comparisons(many, () => watch?.many(groupIn(run)));
  return {
    pairs: pairsOf(run, exact, comparisons),
    comparisons: () => comparisons.made,
    options: run.options,
    read: inputs,
  };
}

function groupIn({ corpus, options }: Run): LargestGroup {
  return largestGroup(createBuckets(corpus), item => corpus.documents[item]!.text, options.shingle);
}

/** What was met on the way and is none of the documents. */
interface Met {
  readonly rejects: RejectList;
  readonly damages: Damage[];
  /** Bytes that may still be read. */
  room: number;
}

function metIn({ brokenLinks = [] }: RunFiles, room: number): Met {
  return { rejects: new RejectList(brokenLinks), damages: [], room };
}

/** The documents of files, with distinct ids; rejects are remembered. To be gone through once. */
class FileDocuments implements FilesRead, AsyncIterable<Document> {
  documents = 0;
  contentBytes = 0;
  readonly rejects: RejectList;
  readonly damages: Damage[];
  readonly #met: Met;
  readonly #files: readonly InputFile[];
  readonly #reading: ReadOptions;
  readonly #ids = new RepeatedIds();
  readonly #fields: UnknownFields;

  constructor(files: readonly InputFile[], reading: ReadOptions, met: Met, given: GivenRunOptions = {}) {
    const onContent = (bytes: number) => {
      this.contentBytes += bytes;
      this.#take(bytes);
    };
    this.#met = met;
    this.#files = files.map(file => ({ ...file, onContent }));
    this.#reading = reading;
    this.rejects = met.rejects;
    this.damages = met.damages;
    this.#fields = new UnknownFields(given);
  }

  get unknownFields(): ReadonlySet<string> {
    return this.#fields.names;
  }

  get repeatedIds(): number {
    return this.#ids.count;
  }

  #take(bytes: number): void {
    this.#met.room -= bytes;
    if (this.#met.room < 0) throw new OutgrewMemory();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Document> {
    for await (const batch of readBatches(this.#files, this.#reading)) {
      this.#take(batch.length * ITEM_BYTES);
      for (const item of batch) {
        if (isReject(item)) this.rejects.add(item.reject);
        else if (isDamage(item)) this.damages.push(item.damage);
        if (!isDocument(item)) continue;
        this.documents++;
        const { document } = this.#ids.rename(item);
        this.#fields.see(document);
        yield this.#reading.setField === undefined ? document : withoutText(document);
      }
    }
  }
}
