/** Inputs of a command → their documents, each reject noted on standard error; with no document at all, an error that says why. */

import { watched } from '../../batch/inputs.ts';
import { Losses, type Messages } from '../../batch/losses.ts';
import type { InputOptions } from '../../batch/options.ts';
import { type NamedOutputs, requireOwnFiles } from '../../batch/outputs.ts';
import { requireUnchanged } from '../../files/unchanged.ts';
import { expandInputs, type InputFile } from '../../formats/find/inputs.ts';
import { RepeatedIds } from '../../formats/ids.ts';
import { type DocumentItem, type Item, isDamage, isReject, type Source } from '../../formats/item.ts';
import { readDocuments } from '../../formats/read.ts';
import { openOnce } from './open-once.ts';

/** With --set-field a set and no text, even where the record has both. */
export interface InputDocument {
  readonly id: string;
  readonly text?: string;
  readonly set?: readonly (string | number)[];
  /** Of a text file, the bytes it is made of, if the reader gives them. */
  readonly bytes?: Uint8Array;
  readonly source: Source;
}

type Reader = (files: readonly InputFile[], options: InputOptions) => AsyncIterable<Item & { bytes?: Uint8Array }>;

interface HowToRead {
  readonly read?: Reader;
  /** Files the command writes: none may be an input. */
  readonly outputs?: NamedOutputs;
  /** Results are printed while documents are read: what would end the run in the middle is to end it before. */
  readonly isPrinting?: boolean;
}

/** Opens nothing before the first document is asked for, and fails at the end if there was none. */
export async function* readInputs(
  inputs: readonly string[],
  options: InputOptions,
  io: Messages,
  { read = readDocuments, outputs = {}, isPrinting = false }: HowToRead = {},
): AsyncGenerator<InputDocument> {
  const losses = new Losses(io);
  const found = await expandInputs(inputs, options.format, losses.ofFolders(options.strict));
  await requireOwnFiles(outputs, found);
  const files = isPrinting ? await openOnce(found, options, 'copy') : await Promise.all(found.map(watched));
  const ids = new RepeatedIds();
  let count = 0;
  for await (const item of read(files, options)) {
    if (isReject(item)) losses.add(item.reject);
    else if (isDamage(item)) losses.addDamage(item.damage);
    else {
      losses.show();
      count++;
      yield inputDocument(ids.rename(item), options);
    }
  }
  await requireUnchanged(files);
  if (count === 0) losses.failOnNothing(files);
  losses.end();
}

function inputDocument(item: DocumentItem & { bytes?: Uint8Array }, { setField }: InputOptions): InputDocument {
  const { document, source, bytes } = item;
  const { id, text, set } = document;
  if (setField !== undefined) return { id, source, ...(set && { set }) };
  return { id, source, ...(text !== undefined && { text }), ...(bytes && { bytes }) };
}
