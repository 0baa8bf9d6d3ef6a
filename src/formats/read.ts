/** Input files → their documents and rejects, in order, read as fast as they are taken and no faster. Damage, and a file without one readable document, end it. */
import { fail } from '../errors.ts';
import { readCsv } from './csv.ts';
import type { InputFile } from './inputs.ts';
import { type Damage, type Item, isDamage, isDocument, isReject, type ReadOptions } from './item.ts';
import { readJsonArray, readJsonLines } from './json.ts';
import { type Format, isOneDocument } from './name.ts';
import { failOnNoDocument, RejectTally } from './no-document.ts';
import { otherKind } from './other-kind.ts';
import { openReading, type Reading } from './reading.ts';

export type Reader = (file: InputFile, reading: Reading) => AsyncGenerator<Item[]>;

/** Those that bring a heavy package with them are loaded when first needed. */
const readers: { readonly [Name in Format]: () => Reader | Promise<Reader> } = {
  jsonl: () => readJsonLines,
  json: () => readJsonArray,
  csv: () => readCsv,
  tsv: () => readCsv,
  parquet: async () => (await import('./parquet/read.ts')).readParquet,
  warc: async () => (await import('./warc/read.ts')).readWarc,
  text: async () => (await import('./one-document.ts')).readOneDocument,
  html: async () => (await import('./one-document.ts')).readOneDocument,
};

/** How a file is read, unless the caller knows better. */
export function readerOf({ format }: InputFile): Reader | Promise<Reader> {
  return readers[format]();
}

export async function* readDocuments(files: Iterable<InputFile>, options: ReadOptions): AsyncGenerator<Item> {
  for await (const batch of readBatches(files, options)) yield* batch;
}

/** The same in batches, for callers that count microseconds. */
export async function* readBatches(
  files: Iterable<InputFile>,
  options: ReadOptions,
  chooseReader = readerOf,
): AsyncGenerator<Item[]> {
  const reading = await openReading(options);
  for (const file of files) {
    const read = await chooseReader(file);
    const rejects = new RejectTally();
    let documents = 0;
    for await (const batch of read(file, reading)) {
      for (const [at, item] of batch.entries()) {
        if (isReject(item)) {
          if (options.strict) fail('BAD_LINE', item.reject);
          rejects.add(item.reject);
        } else if (isDamage(item)) batch[at] = { damage: await settle(item.damage, documents, file, options) };
        else documents++;
      }
      if (file.format === 'parquet') file.onContent?.(textBytes(batch));
      yield batch;
    }
    // A file that is one document is one reject among others.
    if (documents === 0 && rejects.count > 0 && options.damaged !== 'skip' && !isOneDocument(file.format))
      await failOnNoDocument(file, rejects, options);
  }
}

function textBytes(batch: readonly Item[]): number {
  const lengths = batch.map(item => {
    if (!isDocument(item)) return 0;
    const { text, set = [] } = item.document;
    return Buffer.byteLength(text ?? [...set].join(''));
  });
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** What is known of damage once its file is left, or the end of the run. */
async function settle(damage: Damage, readable: number, file: InputFile, { damaged }: ReadOptions): Promise<Damage> {
  const other = readable === 0 ? await otherKind(file) : undefined;
  const settled = { ...damage, readable, ...(other !== undefined && { reason: other }) };
  return damaged === 'skip' ? settled : fail('DAMAGED', settled);
}
