/** An index with crowds is of a version that older code refuses; one without is as it was. */
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { boilerplateDocuments } from '../../bench/boilerplate.ts';
import { matchIndexOptions, type WrittenIndexOptions } from '../../src/store/index-options.ts';
import { type Made, readMeta, writeMetaSync } from '../../src/store/lmdb/meta.ts';
import { openTables } from '../../src/store/lmdb/tables.ts';
import { temporaryFolder } from '../support/folder.ts';
import { damagesIn, noCrowds, openAt, smallCrowds } from '../support/indexes.ts';
import { redisForTests, redisServer } from '../support/redis.ts';

const documents = [...boilerplateDocuments('boil75', 120)];

/** As older code does, then with crowds: the verdicts of each half. */
async function addInTwoLives(location: string, between: () => Promise<void>): Promise<void> {
  const plain = await openAt(location, {}, noCrowds);
  for (const document of documents.slice(0, 60)) expect(await plain.add(document)).toMatchObject({ status: 'new' });
  await plain.close();
  await between();
  const index = await openAt(location, {}, smallCrowds(4));
  for (const document of documents.slice(60)) expect(await index.add(document)).toMatchObject({ status: 'new' });
  await index.close();
}

async function requireAllFound(location: string): Promise<void> {
  const index = await openAt(location, { readOnly: true });
  for (const { id, text } of documents)
    expect(await index.check({ id: 'asked', text: `${text} more` })).toMatchObject({ status: 'near', of: id });
  expect(await damagesIn(index)).toEqual([]);
  expect(Object.keys(index.options).join()).not.toMatch(/version/);
  await index.close();
}

describe('the version of an index on disk', () => {
  const madeIn = async (folder: string, change?: (made: Made) => object) => {
    const tables = openTables(folder, false);
    const made = readMeta<Made>(tables, 'made')!;
    if (change) writeMetaSync(tables, 'made', change(made));
    await tables.root.close();
    return made;
  };

  it('is 1 until its first crowd, and then 2, which older code refuses', async () => {
    const folder = join(temporaryFolder(), 'index');
    await addInTwoLives(folder, async () => {
      expect(await madeIn(folder)).toMatchObject({ version: 1 });
    });
    expect(await madeIn(folder)).toMatchObject({ format: 'neardup index', version: 2 });
    await requireAllFound(folder);
    const copy = join(temporaryFolder(), 'copy');
    const index = await openAt(folder, { readOnly: true });
    await index.backup(copy);
    await index.close();
    expect(await madeIn(copy)).toMatchObject({ version: 2 });
  });

  it('is refused where it is not known here', async () => {
    const folder = join(temporaryFolder(), 'index');
    await (await openAt(folder)).close();
    await madeIn(folder, made => ({ ...made, version: 3 }));
    await expect(openAt(folder)).rejects.toThrow(
      `the index ${folder} is damaged: it is of version 3, and 1 and 2 are read here`,
    );
  });
});

describe('the version of an index on Redis', () => {
  const redis = redisForTests();

  it.skipIf(!redisServer)('is 1 until its first crowd, and then 2, which older code refuses', async () => {
    const location = redis.single();
    const { hostname, port, searchParams } = new URL(location);
    const client = new Redis(Number(port), hostname);
    const key = `neardup:{${searchParams.get('index')}}:made`;
    const madeIn = async () => JSON.parse((await client.get(key))!) as WrittenIndexOptions & { version?: number };
    try {
      await addInTwoLives(location, async () => {
        expect(matchIndexOptions(await madeIn(), {}, location)).toMatchObject({ threshold: 0.8 });
      });
      expect(await madeIn()).toMatchObject({ version: 2 });
      // Older code does just this with what it finds.
      const made = await madeIn();
      expect(() => matchIndexOptions(made, {}, location)).toThrow(/version 2, which takes a newer neardup/);
      await requireAllFound(location);
      await client.set(key, JSON.stringify({ ...made, version: 3 }));
      await expect(openAt(location)).rejects.toThrow('it is of version 3, and 1 and 2 are read here');
    } finally {
      client.disconnect();
    }
  });
});
