/** An index in use → a copy of one moment of it, in another folder, which appears whole or not at all. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fail } from '../../errors.ts';
import { makeFolder } from '../../formats/make-folder.ts';
import { syncFile } from '../../formats/temporary.ts';
import { failedWrite } from './room.ts';
import type { Tables } from './tables.ts';

export async function copyIndex({ root }: Tables, path: string): Promise<void> {
  const target = resolve(path);
  if (isTaken(target)) fail('CANNOT_WRITE', { file: path, reason: 'there is something already' });
  const folder = join(dirname(target), `.${basename(target)}.part-${process.pid}`);
  try {
    makeFolder(folder);
    // Without the pages that are free.
    await root.backup(folder, true);
    await syncFile(join(folder, 'data.mdb'));
    await syncFile(folder);
    await rename(folder, target);
    await syncFile(dirname(target));
  } catch (error) {
    await failedWrite({ name: path, folder: dirname(target) }, error).finally(() =>
      rm(folder, { recursive: true, force: true }).catch(() => {}),
    );
  }
}

function isTaken(target: string): boolean {
  return existsSync(target) && !(statSync(target).isDirectory() && readdirSync(target).length === 0);
}
