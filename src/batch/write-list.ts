/** Records (evidence, clusters, pairs, rejects) → a file of them, JSON lines unless the name says otherwise. */
import type { FilesRead } from '../engine/engine.ts';
import type { Fields, Reject } from '../formats/item.ts';
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
  try {
    let count = 0;
    const write = (item: Item) => {
      if (++count % CHECKED === 0) signal?.throwIfAborted();
      return writer.write(asWritable(item));
    };
    if (Symbol.asyncIterator in items) for await (const item of items) await write(item);
    else for (const item of items) await write(item);
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.close();
}

/** There may be tens of millions, of a few bytes of input each: their lines are put together as text, many to a write. */
export async function writeRejects(
  path: string,
  format: Format,
  { rejects }: FilesRead,
  settings?: WriterSettings,
): Promise<void> {
  if (format !== 'jsonl') return writeList(path, format, rejects, settings);
  const sink = await openSink(path, readName(path).compression);
  try {
    for (const lines of rejectLines(rejects)) await sink.write(lines);
  } catch (error) {
    await sink.abort();
    throw error;
  }
  await sink.close();
}

/** Records between two looks at the signal. */
const CHECKED = 1024;

const LINES_LENGTH = 2 ** 16;

function* rejectLines(rejects: Iterable<Reject>): Generator<string> {
  const [fileText, reasonText] = [jsonOfSame(), jsonOfSame()];
  let lines = '';
  for (const { file, line, reason } of rejects) {
    lines += `{"file":${fileText(file)},"line":${line},"reason":${reasonText(reason)}}\n`;
    if (lines.length < LINES_LENGTH) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}

/** The same value comes again and again. */
function jsonOfSame(): (value: string) => string {
  let [known, json] = ['', '""'];
  return value => {
    if (value !== known) [known, json] = [value, JSON.stringify(value)];
    return json;
  };
}
