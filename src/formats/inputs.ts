/** Files, folders, globs and `-` → the files to read, in order. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import { fail } from '../errors.ts';
import type { Reject } from './item.ts';
import { type Compression, type Format, knownEndings, readName } from './name.ts';
import { failReading, reasonOf } from './system-errors.ts';

export const STANDARD_INPUT = '-';

export interface InputFile {
  readonly path: string;
  readonly format: Format;
  readonly compression: Compression;
  /** Its path below the folder that was named, under which a copy of it is written. */
  readonly relative: string;
  /** Where its bytes are, if not under its path: a copy of standard input, to be read twice. */
  readonly stored?: string;
  /** Told how many of its bytes, as they are stored, were read since the last call. */
  readonly onRead?: (bytes: number) => void;
  /** When it is aborted, reading ends with what was read by then, and a ReadingStopped. */
  readonly stop?: AbortSignal;
}

/** Told of a link in a folder that leads nowhere: one of many files there, and not what the user named. */
export type OnBrokenLink = (reject: Reject) => void;

/** `format` overrides what the names tell; then files of every name are taken from folders, too. */
export async function expandInputs(
  inputs: readonly string[],
  format?: Format,
  onBrokenLink: OnBrokenLink = failOnBrokenLink,
): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const input of inputs) files.push(...(await expand(input, format, onBrokenLink)));
  return files;
}

function failOnBrokenLink(reject: Reject): never {
  return fail('BAD_LINE', { ...reject });
}

async function expand(input: string, format: Format | undefined, onBrokenLink: OnBrokenLink): Promise<InputFile[]> {
  if (input === STANDARD_INPUT) {
    if (format === 'parquet') fail('BAD_INPUT', { file: input, reason: 'Parquet cannot be read from standard input' });
    return [{ path: input, format: format ?? 'jsonl', compression: 'none', relative: 'standard-input' }];
  }
  const found = await stat(input).catch(error => error as NodeJS.ErrnoException);
  if (found instanceof Error) {
    if (found.code !== 'ENOENT') return failReading(input, found);
    return matching(input, format, found);
  }
  if (!found.isDirectory()) return [named(input, format)];
  const paths = await filesBelow(input, [await realpath(input)], onBrokenLink);
  return recognised(input, input, paths, format, 'the folder holds');
}

function named(path: string, format: Format | undefined): InputFile {
  const file = inputFile(path, basename(path), format);
  if (file) return file;
  const reason = `the ending tells no format (known: ${knownEndings}); say which with --format`;
  return fail('BAD_INPUT', { file: path, reason });
}

async function matching(pattern: string, format: Format | undefined, notFound: Error): Promise<InputFile[]> {
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(pattern)) return failReading(pattern, notFound);
  const paths = await glob(pattern, { expandDirectories: false, absolute: isAbsolute(pattern) });
  if (paths.length === 0) return fail('CANNOT_READ', { file: pattern, reason: 'the pattern matches no file' });
  return recognised(pattern, fixedPartOf(pattern), paths, format, 'the pattern matches');
}

/** `data/2024-??/?.txt` → `data` */
function fixedPartOf(pattern: string): string {
  const parts = pattern.split('/');
  const fixed = parts.slice(
    0,
    parts.findIndex(part => /[*?[\]{}()!+@]/.test(part)),
  );
  return fixed.join('/') || (pattern.startsWith('/') ? '/' : '.');
}

function recognised(
  input: string,
  root: string,
  paths: readonly string[],
  format: Format | undefined,
  what: string,
): InputFile[] {
  // By code units, so that the order is the same on every machine and in every language.
  const files = paths.toSorted().flatMap(path => inputFile(path, relative(root, path), format) ?? []);
  if (files.length === 0) {
    fail('CANNOT_READ', { file: input, reason: `${what} no file with a known ending (${knownEndings})` });
  }
  return files;
}

function inputFile(path: string, below: string, override: Format | undefined): InputFile | undefined {
  const { format = override, compression } = readName(path);
  const chosen = override ?? format;
  if (chosen === undefined || (chosen === 'parquet' && compression !== 'none')) return undefined;
  return { path, format: chosen, compression, relative: below };
}

/** Links are followed, except back into a folder we are in (`above`: the real paths on the way here). */
async function filesBelow(folder: string, above: readonly string[], onBrokenLink: OnBrokenLink): Promise<string[]> {
  const files: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(error => failReading(folder, error));
  // By code units, as files are sorted: rejects come in the same order on every machine.
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    const kind = entry.isSymbolicLink() ? await stat(path).catch(error => error as Error) : entry;
    if (kind instanceof Error) {
      onBrokenLink({ file: path, line: 1, reason: `broken link: ${reasonOf(kind)}` });
      continue;
    }
    if (kind.isFile()) files.push(path);
    if (!kind.isDirectory()) continue;
    const real = await realpath(path);
    if (!above.includes(real)) files.push(...(await filesBelow(path, [...above, real], onBrokenLink)));
  }
  return files;
}
