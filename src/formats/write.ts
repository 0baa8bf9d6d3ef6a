/** A name and a format → a writer of documents. The file appears whole when the writer is closed, or not at all. */
import { fail } from '../errors.ts';
import { loaders, type Target, type WriterSettings } from './loaders.ts';
import { readName } from './name.ts';
import { type Format, formats } from './registry.ts';
import { openSink, STANDARD_OUTPUT } from './sink.ts';
import type { DocumentWriter } from './writer.ts';

/** Compressed if the name ends in .gz or .zst; `-` is standard output. `outputFormat` tells the format from the name. */
export async function openWriter(path: string, format: Format, settings: WriterSettings = {}): Promise<DocumentWriter> {
  const { compression } = readName(path);
  const { label, compressesRecords } = formats[format];
  const { writeFile } = loaders[format];
  if (writeFile) {
    if (path === STANDARD_OUTPUT || compression !== 'none')
      fail('CANNOT_WRITE', { file: path, reason: `${label} is written to a file, and compresses by itself` });
    return (await writeFile())(path, settings);
  }
  const isOfMembers = compressesRecords && compression === 'gzip';
  const sink = await openSink(path, isOfMembers ? 'none' : compression);
  return writerInto({ ...settings, path, format, sink, compression });
}

/** A format that has no stream of its own comes out as JSON lines. */
export async function writerInto(target: Target): Promise<DocumentWriter> {
  const { writeStream = loaders.jsonl.writeStream! } = loaders[target.format];
  return (await writeStream())(target);
}
