/** Records (evidence, clusters, pairs, rejects) → a file of them, JSON lines unless the name says otherwise. */
import type { FilesRead } from '../engine/engine.ts';
import { closeOrAbort } from '../files/close-or-abort.ts';
import type { Fields, Reject } from '../formats/item.ts';
import { encodeJson } from '../formats/json/encode-json.ts';
import type { WriterSettings } from '../formats/loaders.ts';
import { readName } from '../formats/name.ts';
import type { Format } from '../formats/registry.ts';
import { openSink } from '../formats/sink.ts';
import { openWriter } from '../formats/write.ts';
import type { Writable } from '../formats/writer.ts';

export async function writeList(
  path: string,
  format: Format,
  records: Iterable<object> | AsyncIterable<object>,
  settings?: WriterSettings,
  signal?: AbortSignal | undefined,
): Promise<void> {
  if (format === 'jsonl') return writeLines(path, records, encodeJson, signal);
  return writeItems(path, format, records, record => ({ record: record as Fields }), settings, signal);
}

export async function writeItems<Item>(
  path: string,
  format: Format,
  items: Iterable<Item> | AsyncIterable<Item>,
  asWritable: (item: Item) => Writable,
  settings?: WriterSettings,
  signal?: AbortSignal | undefined,
): Promise<void> {
  const writer = await openWriter(path, format, settings);
  await closeOrAbort(writer, async () => {
    for await (const item of items) {
      signal?.throwIfAborted();
      await writer.write(asWritable(item));
    }
  });
}

export async function writeRejects(
  path: string,
  format: Format,
  { rejects }: FilesRead,
  settings?: WriterSettings,
): Promise<void> {
  if (format !== 'jsonl') return writeList(path, format, rejects, settings);
  const [fileText, reasonText] = [jsonOfSame(), jsonOfSame()];
  const lineOf = ({ file, line, reason }: Reject) =>
    `{"file":${fileText(file)},"line":${line},"reason":${reasonText(reason)}}`;
  return writeLines(path, rejects, lineOf);
}

/** Characters to a write. */
const LINES_LENGTH = 2 ** 16;

/** There may be tens of millions of records: their lines are put together as text, many to a write and to a look at the signal. */
async function writeLines<Item>(
  path: string,
  items: Iterable<Item> | AsyncIterable<Item>,
  lineOf: (item: Item) => string,
  signal?: AbortSignal | undefined,
): Promise<void> {
  const sink = await openSink(path, readName(path).compression);
  let lines = '';
  const write = async () => {
    signal?.throwIfAborted();
    await sink.write(lines);
    lines = '';
  };
  await closeOrAbort(sink, async () => {
    if (Symbol.asyncIterator in items)
      for await (const item of items) {
        lines += `${lineOf(item)}\n`;
        if (lines.length >= LINES_LENGTH) await write();
      }
    else
      for (const item of items) {
        lines += `${lineOf(item)}\n`;
        if (lines.length >= LINES_LENGTH) await write();
      }
    await write();
  });
}

/** The same value comes again and again. */
function jsonOfSame(): (value: string) => string {
  let [known, json] = ['', '""'];
  return value => {
    if (value !== known) [known, json] = [value, JSON.stringify(value)];
    return json;
  };
}
