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

/** Of other formats: a file that gets such a name and our bytes would be taken for something else. */
const foreignEndings: ReadonlySet<string> = new Set(
  [
    'xlsx xlsm xlsb xls ods numbers arrow arrows feather ipc avro orc msgpack cbor bson pb npy npz pkl pickle',
    'h5 hdf5 mat rds rda rdata sav dta tfrecord db sqlite sqlite3 duckdb mdb lance xml yaml yml toml',
    'zip 7z rar tar tgz tbz2 txz bz2 bz xz lzma lz lz4 lzo sz snappy br z gzip zstd',
    'pdf doc docx odt rtf ppt pptx odp epub tex png jpg jpeg gif webp svg',
  ].flatMap(line => line.split(' ')),
);

/** The ending that names a format which we do not write, as in `a.xlsx` or `a.xlsx.gz`. */
export function foreignEnding(path: string): string | undefined {
  const [inner, outer] = endingsOf(path);
  return [outer, Object.hasOwn(compressions, outer) ? inner : ''].find(ending => foreignEndings.has(ending));
}

/** The last two, lowercase: `a/b.JSONL.gz` → jsonl, gz */
function endingsOf(path: string): [inner: string, outer: string] {
  const [, inner = '', outer = ''] = /(?:\.([^./\\]+))?\.([^./\\]+)$/.exec(path.toLowerCase()) ?? [];
  return [inner, outer];
}

/** `a/b.JSONL.gz` → jsonl, gzip */
export function readName(path: string): Naming {
  const [inner, outer] = endingsOf(path);
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
