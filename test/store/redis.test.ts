/** What only an index on Redis does: several processes write it at once. */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/store/record.ts';
import { temporaryFolder } from '../support/folder.ts';
import { damagesIn, indexAt } from '../support/indexes.ts';
import { redisForTests, redisServer, startRedis } from '../support/redis.ts';

const redis = redisForTests();
const dist = fileURLToPath(new URL('../../dist/store/open-index.js', import.meta.url));
const TEXTS = 150;

/** A process that adds the same texts as the others, under ids of its own, when it is told to. */
async function rival(location: string, name: string) {
  const script = join(temporaryFolder(), 'rival.mjs');
  writeFileSync(
    script,
    `import { openIndex } from ${JSON.stringify(dist)};
     const index = await openIndex(${JSON.stringify(location)});
     process.once('message', async () => {
       const verdicts = await Promise.all(Array.from({ length: ${TEXTS} }, (_, i) =>
         index.add({ id: '${name}' + i, text: Array.from({ length: 20 }, (_, w) => 'text' + i + 'word' + w).join(' ') })));
       await index.close();
       process.send(verdicts, () => process.exit());
     });
     process.send('ready');`,
  );
  const child = fork(script);
  expect(await once(child, 'message')).toEqual(['ready', undefined]);
  return child;
}

describe.skipIf(!redisServer).each(['single', 'cluster'] as const)('an index on Redis (%s)', kind => {
  it('gives one of several processes that add a text at once that it is new', async () => {
    const location = redis[kind]();
    const children = await Promise.all(['a', 'b', 'c'].map(name => rival(location, name)));
    const answers = children.map(child => once(child, 'message'));
    for (const child of children) child.send('go');
    const verdicts = (await Promise.all(answers)).map(([list]) => list as Verdict[]);
    for (let i = 0; i < TEXTS; i++) {
      const statuses = verdicts.map(list => list[i]!.status).sort();
      expect(statuses).toEqual(['exact', 'exact', 'new']);
    }
    const index = await indexAt(location);
    expect(await index.stats()).toMatchObject({ documents: TEXTS, verdicts: { new: TEXTS, exact: 2 * TEXTS } });
    expect(await damagesIn(index)).toEqual([]);
  });

  it('does not begin anew when a server has lost its data', async () => {
    const location = redis[kind]();
    const index = await indexAt(location);
    await index.add({ id: 'a', text: 'one two three four five six' });
    await index.add({ id: 'b', text: 'seven eight nine ten eleven twelve' });
    const { port, searchParams } = new URL(location);
    const name = searchParams.get('index') ?? 'neardup';
    expect(execFileSync('redis-cli', ['-c', '-p', port, 'del', `neardup:{${name}}:state`], { encoding: 'utf8' })).toBe(
      '1\n',
    );
    const lost = { code: 'INDEX_DAMAGED', message: expect.stringContaining('lost its data') };
    await expect(index.add({ id: 'c', text: 'another text of some words' })).rejects.toMatchObject(lost);
    await expect(index.check({ id: 'c', text: 'another text of some words' })).rejects.toMatchObject(lost);
  });

  it('refuses other options than it was made with, and reads without writing', async () => {
    const location = redis[kind]();
    await expect(indexAt(location, { readOnly: true })).rejects.toMatchObject({ code: 'NO_INDEX' });
    const index = await indexAt(location, { threshold: 0.9 });
    await index.add({ id: 'a', text: 'one two three four five six' });
    await expect(indexAt(location, { threshold: 0.8 })).rejects.toMatchObject({ code: 'INDEX_OPTIONS' });
    const reader = await indexAt(location, { readOnly: true });
    expect(await reader.get('a')).toEqual({ id: 'a', text: 'one two three four five six' });
    await expect(reader.remove('a')).rejects.toMatchObject({ code: 'READ_ONLY' });
    await expect(index.backup('/nowhere')).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
  });
});

describe.skipIf(!redisServer)('bytes of an index on Redis', () => {
  const words = (n: number, count: number) => Array.from({ length: count }, (_, w) => `t${n}w${w}`).join(' ');

  /** What Redis says of each key of a database. */
  function memoryOf(port: number, database: number): number {
    const script = `local sum = 0
      for _, key in ipairs(redis.call('keys', '*')) do sum = sum + redis.call('memory', 'usage', key) end
      return sum`;
    const args = ['-p', String(port), '-n', String(database), 'eval', script, '0'];
    return Number(execFileSync('redis-cli', args, { encoding: 'utf8' }));
  }

  it('are those of its own keys: exactly for a small one, about for a large one', async () => {
    const { port } = await startRedis();
    const small = await indexAt(`redis://127.0.0.1:${port}/1`);
    const large = await indexAt(`redis://127.0.0.1:${port}/2`);
    for (let n = 0; n < 30; n++) await small.add({ id: `small ${n}`, text: words(n % 25, 40) });
    const documents = Array.from({ length: 1500 }, (_, n) => ({
      id: `large ${n}`,
      text: words(n % 1300, 20 + (n % 300)),
    }));
    for await (const _ of large.addAll(documents));
    for (let n = 0; n < 200; n++) await large.remove(`large ${7 * n}`);
    expect((await small.stats()).bytes / memoryOf(port, 1)).toBeCloseTo(1, 2);
    const ratio = (await large.stats()).bytes / memoryOf(port, 2);
    expect(ratio).toBeGreaterThan(0.85);
    expect(ratio).toBeLessThan(1.15);
  });

  it('are those of all servers of a cluster', async () => {
    const index = await indexAt(redis.cluster());
    const { bytes } = await index.stats();
    for (let n = 0; n < 20; n++) await index.add({ id: `${n}`, text: words(n, 2000) });
    expect((await index.stats()).bytes).toBeGreaterThan(bytes + 20 * 3000);
  });
});
