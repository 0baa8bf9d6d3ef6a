/** A format → its reader and writer on Node, loaded when they are first needed: some bring a heavy package with them. */
import type { InputFile } from './find/inputs.ts';
import type { Item } from './item.ts';
import type { Reading } from './reading.ts';
import type { Compression, Format } from './registry.ts';
import type { Sink } from './sink.ts';
import type { DocumentWriter } from './writer.ts';

export type Reader = (file: InputFile, reading: Reading) => AsyncGenerator<Item[]>;

export interface WriterSettings {
  /** Columns of Parquet that stay strings, whatever the cells of a CSV file look like. */
  readonly strings?: readonly string[];
  /** No cell of CSV that a spreadsheet takes for a formula. */
  readonly csvSafe?: boolean | undefined;
}

/** Where a writer of a stream writes to; `path` is what errors name. */
export interface Target extends WriterSettings {
  readonly path: string;
  readonly format: Format;
  readonly sink: Sink;
  readonly compression: Compression;
}

interface Loaders {
  readonly read: () => Promise<Reader>;
  /** Records to a stream, or to a file that cannot be one. A format without either comes out as JSON lines. */
  readonly writeStream?: () => Promise<(target: Target) => DocumentWriter>;
  readonly writeFile?: () => Promise<(path: string, settings: WriterSettings) => Promise<DocumentWriter>>;
}

const readRecords = async () => (await import('./read-records.ts')).readRecords;
const writeCsv = async () => (await import('./csv/write.ts')).writeCsv;
const readOneDocument = async () => (await import('./one-document.ts')).readOneDocument;

export const loaders: { readonly [Name in Format]: Loaders } = {
  jsonl: { read: readRecords, writeStream: async () => (await import('./json/write.ts')).writeJsonLines },
  json: { read: readRecords, writeStream: async () => (await import('./json/write.ts')).writeJsonArray },
  csv: { read: readRecords, writeStream: writeCsv },
  tsv: { read: readRecords, writeStream: writeCsv },
  parquet: {
    read: async () => (await import('./parquet/read.ts')).readParquet,
    writeFile: async () => (await import('./parquet/write.ts')).writeParquet,
  },
  warc: {
    read: async () => (await import('./warc/read.ts')).readWarc,
    writeStream: async () => (await import('./warc/write.ts')).writeWarc,
  },
  text: { read: readOneDocument },
  html: { read: readOneDocument },
};
