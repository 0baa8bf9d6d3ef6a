/** Records (evidence, clusters, pairs, rejects) → a file of them, JSON lines unless the name says otherwise. */
import type { FilesRead } from '../../engine/files.ts';
import type { Fields } from '../../formats/item.ts';
import type { Format } from '../../formats/name.ts';
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

export function* rejectRecords({ rejects }: FilesRead): Generator<object> {
  for (const { file, line, reason } of rejects) yield { file, line, reason };
}
