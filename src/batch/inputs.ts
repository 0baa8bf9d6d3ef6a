/** Inputs of a run → files that can be read twice, and their size. */
import { type BigIntStats, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { failReading, failWriting } from '../files/system-errors.ts';
import { identityIn } from '../files/unchanged.ts';
import { workFolderFor } from '../files/work-folder.ts';
import { readBytes } from '../formats/bytes.ts';
import { expandInputs, type InputFile, isUrl, STANDARD_INPUT, urlInput } from '../formats/find/inputs.ts';
import type { Reject } from '../formats/item.ts';
import type { Format } from '../formats/registry.ts';
import { type Messages, unknownEndings } from './losses.ts';

interface RunInputs {
  readonly files: readonly InputFile[];
  /** As they are stored: compressed, if they are. */
  readonly bytes: number;
  /** Links in folders that lead nowhere. */
  readonly brokenLinks: readonly Reject[];
}

/** Standard input and pipes are copied to a temporary file first, because the documents that stay are read a second time. */
export async function openInputs(
  inputs: readonly string[],
  {
    format,
    strict,
    engine,
  }: { readonly format?: Format | undefined; readonly strict?: boolean | undefined; readonly engine?: string },
  io: Messages,
  tmp = tmpdir(),
): Promise<RunInputs> {
  const files: InputFile[] = [];
  const brokenLinks: Reject[] = [];
  let bytes = 0;
  const brokenLink = strict ? undefined : (reject: Reject) => void brokenLinks.push(reject);
  const onSkipped = { brokenLink, unknownEndings: unknownEndings(io) };
  const toldApart = numberRepeats();
  for (const input of inputs) {
    // Only Spark reads URLs. For other engines they are names of files that do not exist.
    if (engine === 'spark' && isUrl(input)) {
      files.push(urlInput(input, format));
      continue;
    }
    for (const file of await expandInputs([input], format, onSkipped)) {
      const readable = (await asItIsNow(file)) ?? (await stored(file, tmp));
      bytes += (await stat(readable.stored ?? readable.path)).size;
      files.push(toldApart(readable));
    }
  }
  return { files, bytes, brokenLinks };
}

/** A file that is named again is read again, as `a.jsonl#2`, so that the locations of its documents differ from the first ones. */
function numberRepeats(): (file: InputFile) => InputFile {
  const counts = new Map<string, number>();
  return ({ identity, ...file }) => {
    const { path, stored = path } = file;
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    // Whether a repeated file changes is watched once, under the name it has.
    return count === 1 ? { ...file, ...(identity && { identity }) } : { ...file, path: `${path}#${count}`, stored };
  };
}

/** With its identity; undefined for pipes, which have none. */
export async function asItIsNow(file: InputFile): Promise<InputFile | undefined> {
  const found = file.path === STANDARD_INPUT ? undefined : await statOf(file.path);
  return found?.isFile() ? { ...file, identity: identityIn(found) } : undefined;
}

/** The same; a pipe as it is. */
export async function watched(file: InputFile): Promise<InputFile> {
  return (await asItIsNow(file)) ?? file;
}

function statOf(path: string): Promise<BigIntStats> {
  return stat(path, { bigint: true }).catch(error => failReading(path, error));
}

/** A copy of a pipe, which can be read more than once. */
export async function stored(file: InputFile, tmp = tmpdir()): Promise<InputFile & { stored: string }> {
  const path = join(workFolderFor(tmp, tmp, 'neardup-input-'), 'input');
  await pipeline(readBytes({ ...file, compression: 'none' }), createWriteStream(path, { mode: 0o600 })).catch(error =>
    error instanceof Error && 'place' in error ? Promise.reject(error) : failWriting(path, error),
  );
  return { ...file, stored: path };
}
