/** A name and a format → a writer of documents. The file appears whole when the writer is closed, or not at all. */
import { fail } from '../errors.ts';
import { type Compression, type Format, readName } from './name.ts';
import { openSink, type Sink, STANDARD_OUTPUT } from './sink.ts';
import { writeCsv } from './write-csv.ts';
import { writeJsonArray, writeJsonLines } from './write-json.ts';
import { writeWarc } from './write-warc.ts';
import type { DocumentWriter } from './writer.ts';

export interface WriterSettings {
  /** Columns of Parquet that stay strings, whatever the cells of a CSV file look like. */
  readonly strings?: readonly string[];
  /** No cell of CSV that a spreadsheet takes for a formula. */
  readonly csvSafe?: boolean | undefined;
}

/** Compressed if the name ends in .gz or .zst; `-` is standard output. `outputFormat` tells the format from the name. */
export async function openWriter(
  path: string,
  format: Format,
  { strings = [], csvSafe = false }: WriterSettings = {},
): Promise<DocumentWriter> {
  const { compression } = readName(path);
  if (format === 'parquet') {
    if (path === STANDARD_OUTPUT || compression !== 'none') {
      fail('CANNOT_WRITE', { file: path, reason: 'Parquet is written to a file, and compresses by itself' });
    }
    return (await import('./parquet/write.ts')).writeParquet(path, new Set(strings));
  }
  // Of a compressed WARC file each record is compressed by itself.
  const isOfMembers = format === 'warc' && compression === 'gzip';
  return writerInto(await openSink(path, isOfMembers ? 'none' : compression), { path, format, compression, csvSafe });
}

interface Form {
  /** What errors name. */
  readonly path: string;
  readonly format: Exclude<Format, 'parquet'>;
  readonly compression: Compression;
  readonly csvSafe?: boolean;
}

export function writerInto(sink: Sink, { path, format, compression, csvSafe = false }: Form): DocumentWriter {
  switch (format) {
    case 'warc':
      return writeWarc(path, sink, compression);
    case 'csv':
    case 'tsv':
      return writeCsv(path, format, sink, csvSafe);
    case 'json':
      return writeJsonArray(sink);
    default:
      return writeJsonLines(sink);
  }
}
