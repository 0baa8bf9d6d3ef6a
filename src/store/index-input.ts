/** A document as an index is given it: an object, or the bytes of its JSON text → the document, and the text its numbers are kept from. */
import { isUtf8 } from 'node:buffer';
import { withList } from '../engine/analyse/elements.ts';
import { fail } from '../errors.ts';
import { toDocument } from '../formats/fields.ts';
import { isObject } from '../formats/json/read.ts';
import type { Document, IndexedDocument } from '../model.ts';

/** Bytes are the JSON text of a document, in UTF-8: 1.0 and 1790000000000000001 are stored as they are written there. */
export type IndexInput = IndexedDocument | Uint8Array | JsonWithId;

/** JSON text that may leave out its id, and must not have another one. */
export interface JsonWithId {
  readonly jsonBytes: Uint8Array;
  readonly id: string;
}

export interface ReadDocument {
  readonly document: Document;
  readonly json?: string | undefined;
}

export function readDocument(given: IndexInput): ReadDocument {
  if (given instanceof Uint8Array) return documentIn(given);
  return isJsonWithId(given) ? documentIn(given.jsonBytes, given.id) : { document: withList(given) as Document };
}

/** The bytes of its JSON text, if it is given so. */
export function bytesOf(given: IndexInput): Uint8Array | undefined {
  if (given instanceof Uint8Array) return given;
  return isJsonWithId(given) ? given.jsonBytes : undefined;
}

function isJsonWithId(given: IndexedDocument | JsonWithId): given is JsonWithId {
  return (given as Partial<JsonWithId> | undefined)?.jsonBytes instanceof Uint8Array;
}

const UTF_8 = new TextDecoder();
/** Where it came from is known to who asks. */
const NOWHERE = { file: '', line: 0 };

function documentIn(bytes: Uint8Array, wantedId?: string): ReadDocument {
  // Decoding would put U+FFFD in place of what is wrong, which changes a text without a word.
  if (!isUtf8(bytes)) fail('BAD_DOCUMENT', { reason: 'it is not UTF-8' });
  const json = UTF_8.decode(bytes);
  const fields = parse(json);
  if (!isObject(fields)) return fail('BAD_DOCUMENT', { reason: 'a document is an object { id, text } or { id, set }' });
  const { text, set } = fields;
  const isSet = typeof text !== 'string' && set !== undefined;
  const rules = { textField: 'text', idField: 'id', ...(isSet && { setField: 'set' }), html: 'never' } as const;
  const read = toDocument(fields, rules, NOWHERE, json);
  const field = isSet ? 'set' : 'text';
  // Another field may be what is nested too deep.
  if (typeof read === 'string')
    return fail('BAD_DOCUMENT', { reason: read, ...(read.startsWith(`${field} `) && { field }) });
  const { document } = read;
  if (read.isUnnamed && wantedId === undefined)
    return fail('BAD_DOCUMENT', {
      reason: 'its id is neither a number nor a string of one character or more',
      field: 'id',
    });
  if (!read.isUnnamed && wantedId !== undefined && document.id !== wantedId)
    fail('BAD_DOCUMENT', { id: document.id, reason: `its id is not ${JSON.stringify(wantedId)}`, field: 'id' });
  // Strings are kept by JavaScript as they are.
  const hasOnlyStrings = Object.values(fields).every(value => typeof value === 'string');
  return {
    document: read.isUnnamed ? { ...document, id: wantedId! } : document,
    json: hasOnlyStrings ? undefined : json,
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    return fail('BAD_DOCUMENT', { reason: `it is not JSON: ${(error as Error).message}` }, error);
  }
}

/** About how many bytes of text there are to work on. */
export function weightOf(given: IndexInput): number {
  const bytes = bytesOf(given);
  if (bytes) return bytes.length;
  const { text, set } = Object(given) as Partial<Document>;
  if (typeof text === 'string') return text.length;
  return Array.isArray(set) ? 16 * set.length : 0;
}
