/** Input files → their documents; those of text files with the bytes of the file, so that other tools find the same checksum. */

import type { InputOptions } from '../../batch/options.ts';
import type { InputFile } from '../../formats/find/inputs.ts';
import { documentItem, type Item } from '../../formats/item.ts';
import { isReadAsHtml, readWhole } from '../../formats/one-document.ts';
import { readBatches, readerOf } from '../../formats/read.ts';
import type { Reading } from '../../formats/reading.ts';
import { formats } from '../../formats/registry.ts';
import { decodeText } from '../../text/charset.ts';

type ItemWithBytes = Item & { readonly bytes?: Uint8Array };

export async function* readWithBytes(
  files: readonly InputFile[],
  options: InputOptions,
): AsyncGenerator<ItemWithBytes> {
  const chooseReader = (file: InputFile) => (isReadAsItIs(file, options) ? readAsItIs : readerOf(file));
  for await (const batch of readBatches(files, options, chooseReader)) yield* batch;
}

/** Of a page that becomes text, the text counts and not the markup. */
function isReadAsItIs(file: InputFile, { html }: InputOptions): boolean {
  return formats[file.format].isOneDocument === true && !isReadAsHtml(file, html);
}

async function* readAsItIs(file: InputFile, { maxDocument }: Reading): AsyncGenerator<ItemWithBytes[]> {
  const bytes = await readWhole(file, maxDocument);
  yield [bytes instanceof Uint8Array ? { ...documentItem(file, decodeText(bytes)), bytes } : bytes];
}
