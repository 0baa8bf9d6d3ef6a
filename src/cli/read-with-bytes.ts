/** Input files → their documents; those of text files with the bytes of the file, so that other tools find the same checksum. */
import { fail } from '../errors.ts';
import type { InputFile } from '../formats/inputs.ts';
import type { Item } from '../formats/item.ts';
import { isOneDocument } from '../formats/name.ts';
import { documentItem, readWhole } from '../formats/one-document.ts';
import { readDocuments } from '../formats/read.ts';
import { decodeText } from '../text/charset.ts';
import type { InputOptions } from './read-inputs.ts';

type ItemWithBytes = Item & { readonly bytes?: Uint8Array };

export async function* readWithBytes(
  files: readonly InputFile[],
  options: InputOptions,
): AsyncGenerator<ItemWithBytes> {
  for (const file of files) {
    if (isReadAsItIs(file, options)) yield await readAsItIs(file, options);
    else yield* readDocuments([file], options);
  }
}

/** Of a page that becomes text, the text counts and not the markup. */
function isReadAsItIs({ format }: InputFile, { html }: InputOptions): boolean {
  return isOneDocument(format) && (html === 'never' || (html === 'auto' && format !== 'html'));
}

async function readAsItIs(file: InputFile, { maxDocument, strict }: InputOptions): Promise<ItemWithBytes> {
  const bytes = await readWhole(file, maxDocument);
  if (bytes instanceof Uint8Array) return { ...documentItem(file, decodeText(bytes)), bytes };
  return strict ? fail('BAD_LINE', bytes.reject) : bytes;
}
