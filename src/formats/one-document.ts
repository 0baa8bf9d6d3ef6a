/** A .txt, .md or .html file → the one document it is, with its path as id. */
import { decodeHtml, decodeText } from '../text/charset.ts';
import { readBytes } from './bytes.ts';
import { BrokenInput } from './compression/codec.ts';
import type { InputFile } from './find/inputs.ts';
import {
  type DamageItem,
  type DocumentItem,
  damageItem,
  documentItem,
  type Item,
  type RejectItem,
  rejectItem,
  tooLarge,
} from './item.ts';
import type { Reading } from './reading.ts';
import { formats } from './registry.ts';

export async function* readOneDocument(file: InputFile, reading: Reading): AsyncGenerator<Item[]> {
  yield [await oneDocument(file, readBytes(file), reading)];
}

/** The same of bytes that were read elsewhere, and are decompressed. */
export async function oneDocument(
  file: Pick<InputFile, 'path' | 'format'>,
  content: AsyncIterable<Uint8Array>,
  reading: TextReading & Pick<Reading, 'maxDocument'>,
): Promise<DocumentItem | RejectItem | DamageItem> {
  const bytes = await joined(file, content, reading.maxDocument);
  return bytes instanceof Uint8Array ? documentItem(file, await textOf(bytes, file, reading)) : bytes;
}

/** The bytes of a file that is one document, or why it is none. */
export function readWhole(file: InputFile, maxDocument: number): Promise<Uint8Array | RejectItem | DamageItem> {
  return joined(file, readBytes(file), maxDocument);
}

async function joined(
  file: Pick<InputFile, 'path'>,
  content: AsyncIterable<Uint8Array>,
  maxDocument: number,
): Promise<Uint8Array | RejectItem | DamageItem> {
  const source = { file: file.path, line: 1 };
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > maxDocument) return rejectItem(source, tooLarge(maxDocument));
      parts.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof BrokenInput)) throw error;
    // The start of a document is not that document, and is not compared as if it were.
    return damageItem(source, error.message);
  }
  return Buffer.concat(parts, size);
}

type TextReading = Pick<Reading, 'html' | 'paragraphs'>;

async function textOf(
  bytes: Uint8Array,
  file: Pick<InputFile, 'format'>,
  { html, paragraphs }: TextReading,
): Promise<string> {
  const { isHtml } = formats[file.format];
  if (!isReadAsHtml(file, html)) return isHtml ? decodeHtml(bytes) : decodeText(bytes);
  const { htmlToText } = await import('../text/html.ts');
  return htmlToText(decodeHtml(bytes), { paragraphs });
}

export function isReadAsHtml({ format }: Pick<InputFile, 'format'>, html: Reading['html']): boolean {
  return html === 'always' || (html === 'auto' && formats[format].isHtml === true);
}
