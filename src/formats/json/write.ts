/** Documents → JSON lines, or a JSON array. */

import type { Fields } from '../item.ts';
import type { Target } from '../loaders.ts';
import type { DocumentWriter, Writable } from '../writer.ts';
import { encodeJson } from './encode-json.ts';
import { encodedFields, rawJson } from './json-fields.ts';
import { withFieldTexts } from './raw-json.ts';

export function writeJsonLines({ sink }: Pick<Target, 'sink'>): DocumentWriter {
  const write = async (item: Writable, added?: Fields) => {
    const raw = rawJson(item);
    // Lists of millions of records have no raw lines: one write for each of them.
    if (raw === undefined) return sink.write(`${textOf(item, added)}\n`);
    await sink.write(onOneLine(jsonOf(item, added)));
    await sink.write('\n');
  };
  return { write, close: () => sink.close(), abort: () => sink.abort() };
}

export function writeJsonArray({ sink }: Pick<Target, 'sink'>): DocumentWriter {
  let count = 0;
  return {
    write: async (item, added) => {
      await sink.write(count++ === 0 ? '[\n' : ',\n');
      await sink.write(jsonOf(item, added));
    },
    close: async () => {
      await sink.write(count === 0 ? '[]\n' : '\n]\n');
      await sink.close();
    },
    abort: () => sink.abort(),
  };
}

/** Lines and elements of an array are the same JSON, so either is copied into the other. */
function jsonOf(item: Writable, added?: Fields): Uint8Array {
  const raw = rawJson(item);
  if (raw === undefined) return Buffer.from(textOf(item, added));
  return added ? withFieldTexts(raw, encodedFields(added)) : raw;
}

function textOf({ record }: Writable, added?: Fields): string {
  return encodeJson(added ? { ...record, ...added } : record);
}

/** A newline in JSON text is never part of a string, so it may become a space; the \r that ends a line stays. */
function onOneLine(json: Uint8Array): Uint8Array {
  if (!json.includes(0x0a)) return json;
  return json.map(byte => (byte === 0x0a || byte === 0x0d ? 0x20 : byte));
}
