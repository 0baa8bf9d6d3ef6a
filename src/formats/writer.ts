/** What every writer of documents can do. */
import type { DocumentItem, Fields, OtherRecord } from './item.ts';

/** A document as it was read, or just the fields of a record. */
export type Writable = Pick<DocumentItem, 'record'> & Partial<Pick<DocumentItem, 'raw' | 'format' | 'header'>>;

export interface DocumentWriter {
  /** With the bytes it came as where the formats are equal; `added` are fields to add to it. */
  write(item: Writable, added?: Fields): Promise<void>;
  /** Of a document that is not written: a table of which no row stays still has its columns. */
  leaveOut?(item: Writable): void;
  /** Of a record that is no document; only WARC files can hold one. */
  writeOther?(record: Pick<OtherRecord, 'bytes'>): Promise<void>;
  /** All is written, and the file appears. */
  close(): Promise<void>;
  /** Known when it is closed: what could not be kept, a line each. */
  readonly lost?: readonly string[];
  /** Nothing appears. */
  abort(): Promise<void>;
}
