/** Documents → JSON lines, or a JSON array. */
import type { Fields } from './item.ts';
import { encodedFields, rawJson } from './json-fields.ts';
import { objectText, withFieldTexts } from './raw-json.ts';
import type { Sink } from './sink.ts';
import type { DocumentWriter, Writable } from './writer.ts';

export function writeJsonLines(sink: Sink): DocumentWriter {
  const write = async (item: Writable, added?: Fields) => {
    await sink.write(onOneLine(jsonOf(item, added)));
    await sink.write('\n');
  };
  return { write, close: () => sink.close(), abort: () => sink.abort() };
}

export function writeJsonArray(sink: Sink): DocumentWriter {
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
  if (raw === undefined) return Buffer.from(objectText(encodedFields({ ...item.record, ...added })));
  return added ? withFieldTexts(raw, encodedFields(added)) : raw;
}

/** A newline in JSON text is never part of a string, so it may become a space; the \r that ends a line stays. */
function onOneLine(json: Uint8Array): Uint8Array {
  if (!json.includes(0x0a)) return json;
  return json.map(byte => (byte === 0x0a || byte === 0x0d ? 0x20 : byte));
}
