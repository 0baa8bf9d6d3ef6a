/** Input files → their documents; those of text files with the bytes of the file, so that other tools find the same checksum. */
import { fail } from '../errors.ts';
import { readBytes } from '../formats/bytes.ts';
import { BrokenInput } from '../formats/decompress.ts';
import type { InputFile } from '../formats/inputs.ts';
import { type Item, isReject, rejectItem, tooLarge } from '../formats/item.ts';
import { isOneDocument } from '../formats/name.ts';
import { readDocuments } from '../formats/read.ts';
import { decodeText } from '../text/charset.ts';
import type { InputOptions } from './read-inputs.ts';

type ItemWithBytes = Item & { readonly bytes?: Uint8Array };

export async function* readWithBytes(
  files: readonly InputFile[],
  options: InputOptions,
): AsyncGenerator<ItemWithBytes> {
  for (const file of files) {
    if (isReadAsItIs(file, options)) yield await readWhole(file, options);
    else yield* readDocuments([file], options);
  }
}

/** Of a page that becomes text, the text counts and not the markup. */
function isReadAsItIs({ format }: InputFile, { html }: InputOptions): boolean {
  return isOneDocument(format) && (html === 'never' || (html === 'auto' && format !== 'html'));
}

async function readWhole(file: InputFile, { maxDocument, strict }: InputOptions): Promise<ItemWithBytes> {
  const item = await readItem(file, maxDocument);
  return strict && isReject(item) ? fail('BAD_LINE', item.reject) : item;
}

async function readItem(file: InputFile, maxDocument: number): Promise<ItemWithBytes> {
  const source = { file: file.path, line: 1 };
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of readBytes(file)) {
      size += chunk.length;
      if (size > maxDocument) return rejectItem(source, tooLarge(maxDocument));
      parts.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof BrokenInput)) throw error;
    return rejectItem(source, error.message);
  }
  const bytes = Buffer.concat(parts, size);
  const document = { id: file.path, text: decodeText(bytes) };
  return { document, source, format: file.format, record: document, bytes };
}
