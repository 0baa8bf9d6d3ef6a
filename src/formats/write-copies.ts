/** One-document files that stay → copies of them in a folder, which appears whole or not at all. */
import { copyFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { InputFile } from './inputs.ts';
import { makeFolder } from './make-folder.ts';
import { removeAtExit } from './remove-at-exit.ts';
import { failWriting } from './system-errors.ts';

export interface CopyWriter {
  copy(file: InputFile): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** Files go under the path they had below the folder that was named; a second one of that path under its full path. */
export async function openCopies(folder: string): Promise<CopyWriter> {
  const target = resolve(folder);
  const staging = `${target}.${process.pid}.tmp`;
  const taken = new Set<string>();
  removeAtExit(staging);
  try {
    makeFolder(staging);
  } catch (error) {
    failWriting(folder, error);
  }
  return {
    copy: async file => {
      const name = taken.has(file.relative) ? file.path.replace(/(^|[/\\])(?:\.{0,2}[/\\])+/g, '$1') : file.relative;
      taken.add(name);
      const path = join(staging, name);
      try {
        makeFolder(dirname(path));
        await copyFile(file.stored ?? file.path, path);
      } catch (error) {
        failWriting(join(folder, name), error);
      }
    },
    close: async () => {
      try {
        await mergeInto(staging, target);
      } catch (error) {
        await rm(staging, { recursive: true, force: true });
        failWriting(folder, error);
      }
    },
    abort: () => rm(staging, { recursive: true, force: true }),
  };
}

/** Into a folder that is there already, file by file. */
async function mergeInto(staging: string, target: string): Promise<void> {
  const isNew = await readdir(target).then(
    names => names.length === 0,
    () => true,
  );
  if (isNew) return rename(staging, target);
  for (const entry of await readdir(staging, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(target, from.slice(staging.length));
    makeFolder(dirname(to));
    await rename(from, to);
  }
  await rm(staging, { recursive: true, force: true });
}
