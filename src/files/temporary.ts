/**
 * The name of a result → a private file beside it, which takes that name only when all is written.
 *
 * The one order in which results appear: write, sync the file, rename it, sync its folder. A power cut leaves the old file or the new one.
 */
import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { failWriting } from './system-errors.ts';
import { isInWorkFolder, removeWorkFolder, workFolderFor } from './work-folder.ts';

export interface Temporary {
  /** Where to write. */
  readonly path: string;
  /** Makes it the file, safe against a power cut. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

export async function temporaryFor(target: string): Promise<Temporary> {
  // It is part of a result that is pending already.
  if (isInWorkFolder(target)) return { ...inPlace(target), discard: () => rm(target, { force: true }) };
  const pending = await pendingFile(target);
  if (!pending) return inPlace(target);
  return {
    path: pending.path,
    commit: () => putInPlace([pending]).finally(() => discard(pending)),
    discard: async () => discard(pending),
  };
}

/** The file itself: what is written stays. */
export function inPlace(target: string): Temporary {
  return { path: target, commit: async () => {}, discard: async () => {} };
}

/** A file, or a folder of copies, on its way to a target. */
export interface Pending {
  /** Where to write: under its own name, as the ending of the name tells format and compression. */
  readonly path: string;
  /** As the user wrote it. */
  readonly target: string;
  readonly folder: string;
  /** Makes it durable, with the mode it is to have. */
  prepare(): Promise<void>;
  /** Returns the folders whose entries have changed. */
  appear(): Promise<Iterable<string>>;
}

/** Undefined for pipes and devices like /dev/null, which are written to: a file in their place would be a disaster. */
export async function pendingFile(target: string): Promise<Pending | undefined> {
  const replaced = await stat(target).catch(() => undefined);
  if (replaced?.isDirectory()) failWriting(target, { code: 'EISDIR' });
  if (replaced && !replaced.isFile()) return undefined;
  const real = replaced ? await realpath(target) : resolve(target);
  const folder = workFolderFor(target, dirname(real), OUTPUTS);
  const path = join(folder, basename(real));
  return {
    path,
    target,
    folder,
    prepare: () => finish(path, replaced),
    appear: async () => {
      await rename(path, real);
      return [dirname(real)];
    },
  };
}

/** Files that are put into a folder, which need not be there yet; those it holds stay. */
export async function pendingFolder(target: string): Promise<Pending> {
  const real = resolve(target);
  try {
    makeFolder(dirname(real));
  } catch (error) {
    failWriting(target, error);
  }
  const folder = workFolderFor(target, dirname(real), OUTPUTS);
  const path = join(folder, basename(real));
  makeFolder(path);
  return {
    path,
    target,
    folder,
    prepare: async () => {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      await inParallel(entries, entry => sync(join(entry.parentPath, entry.name)));
      await sync(path);
    },
    appear: () => merge(path, real),
  };
}

/** All of them are durable before the first appears. */
export async function putInPlace(all: readonly Pending[]): Promise<void> {
  for (const pending of all) await pending.prepare().catch(error => failWriting(pending.target, error));
  const changed = new Set<string>();
  for (const pending of all)
    for (const folder of await pending.appear().catch(error => failWriting(pending.target, error))) changed.add(folder);
  // Not every system can sync a folder.
  for (const folder of changed) await sync(folder).catch(() => {});
}

export function discard({ folder }: Pending): void {
  removeWorkFolder(folder);
}

/** A file or a folder. */
async function sync(path: string): Promise<void> {
  await withOpen(path, handle => handle.sync());
}

/** In the folder of the result, so that a rename brings it to its place. */
const OUTPUTS = '.neardup-';

/** A new file has the mode a shell would give it; one that takes the place of another has that one's, and its owner. */
async function finish(path: string, replaced: Stats | undefined): Promise<void> {
  await withOpen(path, async handle => {
    if (replaced) {
      const { uid, gid, mode } = replaced;
      await handle.chown(uid, gid).catch(() => {}); // for root, and groups one is a member of
      await handle.chmod(mode & 0o7777);
    }
    await handle.sync();
  });
}

async function withOpen(path: string, work: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await work(handle);
  } finally {
    await handle.close();
  }
}

/** The whole folder at once if there is none of that name, else file by file. */
async function merge(from: string, to: string): Promise<Set<string>> {
  const changed = new Set([dirname(to)]);
  if (!(await stat(to).catch(() => undefined))) {
    await rename(from, to);
    return changed;
  }
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const target = join(to, path.slice(from.length));
    changed.add(dirname(target));
    if (entry.isDirectory()) makeFolder(target);
    else await rename(path, target);
  }
  return changed;
}

const AT_A_TIME = 8;

/** Syncs share the journal of the disk: several at a time take hardly longer than one. */
async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
