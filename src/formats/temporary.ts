/** The name of a file to write → a temporary name beside it, which becomes the file only when all is written. */
import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { keepAtExit, removeAtExit } from './remove-at-exit.ts';
import { failWriting } from './system-errors.ts';

export interface Temporary {
  /** Where to write. */
  readonly path: string;
  /** Makes it the file, safe against a power cut. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

export async function temporaryFor(target: string): Promise<Temporary> {
  const place = await stat(target).catch(() => undefined);
  if (place?.isDirectory()) failWriting(target, { code: 'EISDIR' });
  // /dev/null and pipes are written to: a file in their place would be a disaster.
  if (place && !place.isFile()) return inPlace(target);

  const real = place ? await realpath(target) : target;
  const path = join(dirname(real), `.${basename(real)}.${randomBytes(6).toString('hex')}.tmp`);
  removeAtExit(path);
  return {
    path,
    commit: async () => {
      try {
        await syncFile(path);
        await rename(path, real);
        await syncFile(dirname(real)).catch(() => {}); // not every system can sync a folder
      } catch (error) {
        failWriting(target, error);
      } finally {
        keepAtExit(path);
      }
    },
    discard: async () => {
      keepAtExit(path);
      await rm(path, { force: true });
    },
  };
}

/** The file itself: what is written stays. */
export function inPlace(target: string): Temporary {
  return { path: target, commit: async () => {}, discard: async () => {} };
}

/** Or a folder. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
