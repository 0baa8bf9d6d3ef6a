/** A document as it was read, and fields to add → its fields as JSON text, in which no digit has changed. */

import type { Fields } from '../item.ts';
import { formats } from '../registry.ts';
import type { Writable } from '../writer.ts';
import { encodeJson } from './encode-json.ts';
import { fieldTexts, objectText } from './raw-json.ts';

const UTF_8 = new TextDecoder();

/** The JSON text it came as, if it did. */
export function rawJson({ raw, format }: Writable): Uint8Array | undefined {
  return format !== undefined && formats[format].isJson ? raw : undefined;
}

export function jsonFields(item: Writable, added: Fields = {}): Map<string, string> {
  const raw = rawJson(item);
  const fields = raw ? fieldTexts(UTF_8.decode(raw)) : encodedFields(item.record);
  for (const [name, text] of encodedFields(added)) fields.set(name, text);
  return fields;
}

/** JSON text of all its fields; none where all are strings, which JavaScript keeps as they are. */
export function jsonText(item: Writable): string | undefined {
  if (Object.values(item.record).every(value => typeof value === 'string')) return undefined;
  const raw = rawJson(item);
  return raw ? UTF_8.decode(raw) : objectText(jsonFields(item));
}

export function encodedFields(record: Fields): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(record)) if (value !== undefined) fields.set(name, encodeJson(value));
  return fields;
}
