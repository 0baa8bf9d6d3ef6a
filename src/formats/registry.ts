/** A format → all that is particular to it: its endings, its records, what its files can and cannot do. How it is read and written on Node is in loaders.ts. */
import type { OptionValue } from '../options/given.ts';
import { csvRecords } from './csv/read.ts';
import { jsonArray, jsonLines } from './json/read.ts';
import type { RecordsOf } from './records.ts';

export type Format = OptionValue<'format'>;

export type Compression = 'none' | 'gzip' | 'zstd';

/** Of any format that does not compress by itself, by the ending behind that of the format. */
export const compressions: Readonly<Record<string, Compression>> = { gz: 'gzip', zst: 'zstd' };

interface FormatTraits {
  /** As messages name it. */
  readonly label: string;
  /** Of file names, without the dot. */
  readonly endings: readonly string[];
  /** How bytes are split into records, and a record becomes a document. */
  readonly records?: RecordsOf;
  /** A file is one document. */
  readonly isOneDocument?: true;
  /** The text is in its markup, which `--html` says how to read. */
  readonly isHtml?: true;
  /** Each line is a record by itself, so that a file can be read from any line on. */
  readonly isLines?: true;
  /** Records are JSON text: the bytes of one can be copied into another such file. */
  readonly isJson?: true;
  /** Values are text, whatever they mean: the cells of a table. */
  readonly isOfCells?: true;
  /** The bytes that every file begins with. */
  readonly magic?: readonly number[];
  /** Files are compressed inside, and are not compressed again. */
  readonly compresses?: true;
  /** Reading and writing jump about in the file, so a pipe will not do. */
  readonly needsFile?: true;
  /** In a gzip file each record is a member of its own, which the writer makes. */
  readonly compressesRecords?: true;
  /** Only records that came from a file of this format can be written, as they are. */
  readonly copiesOnly?: true;
  /** Rows are copied from file to file with the types of their columns. */
  readonly keepsColumns?: true;
}

export const formats: { readonly [Name in Format]: FormatTraits } = {
  jsonl: { label: 'JSON lines', endings: ['jsonl', 'ndjson'], records: jsonLines, isLines: true, isJson: true },
  json: { label: 'JSON', endings: ['json'], records: jsonArray, isJson: true },
  csv: { label: 'CSV', endings: ['csv'], records: csvRecords, isOfCells: true },
  tsv: { label: 'TSV', endings: ['tsv'], records: csvRecords, isOfCells: true },
  parquet: {
    label: 'Parquet',
    endings: ['parquet'],
    magic: [0x50, 0x41, 0x52, 0x31],
    compresses: true,
    needsFile: true,
    keepsColumns: true,
  },
  warc: {
    label: 'WARC',
    endings: ['warc'],
    magic: [0x57, 0x41, 0x52, 0x43, 0x2f],
    compressesRecords: true,
    copiesOnly: true,
  },
  text: { label: 'text', endings: ['txt', 'md'], isOneDocument: true },
  html: { label: 'HTML', endings: ['html', 'htm'], isOneDocument: true, isHtml: true },
};
