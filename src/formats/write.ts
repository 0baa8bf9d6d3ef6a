/** A name and a format → a writer of documents. The file appears whole when the writer is closed, or not at all. */
import { fail } from '../errors.ts';
import { type Compression, type Format, readName } from './name.ts';
import { openSink, type Sink, STANDARD_OUTPUT } from './sink.ts';
import { writeCsv } from './write-csv.ts';
import { writeJsonArray, writeJsonLines } from './write-json.ts';
import { writeWarc } from './write-warc.ts';
import type { DocumentWriter } from './writer.ts';

/** Compressed if the name ends in .gz or .zst; `-` is standard output. `outputFormat` tells the format from the name. */
export async function openWriter(path: string, format: Format): Promise<DocumentWriter> {
  const { compression } = readName(path);
  if (format === 'parquet') {
    if (path === STANDARD_OUTPUT || compression !== 'none') {
      fail('CANNOT_WRITE', { file: path, reason: 'Parquet is written to a file, and compresses by itself' });
    }
    return (await import('./parquet/write.ts')).writeParquet(path);
  }
  // Of a compressed WARC file each record is compressed by itself.
  const isOfMembers = format === 'warc' && compression === 'gzip';
  return writerInto(await openSink(path, isOfMembers ? 'none' : compression), { path, format, compression });
}

interface Form {
  /** What errors name. */
  readonly path: string;
  readonly format: Exclude<Format, 'parquet'>;
  readonly compression: Compression;
}

export function writerInto(sink: Sink, { path, format, compression }: Form): DocumentWriter {
  switch (format) {
    case 'warc':
      return writeWarc(path, sink, compression);
    case 'csv':
    case 'tsv':
      return writeCsv(path, format, sink);
    case 'json':
      return writeJsonArray(sink);
    default:
      return writeJsonLines(sink);
  }
}
