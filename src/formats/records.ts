/** Files that are records one after another (JSON lines, a JSON array, CSV): the formats differ in splitter and parser. */
import type { FieldRules } from './fields.ts';
import { damageItem, type Item, isReject, rejectItem, tooLarge } from './item.ts';
import type { Format } from './registry.ts';
import type { RawRecord, Splitter } from './splitter.ts';

export interface RecordFile {
  readonly path: string;
  readonly format: Format;
}

export interface RecordFormat {
  readonly splitter: Splitter;
  /** Undefined when the record is nothing: a blank line, a header. A reject that ends the file ends the reading. */
  readonly parse: (bytes: Uint8Array, line: number) => Item | undefined;
  /** Whether a record that may be cut off can be told from a whole one. */
  readonly tellsCutOffRecord: boolean;
  /** The line that names the columns of a table, once it was read. */
  readonly header?: () => Uint8Array | undefined;
}

export type RecordsOf = (file: RecordFile, rules: FieldRules, maxDocument: number) => RecordFormat;

/** The records of a file, as a splitter gives them → items. */
export class RecordItems {
  /** Of the last record that was read. */
  line = 0;
  /** Nothing else of the file is read. */
  isOver = false;
  readonly #file: RecordFile;
  readonly #format: RecordFormat;
  readonly #maxDocument: number;

  constructor(file: RecordFile, format: RecordFormat, maxDocument: number) {
    this.#file = file;
    this.#format = format;
    this.#maxDocument = maxDocument;
  }

  push(chunk: Uint8Array): Item[] {
    return this.#itemsOf(this.#format.splitter.push(chunk));
  }

  /** The last record, and damage where the end is not a proper one. */
  end(): Item[] {
    const { records, problem } = this.#format.splitter.end();
    const items = this.#itemsOf(records);
    if (problem && !this.isOver) items.push(damageItem({ file: this.#file.path, line: problem.line }, problem.reason));
    return items;
  }

  #itemsOf(records: readonly RawRecord[]): Item[] {
    const items: Item[] = [];
    for (const { line, bytes } of records) {
      this.line = line;
      const item = bytes
        ? this.#format.parse(bytes, line)
        : rejectItem({ file: this.#file.path, line }, tooLarge(this.#maxDocument));
      if (item !== undefined) items.push(item);
      this.isOver = isEnd(item);
      if (this.isOver) break;
    }
    return items;
  }
}

/** A reject behind which nothing of the file is read. */
function isEnd(item: Item | undefined): boolean {
  return item !== undefined && isReject(item) && item.endsFile === true;
}

/** Whether bytes begin with the byte-order mark of UTF-8. */
export function isMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
