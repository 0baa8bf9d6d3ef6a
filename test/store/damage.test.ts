/** Bytes of an index that are not as they were written: each one is found, and of a document it is said which. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { writeMetaSync } from '../../src/store/lmdb/meta.ts';
import { openTables, type Tables } from '../../src/store/lmdb/tables.ts';
import type { NearIndex } from '../../src/store/near-index.ts';
import { Entry } from '../../src/store/record.ts';
import { temporaryFolder } from '../support/folder.ts';
import { damagesIn, openAt, smallCrowds } from '../support/indexes.ts';

const SEED = Number(process.env.NEARDUP_SEED ?? 1);
/** `NEARDUP_FLIPS=all` flips every byte of every record. */
const FLIPS = process.env.NEARDUP_FLIPS ?? '150';
const FILE_FLIPS = FLIPS === 'all' ? 1000 : 30;
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const worker = fileURLToPath(new URL('../support/content-worker.mjs', import.meta.url));
const options = { shingle: 'word:1', lsh: 'bands:128x1', threshold: 0.5 } as const;

const CROWD = 6;

/** In small runs: blocks, filters, tombstones, duplicates, a set, fields, crowds, and texts long enough to be compressed. */
async function madeIndex(pages = 12): Promise<string> {
  const folder = join(temporaryFolder(), 'index');
  const index = await openAt(`small:${folder}`, { ...options, store: 'new' }, smallCrowds(3));
  const words = (n: number) => Array.from({ length: 30 }, (_, w) => `w${n * 20 + w}`).join(' ');
  for (let n = 0; n < pages; n++) await index.add({ id: `page ${n}`, text: words(3 * n), lang: 'en' });
  for (let n = 0; n < 4; n++) await index.add({ id: `copy ${n}`, text: words(3 * n) });
  const shared = Array.from({ length: 20 }, (_, w) => `shared${w}`).join(' ');
  for (let n = 0; n < CROWD; n++) await index.add({ id: `crowd ${n}`, text: `${shared} ${words(1000 + 3 * n)}` });
  await index.add({ id: 'set', set: ['a', 'b', 7] });
  await index.add({ id: 'ü', text: 'short' });
  for (const n of [4, 9]) await index.remove(`page ${n}`);
  await index.close();
  return folder;
}

/** Without pages that are free, where a flip changes nothing. */
async function backupOf(folder: string): Promise<string> {
  const copy = join(temporaryFolder(), 'copy');
  const index = await openAt(folder, { readOnly: true });
  await index.backup(copy);
  await index.close();
  return copy;
}

/** What opening and checking say. */
async function found(folder: string): Promise<string[]> {
  try {
    const index = await openAt(folder, { readOnly: true });
    try {
      return await damagesIn(index);
    } finally {
      await index.close();
    }
  } catch (error) {
    expect(error).toMatchObject({ code: 'INDEX_DAMAGED' });
    return [(error as Error).message];
  }
}

