/** File name → format and compression; output name and input format → what to write. */
import { type Compression, compressions, type Format, formats } from './registry.ts';

interface Naming {
  /** Undefined when the ending tells nothing. */
  readonly format: Format | undefined;
  readonly compression: Compression;
}

const formatNames = Object.keys(formats) as Format[];
const byEnding = new Map(formatNames.flatMap(name => formats[name].endings.map(ending => [ending, name] as const)));

/** The endings a message may offer. */
export const knownEndings = [...byEnding.keys()].map(ending => `.${ending}`).join(', ');

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
  if (Object.hasOwn(compressions, outer)) return { format: byEnding.get(inner), compression: compressions[outer]! };
  return { format: byEnding.get(outer), compression: 'none' };
}

/** What is written under this name: by its ending, else as the input; one-document files become JSON lines. */
export function outputFormat(path: string, input: Format): Format {
  const named = readName(path).format;
  const format = named === undefined || formats[named].isOneDocument ? input : named;
  return formats[format].isOneDocument ? 'jsonl' : format;
}
