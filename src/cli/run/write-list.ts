/** Records (evidence, clusters, pairs, rejects) → a file of them, JSON lines unless the name says otherwise. */
import type { FilesRead } from '../../engine/files.ts';
import type { Fields } from '../../formats/item.ts';
import type { Format } from '../../formats/name.ts';
import { openWriter } from '../../formats/write.ts';

export async function writeList(
  path: string,
  format: Format,
  records: Iterable<object> | AsyncIterable<object>,
): Promise<void> {
  const writer = await openWriter(path, format);
  try {
    for await (const record of records) await writer.write({ record: record as Fields });
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.close();
}

export function* rejectRecords({ rejects }: FilesRead): Generator<object> {
  for (const { file, line, reason } of rejects) yield { file, line, reason };
}
