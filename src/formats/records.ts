/** Files that are records one after another (JSON lines, a JSON array, CSV): the formats differ in splitter and parser. */
import type { FieldRules } from './fields.ts';
import { type Item, isReject } from './item.ts';
import type { Format } from './registry.ts';
import type { Splitter } from './splitter.ts';

export interface RecordFile {
  readonly path: string;
  readonly format: Format;
}

export interface RecordFormat {
  readonly splitter: Splitter;
  /** Undefined when the record is nothing: a blank line, a header. A reject that ends the file ends the reading. */
  readonly parse: (bytes: Uint8Array, line: number) => Item | undefined;
  /** A record of which the end may be missing can still be told from a whole one. */
  readonly tellsCutOffRecord: boolean;
  /** The line that names the columns of a table, once it was read. */
  readonly header?: () => Uint8Array | undefined;
}

export type RecordsOf = (file: RecordFile, rules: FieldRules, maxDocument: number) => RecordFormat;

/** A reject behind which nothing of the file is read. */
export function isEnd(item: Item | undefined): boolean {
  return item !== undefined && isReject(item) && item.endsFile === true;
}
