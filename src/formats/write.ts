/** A name and a format → a writer of documents. The file appears whole when the writer is closed, or not at all. */
import { fail } from '../errors.ts';
import { type Format, readName } from './name.ts';
import { openSink, STANDARD_OUTPUT } from './sink.ts';
import { writeCsv } from './write-csv.ts';
import { writeJsonArray, writeJsonLines } from './write-json.ts';
import { writeWarc } from './write-warc.ts';
import type { DocumentWriter } from './writer.ts';

/** Compressed if the name ends in .gz or .zst; `-` is standard output. `outputFormat` tells the format from the name. */
export async function openWriter(path: string, format: Format): Promise<DocumentWriter> {
  const { compression } = readName(path);
  switch (format) {
    case 'parquet':
      if (path === STANDARD_OUTPUT || compression !== 'none') {
        fail('CANNOT_WRITE', { file: path, reason: 'Parquet is written to a file, and compresses by itself' });
      }
      return (await import('./parquet/write.ts')).writeParquet(path);
    case 'warc':
      return writeWarc(path, await openSink(path, compression === 'gzip' ? 'none' : compression), compression);
    case 'csv':
    case 'tsv':
      return writeCsv(path, format, await openSink(path, compression));
    case 'json':
      return writeJsonArray(await openSink(path, compression));
    default:
      return writeJsonLines(await openSink(path, compression));
  }
}
