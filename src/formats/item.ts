/** What reading gives: documents, rejects and damage, each with where it was found. */
import type { Document } from '../model.ts';
import type { Options } from '../options.ts';
import type { Format } from './registry.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Source {
  readonly file: string;
  /** 1 is the first: the line, the element of a JSON array, the row of Parquet, the record of WARC. */
  readonly line: number;
}

export interface DocumentItem {
  readonly document: Document;
  /** The record has no id of its own: the document's id is its location. */
  readonly isUnnamed?: true;
  readonly source: Source;
  readonly format: Format;
  /** The fields as they came, for writing them in another format. */
  readonly record: Fields;
  /** The bytes as they came, without the newline at their end; none for Parquet and one-document files. */
  readonly raw?: Uint8Array;
  /** The header line of the CSV or TSV file the bytes are from. */
  readonly header?: Uint8Array;
}

/** A record of a WARC file that is no document: a request, metadata, a picture. */
export interface OtherRecord {
  readonly source: Source;
  /** Its headers. */
  readonly head: Uint8Array;
  /** The whole record. One over the limit comes in chunks, which can be read once, and not after the next record is asked for. */
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
}

export interface Reject extends Source {
  readonly reason: string;
}

export interface RejectItem {
  readonly reject: Reject;
  /** Nothing else of the file is read: a table without the column that is needed. */
  readonly endsFile?: true;
}

/** A file that cannot be read to its end, and where the damage is. It is not a reject, because what is lost is unknown. */
export interface FileDamage extends Reject {
  /** Documents of the file that could be read. */
  readonly readable: number;
}

export interface DamageItem {
  readonly damage: FileDamage;
}

export type Item = DocumentItem | RejectItem | DamageItem;

export type ReadOptions = Pick<Options, 'textField' | 'idField' | 'setField' | 'html'> & {
  /** Texts of HTML keep their paragraphs, for people to read; the words are the same. */
  readonly paragraphs?: boolean | undefined;
  /** Bytes of the largest line, record or one-document file that is read; a larger one is a reject. */
  readonly maxDocument?: number;
  /** The first reject fails the run. */
  readonly strict?: boolean;
  /** Fields whose values are compared (--by, --keep): large integers in them keep all their digits, as bigints. */
  readonly exactFields?: readonly string[];
  /** What damage does: it ends the run (the default), or the run goes on with what was readable. */
  readonly damaged?: Options['damaged'];
  /** Called with each record of a WARC file that is not a document, before the next record is read. */
  readonly onOther?: (record: OtherRecord) => Promise<void> | void;
  /** Given the header line of each table, which may have no rows. */
  readonly onHeader?: ((header: Uint8Array, format: Format) => void) | undefined;
};

export const DEFAULT_MAX_DOCUMENT = 64 * 2 ** 20;

export function isReject(item: Item): item is RejectItem {
  return 'reject' in item;
}

export function rejectItem({ file, line }: Source, reason: string): RejectItem {
  return { reject: { file, line, reason } };
}

/** A file that is one document. */
export function documentItem(
  { path, format }: { readonly path: string; readonly format: Format },
  text: string,
): DocumentItem {
  const document = { id: path, text };
  return { document, isUnnamed: true, source: { file: path, line: 1 }, format, record: document };
}

export function isDocument(item: Item): item is DocumentItem {
  return 'document' in item;
}

export function isDamage(item: Item): item is DamageItem {
  return 'damage' in item;
}

/** Readers do not count their documents; `readBatches` counts them for all readers. */
export function damageItem(source: Source, reason: string): DamageItem {
  return { damage: { ...source, reason, readable: 0 } };
}

export function tooLarge(maxDocument: number): string {
  return `too large: over ${maxDocument} bytes`;
}
