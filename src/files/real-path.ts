/** A path, there or not yet → where it is or will be, with every link on the way followed. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';

export async function realPathOf(path: string): Promise<string> {
  const full = resolve(path);
  const parent = dirname(full);
  return realpath(full).catch(async () => (parent === full ? full : join(await realPathOf(parent), basename(full))));
}

/** Whether a path is a folder or below it. The location of an index on a server is no folder. */
export async function isInside(folder: string, path: string): Promise<boolean> {
  if (folder.includes('://')) return false;
  const [outer, inner] = [await realPathOf(folder), await realPathOf(path)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
