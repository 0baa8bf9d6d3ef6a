/** Records (evidence, clusters, pairs, rejects) → a file of them, JSON lines unless the name says otherwise. */
import type { FilesRead } from '../../engine/files.ts';
import type { Fields } from '../../formats/item.ts';
import type { Format } from '../../formats/name.ts';
import { openWriter } from '../../formats/write.ts';
import type { Writable } from '../../formats/writer.ts';

export async function writeList(
  path: string,
  format: Format,
  records: Iterable<object> | AsyncIterable<object>,
): Promise<void> {
  return writeItems(path, format, records, record => ({ record: record as Fields }));
}

export async function writeItems<Item>(
  path: string,
  format: Format,
  items: Iterable<Item> | AsyncIterable<Item>,
  asWritable: (item: Item) => Writable,
): Promise<void> {
  const writer = await openWriter(path, format);
  try {
    for await (const item of items) await writer.write(asWritable(item));
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.close();
}

export function* rejectRecords({ rejects }: FilesRead): Generator<object> {
  for (const { file, line, reason } of rejects) yield { file, line, reason };
}
