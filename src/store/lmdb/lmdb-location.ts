/**
 * A folder → the index in it, or room for one.
 *
 * While an index is made, a file `unfinished` stands beside it. It tells an index whose making was killed, which is
 * completed, from one that lost what it had, which is damaged.
 */
import { existsSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, NeardupError } from '../../errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { failReading, failWriting } from '../../files/system-errors.ts';
import type { StoreSetup } from '../contract.ts';
import type { WrittenIndexOptions } from '../index-options.ts';
import type { IndexLocation } from '../open-index.ts';
import { requireKnownVersion } from '../versions.ts';
import { withDamageErrors } from './damage-errors.ts';
import { damageOfHeader } from './header.ts';
import { LmdbStore } from './lmdb-store.ts';
import { DamagedMeta, type Made, readMeta, writeMetaSync } from './meta.ts';
import { defaultLimits, type PostingLimits } from './postings/postings.ts';
import { failedWrite, requireRoomToOpen, systemCode, type WritePlace } from './room.ts';
import { openTables, type Tables } from './tables.ts';
import { requireNoWriter, takeWriterLock, type WriterLock } from './writer-lock.ts';

const DATA = 'data.mdb';
const LOCK = 'lock.mdb';
const UNFINISHED = 'unfinished';

export function lmdbLocation(
  location: string,
  readOnly: boolean,
  limits: PostingLimits = defaultLimits,
): IndexLocation {
  let tables: Tables | undefined;
  let lock: WriterLock | undefined;
  let folder = location;
  const isUnfinished = () => existsSync(join(location, UNFINISHED));
  const openIn = () => {
    folder = realpathSync(location);
    // LMDB maps this file; where it has to be made first, there must be room.
    if (!existsSync(join(folder, LOCK))) requireRoomToOpen({ name: location, folder });
    return openFolder({ name: location, folder }, readOnly, !readOnly && isUnfinished());
  };
  /** Looked at before what it was made with: whoever finishes it writes that first. */
  const readMadeIn = (opened: Tables, wasUnfinished: boolean) =>
    reading(location, () => {
      const made = madeIn(opened, location);
      if (!made && !wasUnfinished) fail('INDEX_DAMAGED', { index: location, what: 'its first pages are damaged' });
      if (!made && readOnly) fail('INDEX_UNFINISHED', { index: location });
      return made;
    });
  return {
    async readMade() {
      const data = join(location, DATA);
      const wasUnfinished = isUnfinished();
      if (!existsSync(data) || (wasUnfinished && statSync(data).size === 0))
        return readOnly && wasUnfinished ? fail('INDEX_UNFINISHED', { index: location }) : undefined;
      const damage = await damageOfHeader(data);
      if (damage !== undefined) fail('INDEX_DAMAGED', { index: location, what: damage });
      if (!readOnly) await requireNobodyWrites(location);
      tables = openIn();
      return readMadeIn(tables, wasUnfinished);
    },
    async open(setup: StoreSetup, make: WrittenIndexOptions | undefined) {
      if (!tables) {
        makeRoom(location);
        tables = openIn();
      }
      if (!readOnly) lock = await lockFolder({ name: location, folder }, tables);
      if (make) {
        // Somebody else may have made it while we looked.
        const made = await readMadeIn(tables, true);
        if (made && JSON.stringify(made.options) !== JSON.stringify(make.options))
          fail('INDEX_OPTIONS', { index: location, differences: ['other options, by another process, just now'] });
        if (!made) writeMetaSync(tables, 'made', { format: 'neardup index', version: 1, ...make } satisfies Made);
        await tables.root.flushed;
      }
      if (!readOnly) rmSync(join(folder, UNFINISHED), { force: true });
      const parts = { name: location, folder, tables: tables!, setup, lock, limits };
      return withDamageErrors(await reading(location, () => LmdbStore.open(parts)), location);
    },
    async abandon() {
      await lock?.release();
      await tables?.root.close();
    },
  };
}

/** With tables that only read, which never wait for a writer. */
async function requireNobodyWrites(location: string): Promise<void> {
  const folder = realpathSync(location);
  const tables = openFolder({ name: location, folder }, true, false);
  try {
    if (tables.meta) await reading(location, () => requireNoWriter(folder, tables));
  } finally {
    await tables.root.close();
  }
}

function makeRoom(location: string): void {
  try {
    makeFolder(location);
  } catch (error) {
    failWriting(location, error);
  }
  // What another process is making just now may be there.
  if (readdirSync(location).some(name => name !== DATA && name !== LOCK && name !== UNFINISHED))
    fail('BAD_INPUT', { file: location, reason: 'it is a folder with other files in it, and not an index' });
  requireRoomToOpen({ name: location, folder: location });
  try {
    // Not where another process has come further: who makes the data file removes this file when all is made.
    if (!existsSync(join(location, DATA))) writeFileSync(join(location, UNFINISHED), '');
  } catch (error) {
    failWriting(location, error);
  }
}

function openFolder({ name, folder }: WritePlace, readOnly: boolean, create: boolean): Tables {
  try {
    return openTables(folder, readOnly, create);
  } catch (error) {
    const code = systemCode(error as Error);
    if (code === undefined) fail('INDEX_DAMAGED', { index: name, what: (error as Error).message }, error);
    return readOnly ? failReading(name, { code }) : failWriting(name, { code });
  }
}

async function lockFolder(place: WritePlace, tables: Tables): Promise<WriterLock> {
  requireRoomToOpen(place);
  try {
    return await takeWriterLock(place.folder, tables);
  } catch (error) {
    if (error instanceof DamagedMeta) fail('INDEX_DAMAGED', { index: place.name, what: error.message }, error);
    return failedWrite(place, error);
  }
}

function madeIn(tables: Tables, location: string): Made | undefined {
  // LMDB gives nothing where there is no table.
  if (Object.values(tables).includes(undefined)) return undefined;
  const made = readMeta<Made>(tables, 'made');
  if (made) requireKnownVersion(made.version, location);
  return made;
}

/** What is not as it was written, found by us or by LMDB, is an error that names the index. */
async function reading<Result>(index: string, read: () => Result): Promise<Awaited<Result>> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NeardupError) throw error;
    const { message } = error as Error;
    return fail(
      'INDEX_DAMAGED',
      { index, what: error instanceof DamagedMeta ? message : `LMDB says ${message}` },
      error,
    );
  }
}
