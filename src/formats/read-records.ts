/** A file of records → batches of items. */
import { readBytes, withoutMark } from './bytes.ts';
import { BrokenInput } from './compression/codec.ts';
import type { InputFile } from './find/inputs.ts';
import { damageItem, type Item, isDocument } from './item.ts';
import type { Reading } from './reading.ts';
import { RecordItems } from './records.ts';
import { formats } from './registry.ts';

/** One batch holds what one chunk of the file held, so that memory stays bounded. */
export async function* readRecords(file: InputFile, reading: Reading): AsyncGenerator<Item[]> {
  const { fields, maxDocument, onHeader } = reading;
  const format = formats[file.format].records!(file, fields, maxDocument);
  const records = new RecordItems(file, format, maxDocument);
  try {
    for await (const chunk of withoutMark(readBytes(file))) {
      const items = records.push(chunk);
      if (items.length > 0) yield items;
      if (records.isOver) return;
    }
  } catch (error) {
    if (!(error instanceof BrokenInput)) throw error;
    const cutAt = records.line + 1;
    const last = format.tellsCutOffRecord ? records.end().filter(isDocument) : [];
    yield [...last, damageItem({ file: file.path, line: cutAt + last.length }, error.message)];
    return;
  }
  const items = records.end();
  if (items.length > 0) yield items;
  const ofTable = format.header?.();
  if (ofTable) onHeader?.(ofTable, file.format);
}
