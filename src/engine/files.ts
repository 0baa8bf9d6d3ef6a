/** Input files → the decisions of a run over them, or its pairs: on threads where it can be, else with all documents in memory. */
import { fail } from '../errors.ts';
import { SeenIds } from '../formats/ids.ts';
import type { InputFile } from '../formats/inputs.ts';
import { isReject, type ReadOptions, type Reject } from '../formats/item.ts';
import { readBatches } from '../formats/read.ts';
import type { Document, Pair } from '../model.ts';
import { type NameOf, readOptions } from '../options.ts';
import { type Decisions, decisionsOf, pairsOf } from './decisions.ts';
import { openRun } from './dedup.ts';
import { canRunOnLines } from './local/can-run.ts';
import { type GivenRunOptions, type RunOptions, readRunOptions } from './run-options.ts';

export interface RunFiles {
  readonly inputs: readonly InputFile[];
  /** Of the reference set. Its ids are apart from those of the inputs. */
  readonly reference: readonly InputFile[];
}

/** What reading the inputs and the reference set met on the way. */
export interface FilesRead {
  /** Documents of the inputs. */
  readonly documents: number;
  /** In the order they were met; `endsFile`: the rest of the file could not be read. */
  readonly rejects: readonly (Reject & { readonly endsFile?: true })[];
  /** Which of the readable documents of the inputs, counted from 0, are none of the run: their ids came before. */
  readonly repeated: ReadonlySet<number>;
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
}

export interface DecidedFiles extends Decisions {
  readonly read: FilesRead;
  readonly options: RunOptions;
  /** Copies the lines that stay, byte for byte; only where the inputs are plain JSON lines. */
  readonly copyKept?: (path: string) => Promise<void>;
}

/** Nothing of the documents but their ids is needed afterwards: whoever writes them reads them again. */
export async function decideFiles(request: RunRequest): Promise<DecidedFiles> {
  const { files, reading, given, nameOf } = request;
  const options = readRunOptions(given, nameOf);
  if (canRunOnLines(request, options)) {
    const { decideLines } = await import('./local/run.ts');
    return decideLines(request, options);
  }
  const rejects: Reject[] = [];
  const reference = new FileDocuments(files.reference, reading, rejects, []);
  const inputs = new FileDocuments(files.inputs, reading, rejects, fieldsOf(given));
  const run = await openRun(inputs, reference, given, nameOf);
  return { ...decisionsOf(run), options: run.options, read: inputs };
}

export interface PairsOfFiles {
  readonly pairs: Iterable<Pair>;
  readonly read: FilesRead;
  readonly options: RunOptions;
}

export async function findPairsOfFiles(
  { files, reading, given, nameOf }: RunRequest,
  exact: boolean,
): Promise<PairsOfFiles> {
  const inputs = new FileDocuments(files.inputs, reading, [], fieldsOf(given));
  const run = await openRun(inputs, [], given, nameOf, exact);
  return { pairs: pairsOf(run, exact), options: run.options, read: inputs };
}

/** The documents of files, each id once; what is none is remembered. To be gone through once. */
class FileDocuments implements FilesRead, AsyncIterable<Document> {
  documents = 0;
  readonly rejects: (Reject & { endsFile?: true })[];
  readonly repeated = new Set<number>();
  readonly unknownFields: Set<string>;
  readonly #files: readonly InputFile[];
  readonly #reading: ReadOptions;

  constructor(files: readonly InputFile[], reading: ReadOptions, rejects: Reject[], fields: Iterable<string>) {
    this.#files = files;
    this.#reading = reading;
    this.rejects = rejects;
    this.unknownFields = new Set(fields);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Document> {
    const ids = new SeenIds();
    for await (const batch of readBatches(this.#files, this.#reading)) {
      for (const item of batch) {
        if (isReject(item)) {
          this.rejects.push({ ...item.reject, ...(item.endsFile && { endsFile: true }) });
        } else if (ids.add(item.document.id)) {
          this.documents++;
          for (const field of this.unknownFields) if (field in item.document) this.unknownFields.delete(field);
          yield this.#reading.setField === undefined ? item.document : withoutText(item.document);
        } else {
          const reject = { ...item.source, reason: `repeated id ${JSON.stringify(item.document.id)}` };
          if (this.#reading.strict) fail('BAD_LINE', reject);
          this.repeated.add(this.documents + this.repeated.size);
          this.rejects.push(reject);
        }
      }
    }
  }
}

/** The fields that --by and --keep look at. */
function fieldsOf(given: GivenRunOptions): string[] {
  const { by, keep } = readOptions(['by', 'keep'], { by: given.by, keep: given.keep });
  return [...(by === undefined ? [] : [by]), ...('field' in keep ? [keep.field] : [])];
}

/** The set counts, whatever else the document has. */
function withoutText({ text: _, ...rest }: Document): Document {
  return rest as Document;
}
