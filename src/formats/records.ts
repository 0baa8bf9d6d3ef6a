/** A file of records (JSON lines, a JSON array, CSV) → batches of items; the formats differ in splitter and parser. */
import { readBytes, withoutMark } from './bytes.ts';
import { BrokenInput } from './codec.ts';
import type { InputFile } from './inputs.ts';
import { damageItem, type Item, isDocument, isReject, rejectItem, tooLarge } from './item.ts';
import type { Piece, Splitter } from './splitter.ts';

export interface RecordFormat {
  readonly splitter: Splitter;
  /** Undefined when the record is nothing: a blank line, a header. A reject that ends the file ends the reading. */
  readonly parse: (bytes: Uint8Array, line: number) => Item | undefined;
  /** A record of which the end may be missing can still be told from a whole one. */
  readonly tellsCutOffRecord: boolean;
}

/** One batch holds what one chunk of the file held, so that memory stays bounded. */
export async function* readRecords(
  file: InputFile,
  { splitter, parse, tellsCutOffRecord }: RecordFormat,
  maxDocument: number,
): AsyncGenerator<Item[]> {
  let line = 0; // of the last record that was read
  const toItems = (pieces: readonly Piece[]): Item[] => {
    const items: Item[] = [];
    for (const piece of pieces) {
      line = piece.line;
      const item = piece.bytes
        ? parse(piece.bytes, line)
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
    const last = tellsCutOffRecord ? toItems(splitter.end().pieces).filter(isDocument) : [];
    yield [...last, damageItem({ file: file.path, line: cutAt + last.length }, error.message)];
    return;
  }
  const { pieces, problem } = splitter.end();
  const items = toItems(pieces);
  if (problem && !isEnd(items.at(-1))) {
    items.push(damageItem({ file: file.path, line: problem.line }, problem.reason));
  }
  if (items.length > 0) yield items;
}

function isEnd(item: Item | undefined): boolean {
  return item !== undefined && isReject(item) && item.endsFile === true;
}
