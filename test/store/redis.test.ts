/** What only an index on Redis does: several processes write it at once. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/store/record.ts';
import { damagesIn, indexAt, temporaryFolder } from '../support/indexes.ts';
import { redisForTests, redisServer } from '../support/redis.ts';

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
