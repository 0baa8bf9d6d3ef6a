/** Input files → their documents and rejects, in order, read as fast as they are taken and no faster. */
import { fail } from '../errors.ts';
import { readCsv } from './csv.ts';
import type { InputFile } from './inputs.ts';
import { type Item, isReject, type ReadOptions } from './item.ts';
import { readJsonArray, readJsonLines } from './json.ts';
import type { Format } from './name.ts';
import { openReading, type Reading } from './reading.ts';

type Reader = (file: InputFile, reading: Reading) => AsyncGenerator<Item[]>;

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

export async function* readDocuments(files: Iterable<InputFile>, options: ReadOptions): AsyncGenerator<Item> {
  for await (const batch of readBatches(files, options)) yield* batch;
}

/** The same in batches, for callers that count microseconds. */
export async function* readBatches(files: Iterable<InputFile>, options: ReadOptions): AsyncGenerator<Item[]> {
  const reading = await openReading(options);
  for (const file of files) {
    const read = await readers[file.format]();
    for await (const batch of read(file, reading)) {
      if (options.strict) failOnReject(batch);
      yield batch;
    }
  }
}

function failOnReject(batch: readonly Item[]): void {
  for (const item of batch) if (isReject(item)) fail('BAD_LINE', item.reject);
}
