/** An index in use → a copy of one moment of it, in another folder, which appears whole or not at all. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fail, NeardupError } from '../../errors.ts';
import { isInside } from '../../files/real-path.ts';
import { discard, type Pending, pendingFolder, putInPlace } from '../../files/temporary.ts';
import { requireSoundTables } from './check.ts';
import { failedWrite, isDamage } from './room.ts';
import { openTables, type Tables } from './tables.ts';

/** With the files `besides` it that are there. The copy is read before it appears: what is damaged in the index, `name`, is not handed on. */
export async function copyIndex(
  { root }: Tables,
  name: string,
  path: string,
  besides: readonly string[] = [],
): Promise<void> {
  const target = resolve(path);
  if (await isInside(name, path))
    fail('CANNOT_WRITE', { file: path, reason: `it is in the folder of the index ${name}` });
  if (isTaken(target)) fail('CANNOT_WRITE', { file: path, reason: 'there is something already' });
  let pending: Pending | undefined;
  try {
    pending = await pendingFolder(path);
    // Without the pages that are free.
    await root.backup(pending.path, true).catch((error: Error) => tellDamaged(error, name));
    await requireSoundCopy(pending.path, name);
    for (const file of besides) if (existsSync(file)) await cp(file, join(pending.path, basename(file)));
    await putInPlace([pending]);
  } catch (error) {
    await failedWrite({ name: path, folder: dirname(target) }, error);
  } finally {
    if (pending) discard(pending);
  }
}

async function requireSoundCopy(folder: string, name: string): Promise<void> {
  const copy = openTables(folder, true);
  try {
    await requireSoundTables(copy, name);
  } catch (error) {
    if (error instanceof NeardupError) throw error;
    fail('INDEX_DAMAGED', { index: name, what: `LMDB says ${(error as Error).message}` }, error);
  } finally {
    await copy.root.close();
    await rm(join(folder, 'lock.mdb'), { force: true });
  }
}

function tellDamaged(error: Error, index: string): never {
  if (!isDamage(error)) throw error;
  return fail('INDEX_DAMAGED', { index, what: `LMDB says ${error.message}` }, error);
}

function isTaken(target: string): boolean {
  return existsSync(target) && !(statSync(target).isDirectory() && readdirSync(target).length === 0);
}
