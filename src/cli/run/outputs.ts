/** The names a user gave for outputs → checked: none is an input or in the index, none is given twice, each has a form it can have. */
import { fstatSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fail } from '../../errors.ts';
import { type InputFile, STANDARD_INPUT } from '../../formats/inputs.ts';
import { type Format, isOneDocument, outputFormat, readName } from '../../formats/name.ts';
import { isInside, realPathOf } from '../../formats/real-path.ts';
import { STANDARD_OUTPUT } from '../../formats/sink.ts';
import { copyTargets } from '../../formats/write-copies.ts';

/** Flag → file, as they were written; those not given are undefined. */
export type NamedOutputs = Readonly<Record<string, string | undefined>>;

/**
 * Files are compared as the system sees them: a link to an input, `./input`, and the file that standard input or output
 * was redirected to are all the same file. `index` is the folder of the index that the command uses.
 */
export async function requireOwnFiles(
  outputs: NamedOutputs,
  inputs: readonly InputFile[],
  index?: string | undefined,
): Promise<void> {
  const taken = new Map<string, string>();
  for (const { path } of inputs) {
    const identity = path === STANDARD_INPUT ? redirectedTo(0) : await identityOf(path);
    if (identity !== undefined) taken.set(identity, `it would write over the input ${path}`);
  }
  const written = redirectedTo(1);
  if (written !== undefined && taken.has(written))
    fail('BAD_COMBINATION', { what: 'standard output', why: taken.get(written)! });
  for (const [flag, path] of Object.entries(outputs)) {
    if (path === undefined) continue;
    if (index !== undefined && path !== STANDARD_OUTPUT && (await isInside(index, path)))
      fail('BAD_COMBINATION', { what: `${flag} ${path}`, why: `it would write into the index ${index}` });
    for (const target of path.endsWith('/') ? copyTargets(path, inputs) : [path]) {
      const identity = await identityOf(target);
      const why = taken.get(identity);
      if (why !== undefined) fail('BAD_COMBINATION', { what: `${flag} ${path}`, why });
      taken.set(identity, `${flag} goes there too`);
    }
  }
}

async function identityOf(path: string): Promise<string> {
  if (path === STANDARD_OUTPUT) return path;
  const found = await stat(path).catch(() => undefined);
  // Anybody may write to /dev/null, and more than once.
  if (found && !found.isFile()) return `${path} ${Math.random()}`;
  return found ? numbersOf(found) : realPathOf(path);
}

/** The file that is standard input (0) or output (1), if it is one. */
function redirectedTo(descriptor: 0 | 1): string | undefined {
  try {
    const found = fstatSync(descriptor);
    return found.isFile() ? numbersOf(found) : undefined;
  } catch {
    return undefined; // closed
  }
}

function numbersOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
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
