/** Files, folders, globs and `-` → the files to read, in order. */
import { stat } from 'node:fs/promises';
import { basename, extname, relative } from 'node:path';
import { fail } from '../../errors.ts';
import { failReading } from '../../files/system-errors.ts';
import type { Reject } from '../item.ts';
import { knownEndings, readName } from '../name.ts';
import { type Compression, type Format, formats } from '../registry.ts';
import { filesBelow, filesMatching, fixedPartOf, isPattern } from './glob.ts';

export const STANDARD_INPUT = '-';

/** Of a file system that Spark knows: `hdfs://…`, `s3a://…`, `file:///…`. */
export function isUrl(path: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(path);
}

export interface InputFile {
  readonly path: string;
  readonly format: Format;
  readonly compression: Compression;
  /** Its path below the folder that was named, under which a copy of it is written. */
  readonly relative: string;
  /** Where its bytes are, if not under its path: a copy of standard input, to be read twice. */
  readonly stored?: string;
  /** What it was when the run began, for files that are read more than once; see unchanged.ts. */
  readonly identity?: string;
  /** Called with the number of stored bytes that were read since the last call. */
  readonly onRead?: (bytes: number) => void;
  /** Called with the number of decompressed bytes that were read since the last call; for Parquet, the bytes of its texts. */
  readonly onContent?: (bytes: number) => void;
  /** When it is aborted, reading ends with what was read by then and throws a ReadingStopped. */
  readonly stop?: AbortSignal;
}

/** By its name or its format. */
export function isCompressed({ compression, format }: InputFile): boolean {
  return compression !== 'none' || formats[format].compresses === true;
}

/** The format that all of the files have; JSON lines, which can hold any document, where they differ. */
export function commonFormat(files: readonly InputFile[]): Format {
  const [format = 'jsonl', ...others] = new Set(files.map(file => file.format));
  return others.length === 0 ? format : 'jsonl';
}

/** Callbacks for what is in a folder, or matches a pattern, but is not read. */
export interface OnSkipped {
  /** A broken link. Without this callback it is an error. */
  readonly brokenLink?: ((reject: Reject) => void) | undefined;
  /** Files with unknown endings, in one sentence. */
  readonly unknownEndings?: ((warning: string) => void) | undefined;
}

/** A file, a folder or a pattern as Spark reads it; of a folder the name may tell nothing, and `format` is needed. */
export function urlInput(url: string, format: Format | undefined): InputFile {
  return named(url, format);
}

/** `format` overrides the format that names tell. Then all files of a folder are read, whatever their names. */
export async function expandInputs(
  inputs: readonly string[],
  format?: Format,
  onSkipped: OnSkipped = {},
): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const input of inputs) files.push(...(await expand(input, format, onSkipped)));
  return files;
}

function failOnBrokenLink(reject: Reject): never {
  return fail('BAD_LINE', { ...reject });
}

async function expand(input: string, format: Format | undefined, onSkipped: OnSkipped): Promise<InputFile[]> {
  if (input === STANDARD_INPUT) {
    const { label, needsFile } = formats[format ?? 'jsonl'];
    if (needsFile) fail('BAD_INPUT', { file: input, reason: `${label} cannot be read from standard input` });
    return [{ path: input, format: format ?? 'jsonl', compression: 'none', relative: 'standard-input' }];
  }
  const found = await stat(input).catch(error => error as NodeJS.ErrnoException);
  if (found instanceof Error) {
    if (found.code !== 'ENOENT') return failReading(input, found);
    return matching(input, format, found, onSkipped);
  }
  if (!found.isDirectory()) return [named(input, format)];
  const paths = await filesBelow(input, onSkipped.brokenLink ?? failOnBrokenLink);
  return recognised(input, input, paths, format, onSkipped);
}

function named(path: string, format: Format | undefined): InputFile {
  const file = inputFile(path, basename(path), format);
  if (file) return file;
  const reason = `the ending tells no format (known: ${knownEndings}); say which with --format`;
  return fail('BAD_INPUT', { file: path, reason });
}

async function matching(
  pattern: string,
  format: Format | undefined,
  notFound: Error,
  onSkipped: OnSkipped,
): Promise<InputFile[]> {
  if (!isPattern(pattern)) return failReading(pattern, notFound);
  const paths = await filesMatching(pattern, onSkipped.brokenLink ?? failOnBrokenLink);
  if (paths.length === 0) return fail('CANNOT_READ', { file: pattern, reason: 'the pattern matches no file' });
  return recognised(pattern, fixedPartOf(pattern).path, paths, format, onSkipped);
}

function recognised(
  input: string,
  root: string,
  paths: readonly string[],
  format: Format | undefined,
  onSkipped: OnSkipped,
): InputFile[] {
  const files: InputFile[] = [];
  const unknown: string[] = [];
  // By code units, so that the order is the same on every machine and in every language.
  for (const path of paths.toSorted()) {
    const file = inputFile(path, relative(root, path), format);
    if (file) files.push(file);
    else unknown.push(path);
  }
  if (files.length === 0) {
    const what = input === root ? 'the folder holds' : 'the pattern matches';
    const others = unknown.length > 0 ? `, only others: ${endingCounts(unknown)}; --format text reads them` : '';
    fail('CANNOT_READ', { file: input, reason: `${what} no file with a known ending (${knownEndings})${others}` });
  }
  if (unknown.length > 0) onSkipped.unknownEndings?.(skippedWarning(input, unknown));
  return files;
}

/** `14 files in docs/ have endings neardup does not know and were skipped (9 .rst, 3 .log, 2 without ending); …` */
function skippedWarning(input: string, paths: readonly string[]): string {
  const files = paths.length === 1 ? '1 file' : `${paths.length} files`;
  const what =
    paths.length === 1 ? 'has an ending neardup does not know and was' : 'have endings neardup does not know and were';
  return `${files} in ${input} ${what} skipped (${endingCounts(paths)}); --format text reads ${paths.length === 1 ? 'it' : 'them'}`;
}

/** Endings that are named one by one. */
const NAMED_ENDINGS = 5;

/** The most frequent first. */
function endingCounts(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const ending = extname(path) || 'without ending';
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const others = sorted.slice(NAMED_ENDINGS).reduce((sum, [, count]) => sum + count, 0);
  const named = sorted.slice(0, NAMED_ENDINGS).map(([ending, count]) => `${count} ${ending}`);
  return [...named, ...(others > 0 ? [`${others} others`] : [])].join(', ');
}

function inputFile(path: string, below: string, override: Format | undefined): InputFile | undefined {
  const { format = override, compression } = readName(path);
  const chosen = override ?? format;
  if (chosen === undefined || (formats[chosen].compresses && compression !== 'none')) return undefined;
  return { path, format: chosen, compression, relative: below };
}