describe('a byte that is flipped in', () => {
  const random = createRandom(SEED);
  type Flip = (key: unknown, flipped: Buffer, whole: Buffer) => Promise<void>;

  /** Each byte of each value of a table, or so many at random, one after another. */
  async function flipIn(name: Exclude<keyof Tables, 'root'>, tables: Tables, look: Flip, all = FLIPS === 'all') {
    const table = tables[name] as Tables['meta'];
    const places = [...table.getRange()].flatMap(({ key, value }) => {
      const whole = Buffer.from(value);
      return Array.from(whole, (_, at) => ({ key, whole, at }));
    });
    const count = all ? places.length : Math.min(places.length, Number(FLIPS));
    expect(count).toBeGreaterThan(50);
    for (let flip = 0; flip < count; flip++) {
      const { key, whole, at } = all ? places[flip]! : random.pick(places);
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 1 << random.below(8);
      table.putSync(key, flipped);
      await look(key, flipped, whole);
      table.putSync(key, whole);
    }
  }

  async function withTables(work: (folder: string, tables: Tables) => Promise<void>): Promise<void> {
    const folder = await madeIndex();
    const tables = openTables(folder, false);
    try {
      expect(await found(folder)).toEqual([]);
      await work(folder, tables);
      expect(await found(folder)).toEqual([]);
    } finally {
      await tables.root.close();
    }
  }

  it(
    'an entry is found, and its document is named, even if its id is what was flipped',
    () =>
      withTables(async (folder, tables) => {
        const entries = [...tables.entries.getRange()].map(({ key, value }) => Entry.checked(key, value));
        expect(entries.filter(({ isCommons }) => isCommons).length).toBeGreaterThan(0);
        expect(entries.filter(({ commonBits }) => commonBits).length).toBeGreaterThan(1);
        await flipIn('entries', tables, async (number, _, whole) => {
          const { id } = Entry.checked(number as number, whole);
          // What names common elements is no document.
          expect(await found(folder)).toContain(`${id || number}: its checksum is wrong`);
        });
      }),
    900_000,
  );

  it.each(['blocks', 'filters'] as const)(
    '%s of postings is found',
    name =>
      withTables(async (folder, tables) => {
        await flipIn(name, tables, async () => {
          expect((await found(folder)).join()).toMatch(/(block|filter).*: its checksum is wrong/);
        });
      }),
    900_000,
  );

  it(
    'options, state, list of runs or name of the writer is found',
    () =>
      withTables(async (folder, tables) => {
        writeMetaSync(tables, 'writer', { socket: 'nobody', pid: 1, folder });
        const seen = new Set<unknown>();
        const look: Flip = async name => {
          expect((await found(folder)).join()).toContain(`the checksum of its ${name} record is wrong`);
          seen.add(name);
        };
        await flipIn('meta', tables, look, true);
        expect([...seen].sort()).toEqual(['made', 'runs', 'state', 'writer']);
      }),
    900_000,
  );

  it('the key of an entry, a duplicate or a removal is found', () =>
    withTables(async (folder, tables) => {
      const move = async <Key extends number | Buffer>(
        table: Tables['members'] | Tables['entries'],
        from: Key,
        to: Key,
      ) => {
        const moved = table as unknown as {
          getBinary(key: Key): Buffer;
          putSync(key: Key, value: Buffer): void;
          removeSync(key: Key): void;
        };
        const value = Buffer.from(moved.getBinary(from));
        moved.removeSync(from);
        moved.putSync(to, value);
        expect(await found(folder)).not.toEqual([]);
        moved.removeSync(to);
        moved.putSync(from, value);
      };
      const entries = [...tables.entries.getKeys()];
      for (const number of entries) await move(tables.entries, number, number ^ 64);
      for (const key of [...tables.members.getKeys()].map(key => Buffer.from(key))) {
        for (const at of [3, 7]) {
          const flipped = Buffer.from(key);
          flipped[at]! ^= 1 << random.below(8);
          await move(tables.members, key, flipped);
        }
      }
      const [removed] = [...tables.tombstones.getKeys()];
      await move(tables.tombstones, removed!, entries[0]!);
    }));
});

describe('a damaged index', () => {
  /** A byte of the middle record of a table. */
  async function damage(folder: string, name: 'entries' | 'blocks' | 'filters' | 'meta'): Promise<void> {
    const tables = openTables(folder, false);
    const table = tables[name] as Tables['meta'];
    const keys = name === 'meta' ? ['state'] : [...table.getKeys()];
    const key = keys[keys.length >> 1]!;
    const bytes = Buffer.from(table.getBinary(key)!);
    bytes[bytes.length >> 1]! ^= 4;
    table.putSync(key, bytes);
    await tables.root.close();
  }

  it.each([
    ['entries', /: document "(page|copy|crowd) \d+": its checksum is wrong$/],
    ['blocks', /: block \d+ of run \d+ of postings: its checksum is wrong$/],
    ['filters', /: page \d+ of the filter of run \d+ of postings: its checksum is wrong$/],
    ['meta', /: the checksum of its state record is wrong$/],
  ] as const)('(%s) is neither copied nor compacted: what is damaged is told', async (name, message) => {
    const folder = await madeIndex();
    await damage(folder, name);
    const damages = await found(folder);
    expect(damages).not.toEqual([]);
    const target = join(temporaryFolder(), 'copy');
    const told = { code: 'INDEX_DAMAGED', message: expect.stringMatching(message) };
    const refuse = async (readOnly: boolean, work: (index: NearIndex) => Promise<void>) => {
      const index = await openAt(folder, { readOnly });
      await work(index).finally(() => index.close());
    };
    await expect(refuse(true, index => index.backup(target))).rejects.toMatchObject(told);
    expect(readdirSync(dirname(target))).toEqual([]);
    await expect(refuse(false, index => index.compact())).rejects.toMatchObject(told);
    expect(await found(folder)).toEqual(damages);
    for (const args of [
      ['backup', folder, target],
      ['compact', folder],
    ]) {
      const { status, stderr } = spawnSync(process.execPath, [main, 'index', ...args], { encoding: 'utf8' });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^neardup: the index [^\n]+ is damaged: [^\n]+\n$/);
    }
    expect(readdirSync(dirname(target))).toEqual([]);
  });

  it('that is whole is copied without what reading the copy leaves', async () => {
    const copy = await backupOf(await madeIndex());
    expect(readdirSync(copy)).toEqual(['data.mdb']);
    expect(await found(copy)).toEqual([]);
  });
});

