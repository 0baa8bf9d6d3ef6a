/** Input files → their documents and rejects, in order, read as fast as they are taken and no faster. Damage, and a file without one readable document, end it. */
import { fail } from '../errors.ts';
import type { InputFile } from './find/inputs.ts';
import { type FileDamage, type Item, isDamage, isReject, type ReadOptions } from './item.ts';
import { loaders, type Reader } from './loaders.ts';
import { failOnNoDocument, RejectTally } from './no-document.ts';
import { otherKind } from './other-kind.ts';
import { openReading } from './reading.ts';
import { formats } from './registry.ts';

/** How a file is read, unless the caller knows better. */
export function readerOf({ format }: InputFile): Promise<Reader> {
  return loaders[format].read();
}

export async function* readDocuments(files: Iterable<InputFile>, options: ReadOptions): AsyncGenerator<Item> {
  for await (const batch of readBatches(files, options)) yield* batch;
}

/** The same in batches, for callers that count microseconds. */
export async function* readBatches(
  files: Iterable<InputFile>,
  options: ReadOptions,
  chooseReader: (file: InputFile) => Reader | Promise<Reader> = readerOf,
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
      yield batch;
    }
    // A file that is one document is one reject among others.
    if (documents === 0 && rejects.count > 0 && options.damaged !== 'skip' && !formats[file.format].isOneDocument)
      await failOnNoDocument(file, rejects, options);
  }
}

/** What is known of damage once its file is left, or the end of the run. */
async function settle(
  damage: FileDamage,
  readable: number,
  file: InputFile,
  { damaged }: ReadOptions,
): Promise<FileDamage> {
  const other = readable === 0 ? await otherKind(file) : undefined;
  const settled = { ...damage, readable, ...(other !== undefined && { reason: other }) };
  return damaged === 'skip' ? settled : fail('DAMAGED', settled);
}
