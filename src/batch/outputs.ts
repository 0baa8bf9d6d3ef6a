/** The names a user gave for outputs → checked: none is an input or in the index, none is given twice, each has a form it can have. */
import { fstatSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { DocumentsForm } from '../engine/engine.ts';
import { fail } from '../errors.ts';
import { isInside, realPathOf } from '../files/real-path.ts';
import { commonFormat, type InputFile, STANDARD_INPUT } from '../formats/find/inputs.ts';
import { outputFormat, readName } from '../formats/name.ts';
import { type Format, formats } from '../formats/registry.ts';
import { STANDARD_OUTPUT } from '../formats/sink.ts';
import { copyTargets } from '../formats/write-copies.ts';
import type { NameOf } from '../options.ts';

/** What its user calls it → file; those not given are undefined. */
export type NamedOutputs = Readonly<Record<string, string | undefined>>;

export function namedOutputs(outputs: object, nameOf: NameOf): NamedOutputs {
  return Object.fromEntries(Object.entries(outputs).map(([name, path]) => [nameOf(name), path]));
}

/**
 * Files are compared as the system sees them: a link to an input, `./input`, and the file that standard input or output
 * was redirected to are all the same file. `index` is the folder of the index that the command uses,
 * `others` are files that it reads besides its inputs.
 */
export async function requireOwnFiles(
  outputs: NamedOutputs,
  inputs: readonly InputFile[],
  index?: string | undefined,
  others: readonly string[] = [],
): Promise<void> {
  const taken = new Map<string, string>();
  for (const { path } of inputs) {
    const identity = path === STANDARD_INPUT ? redirectedTo(0) : await identityOf(path);
    if (identity !== undefined) taken.set(identity, `it would write over the input ${path}`);
  }
  for (const path of others) taken.set(await identityOf(path), `it would write over ${path}`);
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

/** How the documents that stay are written; `rows`: Parquet to Parquet, with every column as it was. */
export function formOf(output: string, inputs: readonly InputFile[], mark: boolean, nameOf: NameOf): DocumentsForm {
  const what = `${nameOf('output')} ${output}`;
  if (output.endsWith('/')) {
    if (!inputs.every(({ format }) => formats[format].isOneDocument))
      fail('BAD_COMBINATION', {
        what,
        why: 'only files that are one document each are copied to a folder',
      });
    if (mark)
      fail('BAD_COMBINATION', { what: `${nameOf('mark')} with ${what}`, why: 'copies of files have no fields to add' });
    return { kind: 'copies' };
  }
  const common = commonFormat(inputs);
  const format = outputFormat(output, output === STANDARD_OUTPUT && formats[common].needsFile ? 'jsonl' : common);
  const { copiesOnly, keepsColumns, label } = formats[format];
  if (copiesOnly && (common !== format || mark))
    fail('BAD_COMBINATION', {
      what,
      why: `only unchanged records of ${label} files can be written as ${label}; name a .jsonl file`,
    });
  requireWritable(nameOf('output'), output, format);
  return { kind: keepsColumns && common === format ? 'rows' : 'records', format };
}

/** Lists (evidence, clusters, pairs, rejects) are JSON lines, unless the name says CSV, JSON or Parquet. */
export function listFormat(flag: string, path: string): Format {
  const format = outputFormat(path, 'jsonl');
  const { copiesOnly, label } = formats[format];
  if (copiesOnly) fail('BAD_COMBINATION', { what: `${flag} ${path}`, why: `only documents go into a ${label} file` });
  requireWritable(flag, path, format);
  return format;
}

function requireWritable(flag: string, path: string, format: Format): void {
  const { compresses, label } = formats[format];
  if (compresses && readName(path).compression !== 'none')
    fail('BAD_COMBINATION', { what: `${flag} ${path}`, why: `${label} compresses by itself` });
}
