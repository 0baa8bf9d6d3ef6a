/** One-document files that stay → copies of them in a folder. */
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { failWriting } from '../files/system-errors.ts';
import type { InputFile } from './find/inputs.ts';

type Copy = (file: InputFile) => Promise<void>;

/** Every file under a name of its own. */
export function copyInto(folder: string): Copy {
  const taken = new Set<string>();
  return async file => {
    const path = join(folder, takeName(file, taken));
    try {
      makeFolder(dirname(path));
      await copyFile(file.stored ?? file.path, path);
    } catch (error) {
      failWriting(path, error);
    }
  };
}

/** Where the copies of files can come to be, whichever of them stay. */
export function copyTargets(folder: string, files: readonly InputFile[]): string[] {
  const [taken, names] = [new Set<string>(), new Set<string>()];
  for (const file of files) {
    names.add(file.relative);
    names.add(takeName(file, taken));
  }
  return Array.from(names, name => join(folder, name));
}

/** The path below the folder that was named; for a second file of that path its full path; then that in a folder 2, 3 … */
function takeName({ relative, path }: InputFile, taken: Set<string>): string {
  const full = path.replace(/(^|[/\\])(?:\.{0,2}[/\\])+/g, '$1');
  let name = relative;
  for (let copy = 1; taken.has(name); copy++) name = copy === 1 ? full : join(String(copy), full);
  taken.add(name);
  return name;
}
