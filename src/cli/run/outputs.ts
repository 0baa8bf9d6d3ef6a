/** The names a user gave for outputs → checked: none is an input, none is given twice, each has a form it can have. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fail } from '../../errors.ts';
import { type InputFile, STANDARD_INPUT } from '../../formats/inputs.ts';
import { type Format, isOneDocument, outputFormat, readName } from '../../formats/name.ts';
import { STANDARD_OUTPUT } from '../../formats/sink.ts';

/** Flag → file, as they were written; those not given are undefined. */
export type NamedOutputs = Readonly<Record<string, string | undefined>>;

/** Paths are compared as the system sees them, so that a link to an input, or `./input`, is the input. */
export async function requireOwnFiles(outputs: NamedOutputs, inputs: readonly InputFile[]): Promise<void> {
  const taken = new Map<string, string>();
  for (const { path } of inputs)
    if (path !== STANDARD_INPUT) taken.set(await identityOf(path), `it would write over the input ${path}`);
  for (const [flag, path] of Object.entries(outputs)) {
    if (path === undefined) continue;
    for (const target of path.endsWith('/') ? copyTargets(path, inputs) : [path]) {
      const identity = await identityOf(target);
      const why = taken.get(identity);
      if (why !== undefined) fail('BAD_COMBINATION', { what: `${flag} ${path}`, why });
      taken.set(identity, `${flag} goes there too`);
    }
  }
}

function copyTargets(folder: string, inputs: readonly InputFile[]): string[] {
  return [...new Set(inputs.map(({ relative }) => join(folder, relative)))];
}

async function identityOf(path: string): Promise<string> {
  if (path === STANDARD_OUTPUT) return path;
  const place = await stat(path).catch(() => undefined);
  // Anybody may write to /dev/null, and more than once.
  if (place && !place.isFile()) return `${path} ${Math.random()}`;
  if (place) return `${place.dev}:${place.ino}`;
  const folder = await realpath(dirname(path)).catch(() => resolve(dirname(path)));
  return join(folder, basename(path));
}

/** With `--json` the summary is what standard output is for. */
export function requireFileForJson(outputs: NamedOutputs, json: boolean, dryRun = false): void {
  if (!json || dryRun) return;
  if (outputs['-o'] === undefined)
    fail('BAD_COMBINATION', {
      what: '--json without -o',
      why: 'the summary goes to standard output, so the result needs a file',
    });
  requireFilesBesideSummary(outputs);
}

export function requireFilesBesideSummary(outputs: NamedOutputs): void {
  for (const [flag, path] of Object.entries(outputs)) {
    if (path === STANDARD_OUTPUT)
      fail('BAD_COMBINATION', { what: `--json with ${flag} -`, why: 'both would go to standard output' });
  }
}

export type DocumentsForm =
  | { readonly kind: 'copies' }
  | { readonly kind: 'records' | 'rows'; readonly format: Format };

/** How the documents that stay are written; `rows`: Parquet to Parquet, with every column as it was. */
export function formOf(output: string, inputs: readonly InputFile[], mark: boolean): DocumentsForm {
  const formats = new Set(inputs.map(({ format }) => format));
  if (output.endsWith('/')) {
    if (![...formats].every(isOneDocument))
      fail('BAD_COMBINATION', {
        what: `-o ${output}`,
        why: 'only files that are one document each are copied to a folder',
      });
    if (mark)
      fail('BAD_COMBINATION', { what: `--mark with -o ${output}`, why: 'copies of files have no fields to add' });
    return { kind: 'copies' };
  }
  const [common = 'jsonl'] = formats.size === 1 ? formats : [];
  const format = outputFormat(output, output === STANDARD_OUTPUT && common === 'parquet' ? 'jsonl' : common);
  if (format === 'warc' && (common !== 'warc' || mark))
    fail('BAD_COMBINATION', {
      what: `-o ${output}`,
      why: 'only unchanged records of WARC files can be written as WARC; name a .jsonl file',
    });
  requireWritable('-o', output, format);
  return { kind: format === 'parquet' && common === 'parquet' ? 'rows' : 'records', format };
}

/** Lists (evidence, clusters, pairs, rejects) are JSON lines, unless the name says CSV, JSON or Parquet. */
export function listFormat(flag: string, path: string): Format {
  const format = outputFormat(path, 'jsonl');
  if (format === 'warc')
    fail('BAD_COMBINATION', { what: `${flag} ${path}`, why: 'only documents go into a WARC file' });
  requireWritable(flag, path, format);
  return format;
}

function requireWritable(flag: string, path: string, format: Format): void {
  if (format === 'parquet' && readName(path).compression !== 'none')
    fail('BAD_COMBINATION', { what: `${flag} ${path}`, why: 'Parquet compresses by itself' });
}
