/** Making an index, killed at any moment → an index that is unfinished, never one that is damaged. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { open } from 'lmdb';
import { describe, expect, it } from 'vitest';
import { neardup } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { damagesIn, openAt } from '../support/indexes.ts';

const KILLS = Number(process.env.NEARDUP_KILLS ?? 6);
const worker = fileURLToPath(new URL('../support/crash-worker.mjs', import.meta.url));
const options = { shingle: 'word:1', lsh: 'bands:128x1', threshold: 0.5 } as const;

/** What a reader is told; then whether a writer completes it. */
async function completed(folder: string): Promise<string> {
  const told = await openAt(folder, { readOnly: true }).then(
    async index => {
      await index.close();
      return 'made';
    },
    error => error.code as string,
  );
  const index = await openAt(folder, options);
  expect(await index.add({ id: 'a', text: 'one two three' })).toBeDefined();
  expect(await damagesIn(index)).toEqual([]);
  await index.close();
  expect(readdirSync(folder)).not.toContain('unfinished');
  return told;
}

describe('an index whose making was killed', () => {
  it(
    `is unfinished, not damaged, and the next addition completes it, ${KILLS} times`,
    async () => {
      const told: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const folder = join(temporaryFolder(), 'index');
        const child = spawn(process.execPath, [worker, folder, '1', '1', '{}'], { stdio: 'ignore' });
        while (!existsSync(folder) && child.exitCode === null) await setTimeout(1);
        await setTimeout((kill * 24) / KILLS);
        child.kill('SIGKILL');
        await once(child, 'exit');
        told.push(await completed(folder));
      }
      for (const code of told) expect(['made', 'NO_INDEX', 'INDEX_UNFINISHED']).toContain(code);
    },
    60_000 + KILLS * 3_000,
  );

  it.each([
    ['before there was anything in its file', (folder: string) => writeFileSync(join(folder, 'data.mdb'), '')],
    [
      'before all its tables were there',
      async (folder: string) => {
        const root = open({ path: folder, noSubdir: false, pageSize: 16_384 });
        root.openDB({ name: 'meta' });
        await root.close();
      },
    ],
  ])('%s is unfinished, and is damaged if it had been finished', async (_, makeSome) => {
    const folder = join(temporaryFolder(), 'index');
    mkdirSync(folder);
    await makeSome(folder);
    for (const readOnly of [true, false])
      await expect(openAt(folder, { readOnly })).rejects.toMatchObject({ code: 'INDEX_DAMAGED' });
    writeFileSync(join(folder, 'unfinished'), '');
    for (const args of [['stats'], ['check'], ['compact'], ['remove', 'a']]) {
      const { code, stderr } = await neardup(['index', args[0]!, folder, ...args.slice(1)]);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^neardup: the index \S+ is unfinished: /),
      });
    }
    expect(await completed(folder)).toBe('INDEX_UNFINISHED');
  });

  it('is damaged when a whole one has lost its bytes', async () => {
    const folder = join(temporaryFolder(), 'index');
    await completed(folder);
    truncateSync(join(folder, 'data.mdb'), 0);
    for (const readOnly of [true, false])
      await expect(openAt(folder, { readOnly })).rejects.toMatchObject({ code: 'INDEX_DAMAGED' });
  });
});

describe('an entry that is removed while others search', () => {
  it('is never taken for one that is lost', async () => {
    const folder = join(temporaryFolder(), 'index');
    const index = await openAt(`small:${folder}`, options);
    const reader = await openAt(folder, { readOnly: true });
    const text = (n: number) => Array.from({ length: 12 }, (_, w) => `w${(n % 9) * 3 + w}`).join(' ');
    let isDone = false;
    const searching = [index, reader].map(async from => {
      let searches = 0;
      for (; !isDone; searches++) {
        await from.search({ text: text(searches) });
        await from.check({ id: 'asked', text: text(searches) });
        await from.get(`d${searches % 20}`);
        if (searches % 8 === 0) await setTimeout(0);
      }
      return searches;
    });
    for (let n = 0; n < 60; n++) {
      const id = `d${n % 20}`;
      await Promise.all([
        index.put({ id, text: `${text(n)} v${n}` }, { store: 'all' }),
        index.put({ id: `e${n % 7}`, text: text(n + 3) }, { store: 'all' }),
        index.add({ id: `gone${n}`, text: text(n + 5) }, { store: 'all' }),
        index.remove(`gone${n}`),
        index.remove(`d${(n + 10) % 20}`),
      ]);
    }
    isDone = true;
    for (const searches of await Promise.all(searching)) expect(searches).toBeGreaterThan(10);
    expect(await damagesIn(index)).toEqual([]);
    await reader.close();
    await index.close();
    const again = await openAt(`small:${folder}`);
    expect(await damagesIn(again)).toEqual([]);
    await again.close();
  }, 60_000);
});
