/** One-document files that stay → copies of them in a folder. */
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { InputFile } from './inputs.ts';
import { makeFolder } from './make-folder.ts';
import { failWriting } from './system-errors.ts';

export type Copy = (file: InputFile) => Promise<void>;

/** Files go under the path they had below the folder that was named; a second one of that path under its full path. */
export function copyInto(folder: string): Copy {
  const taken = new Set<string>();
  return async file => {
    const name = taken.has(file.relative) ? file.path.replace(/(^|[/\\])(?:\.{0,2}[/\\])+/g, '$1') : file.relative;
    taken.add(name);
    const path = join(folder, name);
    try {
      makeFolder(dirname(path));
      await copyFile(file.stored ?? file.path, path);
    } catch (error) {
      failWriting(path, error);
    }
  };
}