describe('a byte that is flipped in the file', () => {
  const PAGE = 16_384;
  const PAGES = 250;
  const random = createRandom(SEED + 1);
  const ids = [
    ...Array.from({ length: PAGES }, (_, n) => `page ${n}`),
    ...Array.from({ length: CROWD }, (_, n) => `crowd ${n}`),
    'copy 0',
    'copy 1',
    'copy 2',
    'copy 3',
    'set',
    'ü',
  ];

  /** Anywhere, or where LMDB keeps its own: the beginnings of pages. */
  function somePlace(size: number): number {
    const page = random.below(size / PAGE);
    return page * PAGE + random.pick([random.below(PAGE), 16 + random.below(144)]);
  }

  function contentsOf(folders: readonly string[]): string[] {
    const { status, stdout } = spawnSync(process.execPath, [worker, JSON.stringify(ids), JSON.stringify(folders)], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    return stdout.split('\n').slice(0, -1);
  }

  it(
    'is found, or changes nothing of what the index says',
    async () => {
      const whole = await backupOf(await madeIndex(PAGES));
      const bytes = readFileSync(join(whole, 'data.mdb'));
      const copies = temporaryFolder();
      const unchanged: string[] = [];
      const told: Record<string, number> = {};
      for (let flip = 0; flip < FILE_FLIPS; flip++) {
        const at = somePlace(bytes.length);
        const flipped = Buffer.from(bytes);
        flipped[at]! ^= 1 << random.below(8);
        const folder = join(copies, `${flip}-at-${at}`);
        mkdirSync(folder);
        writeFileSync(join(folder, 'data.mdb'), flipped);
        const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'index', 'check', folder], {
          encoding: 'utf8',
        });
        if (status === 0) {
          expect(stderr).toContain('no damage');
          unchanged.push(folder);
          continue;
        }
        expect(status, `${folder}: ${stderr}`).toBe(1);
        expect(`${stdout}${stderr}`).toMatch(/damage/);
        const kind = stderr.includes('cannot read its own pages')
          ? 'that ended the process'
          : stdout === ''
            ? 'that LMDB told'
            : 'that we told';
        told[kind] = (told[kind] ?? 0) + 1;
        rmSync(folder, { recursive: true });
      }
      const [wanted] = contentsOf([whole]);
      expect(contentsOf(unchanged)).toEqual(unchanged.map(() => wanted));
      console.log(`${FILE_FLIPS} flips: ${unchanged.length} in what is not read, ${JSON.stringify(told)}`);
    },
    60_000 + FILE_FLIPS * 5_000,
  );

  it('of a file that is cut off, or is no index, is one clear line', async () => {
    const whole = await madeIndex();
    const bytes = readFileSync(join(whole, 'data.mdb'));
    const folder = join(temporaryFolder(), 'index');
    mkdirSync(folder);
    for (const damaged of [
      bytes.subarray(0, -PAGE),
      bytes.subarray(0, PAGE + 7),
      Buffer.from('x'),
      Buffer.alloc(3 * PAGE),
    ]) {
      writeFileSync(join(folder, 'data.mdb'), damaged);
      for (const command of ['check', 'stats', 'compact']) {
        const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'index', command, folder], {
          encoding: 'utf8',
        });
        expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
        expect(stderr).toMatch(/^neardup: the index [^\n]+ is damaged: [^\n]+\n$/);
      }
    }
  });
});
