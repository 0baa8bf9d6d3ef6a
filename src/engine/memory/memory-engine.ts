/** A run over files with all documents in memory. This is the plain engine, and the others must give the same results. */
import type { InputFile } from '../../formats/find/inputs.ts';
import { RepeatedIds } from '../../formats/ids.ts';
import { type FileDamage, isDamage, isDocument, isReject, type ReadOptions } from '../../formats/item.ts';
import { readBatches } from '../../formats/read.ts';
import type { Document } from '../../model.ts';
import { withoutText } from '../analyse/content.ts';
import { createBuckets } from '../decide/buckets.ts';
import { Comparisons, type LargestGroup, largestGroup, MANY_COMPARISONS } from '../decide/comparisons.ts';
import { decisionsAtPace, pairsOf, type Run } from '../decide/decisions.ts';
import type { Engine, FilesRead, RunFiles, RunRequest } from '../engine.ts';
import { Pace } from '../pace.ts';
import { fieldsOf, UnknownFields } from '../unknown-fields.ts';
import { openRun } from './corpus.ts';
import { RejectList } from './reject-list.ts';

/** The inputs turned out larger than expected, so another engine has to take them. */
export class OutgrewMemory extends Error {}

/** The memory that even the shortest line takes, as an object. */
const ITEM_BYTES = 64;

/** `most`: the bytes of documents after which it gives up. */
export function memoryEngine(most: number): Engine {
  return {
    async decide(request) {
      const { files, options, watch, manyComparisons: many = MANY_COMPARISONS } = request;
      const pace = new Pace({ signal: request.signal });
      const { inputs, reference } = openFiles(request, files, most);
      const run = await openRun(inputs, reference, options, false, pace, request.decisions);
      const decisions = await decisionsAtPace(run, pace, { many, onMany: watch?.many });
      return { ...decisions, options, read: inputs, release: () => {} };
    },
    async pairs(request, { exact }) {
      const { files, options, watch, manyComparisons: many = MANY_COMPARISONS } = request;
      const { inputs } = openFiles(request, { ...files, reference: [] }, most);
      const pace = new Pace({ signal: request.signal });
      const run = await openRun(inputs, [], options, exact, pace, request.decisions);
      const comparisons = new Comparisons(many, () => watch?.many(groupIn(run)));
      return {
        pairs: pairsOf(run, exact, comparisons),
        comparisons: () => comparisons.made,
        decisions: run.corpus.decisions,
        options,
        read: inputs,
        release: () => {},
      };
    },
  };
}

function groupIn({ corpus, options }: Run): LargestGroup {
  return largestGroup(createBuckets(corpus), item => corpus.documents[item]!.text, options.shingle);
}

function openFiles({ reading, options }: RunRequest, { inputs, reference, brokenLinks }: RunFiles, most: number) {
  const met: Met = { rejects: new RejectList(brokenLinks ?? []), damages: [], room: most };
  return {
    reference: new FileDocuments(reference, reading, met),
    inputs: new FileDocuments(inputs, reading, met, fieldsOf(options)),
  };
}

/** What was found between the documents. */
interface Met {
  readonly rejects: RejectList;
  readonly damages: FileDamage[];
  /** Bytes that may still be read. */
  room: number;
}

/** The documents of files, with distinct ids. Rejects are collected. It can be iterated once. */
class FileDocuments implements FilesRead, AsyncIterable<Document> {
  documents = 0;
  contentBytes = 0;
  readonly rejects: RejectList;
  readonly damages: FileDamage[];
  readonly #met: Met;
  readonly #files: readonly InputFile[];
  readonly #reading: ReadOptions;
  readonly #ids = new RepeatedIds();
  readonly #fields: UnknownFields;

  constructor(files: readonly InputFile[], reading: ReadOptions, met: Met, fields: Iterable<string> = []) {
    const onContent = (bytes: number) => {
      this.contentBytes += bytes;
      this.#take(bytes);
    };
    this.#met = met;
    this.#files = files.map(file => ({ ...file, onContent }));
    this.#reading = reading;
    this.rejects = met.rejects;
    this.damages = met.damages;
    this.#fields = new UnknownFields(fields);
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
