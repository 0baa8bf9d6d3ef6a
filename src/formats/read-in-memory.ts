/** A file whose bytes are in memory → its documents and rejects, as `readDocuments` reads it from disk. Needs no Node module. */
import { fail } from '../errors.ts';
import { decodeHtml, decodeText } from '../text/charset.ts';
import { htmlToText } from '../text/html.ts';
import type { FieldRules } from './fields.ts';
import { DEFAULT_MAX_DOCUMENT, documentItem, type Item, rejectItem, tooLarge } from './item.ts';
import { readName } from './name.ts';
import { isMark, RecordItems } from './records.ts';
import { type Format, formats } from './registry.ts';

export interface InMemoryOptions {
  readonly textField?: string;
  readonly idField?: string;
  /** Bytes of the largest document; a larger one is a reject. */
  readonly maxDocument?: number;
}

/** Bytes handed to a splitter at a time, so that who takes the items can stop in between. */
const CHUNK = 1 << 20;

/**
 * The format a name tells, if it is one that can be read here: not Parquet, not WARC.
 *
 * @example
 * ```ts
 * inMemoryFormat('corpus.jsonl'); // → 'jsonl'
 * inMemoryFormat('crawl.warc.gz'); // → undefined
 * ```
 */
export function inMemoryFormat(path: string): Format | undefined {
  const { format, compression } = readName(path);
  if (format === undefined || compression !== 'none') return undefined;
  return formats[format].records || formats[format].isOneDocument ? format : undefined;
}

/**
 * The bytes of an item are a view of those that were given, or a copy.
 *
 * @example
 * ```ts
 * const bytes = new TextEncoder().encode('{"id":"a","text":"one"}\n');
 * const [item] = [...readInMemory('corpus.jsonl', bytes)].flat();
 * item && 'document' in item && item.document; // → { id: 'a', text: 'one' }
 * ```
 */
export function* readInMemory(path: string, bytes: Uint8Array, options: InMemoryOptions = {}): Generator<Item[]> {
  const { textField = 'text', idField = 'id', maxDocument = DEFAULT_MAX_DOCUMENT } = options;
  const format = inMemoryFormat(path) ?? fail('BAD_INPUT', { file: path, reason: 'a format that cannot be read here' });
  const rules: FieldRules = { textField, idField, html: 'auto' };
  if (formats[format].isOneDocument) yield [oneDocument(path, format, bytes, maxDocument)];
  else yield* records(path, format, bytes, rules, maxDocument);
}

function oneDocument(path: string, format: Format, bytes: Uint8Array, maxDocument: number): Item {
  if (bytes.length > maxDocument) return rejectItem({ file: path, line: 1 }, tooLarge(maxDocument));
  const text = formats[format].isHtml ? htmlToText(decodeHtml(bytes)) : decodeText(bytes);
  return { ...documentItem({ path, format }, text), raw: bytes };
}

function* records(path: string, format: Format, bytes: Uint8Array, rules: FieldRules, most: number): Generator<Item[]> {
  const file = { path, format };
  const items = new RecordItems(file, formats[format].records!(file, rules, most), most);
  for (let at = isMark(bytes) ? 3 : 0; at <= bytes.length && !items.isOver; at += CHUNK) {
    const some = items.push(bytes.subarray(at, at + CHUNK));
    if (at + CHUNK >= bytes.length && !items.isOver) some.push(...items.end());
    if (some.length > 0) yield some;
  }
}
