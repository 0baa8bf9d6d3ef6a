/** A file of records → batches of items. */
import { readBytes, withoutMark } from './bytes.ts';
import { BrokenInput } from './compression/codec.ts';
import type { InputFile } from './find/inputs.ts';
import { damageItem, type Item, isDocument, rejectItem, tooLarge } from './item.ts';
import type { Reading } from './reading.ts';
import { isEnd } from './records.ts';
import { formats } from './registry.ts';
import type { RawRecord } from './splitter.ts';

/** One batch holds what one chunk of the file held, so that memory stays bounded. */
export async function* readRecords(file: InputFile, reading: Reading): AsyncGenerator<Item[]> {
  const { fields, maxDocument, onHeader } = reading;
  const { splitter, parse, tellsCutOffRecord, header } = formats[file.format].records!(file, fields, maxDocument);
  let line = 0; // of the last record that was read
  const toItems = (records: readonly RawRecord[]): Item[] => {
    const items: Item[] = [];
    for (const record of records) {
      line = record.line;
      const item = record.bytes
        ? parse(record.bytes, line)
        : rejectItem({ file: file.path, line }, tooLarge(maxDocument));
      if (item !== undefined) items.push(item);
      if (isEnd(item)) break;
    }
    return items;
  };

  try {
    for await (const chunk of withoutMark(readBytes(file))) {
      const items = toItems(splitter.push(chunk));
      if (items.length > 0) yield items;
      if (isEnd(items.at(-1))) return;
    }
  } catch (error) {
    if (!(error instanceof BrokenInput)) throw error;
    const cutAt = line + 1;
    const last = tellsCutOffRecord ? toItems(splitter.end().records).filter(isDocument) : [];
    yield [...last, damageItem({ file: file.path, line: cutAt + last.length }, error.message)];
    return;
  }
  const { records, problem } = splitter.end();
  const items = toItems(records);
  if (problem && !isEnd(items.at(-1))) {
    items.push(damageItem({ file: file.path, line: problem.line }, problem.reason));
  }
  if (items.length > 0) yield items;
  const ofTable = header?.();
  if (ofTable) onHeader?.(ofTable, file.format);
}
