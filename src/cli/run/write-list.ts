/** Records (evidence, clusters, pairs, rejects) → a file of them, JSON lines unless the name says otherwise. */
import type { FilesRead } from '../../engine/files.ts';
import type { Fields, Reject } from '../../formats/item.ts';
import { type Format, readName } from '../../formats/name.ts';
import { openSink } from '../../formats/sink.ts';
import { openWriter, type WriterSettings } from '../../formats/write.ts';
import type { Writable } from '../../formats/writer.ts';

export async function writeList(
  path: string,
  format: Format,
  records: Iterable<object> | AsyncIterable<object>,
  settings?: WriterSettings,
): Promise<void> {
  return writeItems(path, format, records, record => ({ record: record as Fields }), settings);
}

export async function writeItems<Item>(
  path: string,
  format: Format,
  items: Iterable<Item> | AsyncIterable<Item>,
  asWritable: (item: Item) => Writable,
  settings?: WriterSettings,
): Promise<void> {
  const writer = await openWriter(path, format, settings);
  try {
    if (Symbol.asyncIterator in items) for await (const item of items) await writer.write(asWritable(item));
    else for (const item of items) await writer.write(asWritable(item));
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
