/** A folder → the index in it, or room for one. */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, NeardupError } from '../../errors.ts';
import { makeFolder } from '../../formats/make-folder.ts';
import { failReading, failWriting } from '../../formats/system-errors.ts';
import type { StoreSetup } from '../contract.ts';
import type { WrittenIndexOptions } from '../index-options.ts';
import type { Place } from '../open-index.ts';
import { damageOfHeader } from './header.ts';
import { LmdbStore } from './lmdb-store.ts';
import { DamagedMeta, readMeta, writeMetaSync } from './meta.ts';
import { defaultLimits, type PostingLimits } from './postings.ts';
import { failedWrite, requireRoomToOpen, systemCode, type WritePlace } from './room.ts';
import { openTables, type Tables } from './tables.ts';
import { tellingDamage } from './telling-damage.ts';
import { takeWriterLock, type WriterLock } from './writer-lock.ts';

interface Made extends WrittenIndexOptions {
  readonly format: 'neardup index';
  readonly version: 1;
}

export function lmdbPlace(location: string, readOnly: boolean, limits: PostingLimits = defaultLimits): Place {
  let tables: Tables | undefined;
  let lock: WriterLock | undefined;
  let folder = location;
  const openIn = () => {
    folder = realpathSync(location);
    // LMDB maps this file; where it has to be made first, there must be room.
    if (!existsSync(join(folder, 'lock.mdb'))) requireRoomToOpen({ name: location, folder });
    return openFolder({ name: location, folder }, readOnly);
  };
  return {
    async readMade() {
      const data = join(location, 'data.mdb');
      // Of a process that was killed before it had made anything, the file is empty.
      if (!existsSync(data) || statSync(data).size === 0) return undefined;
      const damage = await damageOfHeader(data);
      if (damage !== undefined) fail('INDEX_DAMAGED', { index: location, what: damage });
      tables = openIn();
      return reading(location, () => madeIn(tables!, location));
    },
    async open(setup: StoreSetup, make: WrittenIndexOptions | undefined) {
      if (!tables) {
        makeRoom(location);
        tables = openIn();
      }
      if (!readOnly) lock = await lockFolder({ name: location, folder }, tables);
      if (make) {
        // Somebody else may have made it while we looked.
        const made = await reading(location, () => madeIn(tables!, location));
        if (made && JSON.stringify(made.options) !== JSON.stringify(make.options))
          fail('INDEX_OPTIONS', { index: location, differences: ['other options, by another process, just now'] });
        if (!made) writeMetaSync(tables!, 'made', { format: 'neardup index', version: 1, ...make } satisfies Made);
      }
      const parts = { name: location, folder, tables: tables!, setup, lock, limits };
      return tellingDamage(await reading(location, () => LmdbStore.open(parts)), location);
    },
    async abandon() {
      await lock?.release();
      await tables?.root.close();
    },
  };
}

function makeRoom(location: string): void {
  try {
    makeFolder(location);
  } catch (error) {
    failWriting(location, error);
  }
  // What another process is making just now may be there.
  if (readdirSync(location).some(name => name !== 'data.mdb' && name !== 'lock.mdb'))
    fail('BAD_INPUT', { file: location, reason: 'it is a folder with other files in it, and not an index' });
}

function openFolder({ name, folder }: WritePlace, readOnly: boolean): Tables {
  try {
    return openTables(folder, readOnly);
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
  // Whoever writes makes them; LMDB gives nothing to a reader where there is none.
  if (Object.values(tables).includes(undefined))
    fail('INDEX_DAMAGED', { index: location, what: 'it was never finished, or its first pages are damaged' });
  const made = readMeta<Made>(tables, 'made');
  if (made && made.version !== 1)
    fail('INDEX_DAMAGED', { index: location, what: `it is of version ${made.version}, and 1 is read here` });
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
