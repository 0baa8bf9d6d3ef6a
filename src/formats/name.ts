/** File name → format and compression; output name and input format → what to write. */
import type { OptionValue } from '../options.ts';

export type Format = OptionValue<'format'>;
export type Compression = 'none' | 'gzip' | 'zstd';

export interface Naming {
  /** Undefined when the ending tells nothing. */
  readonly format: Format | undefined;
  readonly compression: Compression;
}

const formats: Readonly<Record<string, Format>> = {
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  json: 'json',
  csv: 'csv',
  tsv: 'tsv',
  parquet: 'parquet',
  warc: 'warc',
  txt: 'text',
  md: 'text',
  html: 'html',
  htm: 'html',
};

const compressions: Readonly<Record<string, Compression>> = { gz: 'gzip', zst: 'zstd' };

/** The endings a message may offer. */
export const knownEndings = Object.keys(formats)
  .map(ending => `.${ending}`)
  .join(', ');

/** `a/b.JSONL.gz` → jsonl, gzip */
export function readName(path: string): Naming {
  const [, inner = '', outer = ''] = /(?:\.([^./\\]+))?\.([^./\\]+)$/.exec(path.toLowerCase()) ?? [];
  if (Object.hasOwn(compressions, outer)) return { format: formatOf(inner), compression: compressions[outer]! };
  return { format: formatOf(outer), compression: 'none' };
}

/** A file of these formats is one document. */
export function isOneDocument(format: Format): boolean {
  return format === 'text' || format === 'html';
}

/** What is written under this name: by its ending, else as the input; one-document files become JSON lines. */
export function outputFormat(path: string, input: Format): Format {
  const named = readName(path).format;
  const format = named === undefined || isOneDocument(named) ? input : named;
  return isOneDocument(format) ? 'jsonl' : format;
}

function formatOf(ending: string): Format | undefined {
  return Object.hasOwn(formats, ending) ? formats[ending] : undefined;
}
