/** What only an index on disk does: opening again, one writer and many readers, runs, damage, copies while it is in use. */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../src/model.ts';
import { readMeta } from '../../src/store/lmdb/meta.ts';
import type { Manifest } from '../../src/store/lmdb/postings/manifest.ts';
import { openTables } from '../../src/store/lmdb/tables.ts';
import { neardup, words } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { damagesIn, indexAt, openAt } from '../support/indexes.ts';

const text = (id: string, from: number, to: number): Document => ({ id, text: words(from, to) });
const options = { shingle: 'word:1', lsh: 'bands:128x1', threshold: 0.5 } as const;
const dist = fileURLToPath(new URL('../../dist/store/open-index.js', import.meta.url));

/** A process that opens the index for writing, says so, and waits to be killed. */
function holder(folder: string) {
  const script = join(folder, '..', 'holder.mjs');
  writeFileSync(
    script,
    `import { openIndex } from ${JSON.stringify(dist)};
     await openIndex(${JSON.stringify(folder)}).then(() => process.send('open'), error => process.send(error.message));
     setInterval(() => {}, 1000);`,
  );
  return fork(script);
}

describe('an index on LMDB', () => {
  it('is the same when it is opened again, whether its tail was written or not', async () => {
    for (const count of [3, 300]) {
      const folder = join(temporaryFolder(), 'index');
      const first = await openAt(folder, options);
      for (let i = 0; i < count; i++) await first.add(text(`d${i}`, i * 50, i * 50 + 40));
      await first.close();
      const again = await indexAt(folder);
      expect(await again.add(text('copy', 100, 139))).toMatchObject({ status: 'near', of: 'd2' });
      expect(await again.stats()).toMatchObject({ documents: count });
      expect(await damagesIn(again)).toEqual([]);
    }
  });

  it('names the options it was made with when others are given', async () => {
    const folder = join(temporaryFolder(), 'index');
    await (await openAt(folder, options)).close();
    await expect(openAt(folder, { ...options, threshold: 0.6, seed: 2 })).rejects.toMatchObject({
      code: 'INDEX_OPTIONS',
      message: `the index ${folder} was made with threshold 0.5, not 0.6; seed 1, not 2`,
    });
    await expect(openAt(folder, { ...options, normalize: 'nfkc' })).rejects.toThrow('normalise none, not nfkc');
    await expect(openAt(folder, { measure: 'edit' })).rejects.toMatchObject({ code: 'BAD_COMBINATION' });
    await expect(openAt(folder, { colour: 'red' } as never)).rejects.toMatchObject({ code: 'BAD_OPTION' });
    await (await openAt(folder, { threshold: 0.5, lsh: 'bands:128x1' })).close();
  });

  it('refuses a folder that holds something else', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'letter.txt'), 'dear');
    await expect(openAt(folder)).rejects.toThrow('not an index');
    await expect(openAt(join(folder, 'nothing'), { readOnly: true })).rejects.toMatchObject({ code: 'NO_INDEX' });
  });

  it('lets one process write at a time, and the next one after a kill', async () => {
    const folder = join(temporaryFolder(), 'index');
    const child = holder(folder);
    expect(await once(child, 'message')).toEqual(['open', undefined]);
    await expect(openAt(folder)).rejects.toMatchObject({ code: 'INDEX_BUSY' });
    await expect(openAt(folder)).rejects.toThrow(`is being written by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const index = await indexAt(folder);
    expect(await index.add(text('a', 0, 10))).toMatchObject({ status: 'new' });
    const second = holder(folder);
    expect(String((await once(second, 'message'))[0])).toContain(`is being written by process ${process.pid}`);
    second.kill('SIGKILL');
    await index.close();
    await (await openAt(folder)).close();
  });

  it('gives the right to write to one of many that ask at once', async () => {
    const folder = join(temporaryFolder(), 'index');
    await (await openAt(folder)).close();
    const opened = await Promise.allSettled(Array.from({ length: 4 }, () => openAt(folder)));
    const won = opened.filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
  });

  it('is compacted by who writes it when another process asks for that', async () => {
    const folder = join(temporaryFolder(), 'index');
    const index = await indexAt(folder, options);
    const documents = Array.from({ length: 40 }, (_, n) => text(`d${n}`, n * 1000, n * 1000 + 50));
    for (const document of documents) await index.add(document);
    for (const { id } of documents.slice(0, 20)) await index.remove(id);
    const reader = await indexAt(folder, { readOnly: true });
    const runs = () => readMeta<Manifest>(openTables(folder, true), 'runs')?.runs ?? [];
    expect(runs()).toEqual([]);
    const asked = neardup(['index', 'compact', folder]);
    const meanwhile = await index.add(text('meanwhile', 25_010, 25_050));
    expect(await asked).toMatchObject({ code: 0, stderr: 'another process writes the index: it was asked to do it\n' });
    expect(meanwhile).toMatchObject({ status: 'near', of: 'd25' });
    expect(runs()).toHaveLength(1);
    await reader.compact();
    expect(await index.stats()).toMatchObject({ documents: 20 });
    expect(await damagesIn(index)).toEqual([]);
    await index.close();
    await expect(reader.compact()).rejects.toMatchObject({ code: 'READ_ONLY' });
  });

  it('shows readers in other processes what was acknowledged', async () => {
    const folder = join(temporaryFolder(), 'index');
    const index = await indexAt(`small:${folder}`, options);
    const ask = (id: string, from: number, to: number) => {
      const code = `import { openIndex } from ${JSON.stringify(dist)};
        const index = await openIndex(${JSON.stringify(folder)}, { readOnly: true });
        console.log(JSON.stringify(await index.check({ id: ${JSON.stringify(id)}, text: ${JSON.stringify(words(from, to))} })));
        await index.add({ id: 'x', text: '' }).catch(error => console.log(error.code));
        await index.close();`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout.trim().split('\n');
    };
    await index.add(text('a', 0, 100));
    expect(ask('q', 10, 100)).toEqual([
      '{"id":"q","status":"near","of":"a","resemblance":0.9,"containment":1}',
      'READ_ONLY',
    ]);
    for (let i = 1; i < 30; i++) await index.add(text(`d${i}`, i * 1000, i * 1000 + 50));
    await index.remove('a');
    expect(ask('q', 10, 100)[0]).toBe('{"id":"q","status":"new"}');
    expect(ask('q', 7001, 7050)[0]).toContain('"of":"d7"');
  });

  it('keeps a reader of the same process up to date through flushes and merges', async () => {
    const location = `small:${join(temporaryFolder(), 'index')}`;
    const writer = await indexAt(location, options);
    const reader = await indexAt(location, { readOnly: true });
    for (let i = 0; i < 60; i++) {
      await writer.add(text(`d${i}`, i * 100, i * 100 + 50));
      expect(await reader.check(text('q', i * 100, i * 100 + 49))).toMatchObject({ of: `d${i}` });
      expect(await reader.get(`d${i >> 1}`)).toBeDefined();
    }
    expect(await damagesIn(reader)).toEqual([]);
  });

  it('copies and compacts while it is in use', async () => {
    const folder = temporaryFolder();
    const index = await indexAt(`small:${join(folder, 'index')}`, options);
    const adding = (async () => {
      for (let i = 0; i < 200; i++) await index.add(text(`d${i}`, i * 100, i * 100 + 50));
    })();
    await index.add(text('before', 90_000, 90_050));
    await Promise.all([index.backup(join(folder, 'copy')), index.compact()]);
    for (let i = 0; i < 20; i++) await index.remove(`d${i}`);
    await index.compact();
    await adding;
    expect(await damagesIn(index)).toEqual([]);
    const copy = await indexAt(join(folder, 'copy'));
    expect(await copy.get('before')).toBeDefined();
    expect(await damagesIn(copy)).toEqual([]);
    await expect(index.backup(join(folder, 'copy'))).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
  });

  it('finds damage in postings and filters', async () => {
    const folder = join(temporaryFolder(), 'index');
    const index = await openAt(`small:${folder}`, options);
    for (let i = 0; i < 40; i++) await index.add(text(`d${i}`, i * 100, i * 100 + 50));
    await index.compact();
    await index.close();
    const sound = await openAt(folder, { readOnly: true });
    expect(await damagesIn(sound)).toEqual([]);
    await sound.close();
    const bytes = readFileSync(join(folder, 'data.mdb'));
    // Block and filter page are the largest values there are, on pages of their own.
    const found: string[] = [];
    for (let page = 2; page * 16_384 < bytes.length; page++) {
      const damaged = Buffer.from(bytes);
      damaged[page * 16_384 + 12_000]! ^= 1;
      const copy = join(temporaryFolder(), 'index');
      spawnSync('mkdir', ['-p', copy]);
      writeFileSync(join(copy, 'data.mdb'), damaged);
      const opened = await openAt(copy, { readOnly: true });
      found.push(...(await damagesIn(opened)));
      await opened.close();
    }
    expect(found.some(damage => damage.includes('block'))).toBe(true);
  });
});

it('a backup has the decisions, and an index without any has no file of them', async () => {
  const folder = temporaryFolder();
  const [path, copy] = [join(folder, 'index'), join(folder, 'copy')];
  const index = await openAt(path);
  await index.add({ id: 'a', text: 'one two three' });
  await index.add({ id: 'b', text: 'one two three' });
  expect(existsSync(join(path, 'decisions.jsonl'))).toBe(false);
  const line = await index.decisions.add({ a: 'a', b: 'b', verdict: 'different', note: 'no' });
  expect(line.contents?.[0]).toBe(line.contents?.[1]);
  await index.backup(copy);
  await index.close();
  const restored = await openAt(copy);
  await restored.decisions.book.catchUp();
  expect(restored.decisions.book.decided('b', 'a')).toEqual(line);
  await restored.close();
});
