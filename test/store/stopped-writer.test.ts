/** A process that writes an index and is stopped → others are told in bounded time, and wait no longer. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeMetaSync } from '../../src/store/lmdb/meta.ts';
import { openTables } from '../../src/store/lmdb/tables.ts';
import { main, neardup } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openAt } from '../support/indexes.ts';

/** Opens an index to write it, says so, and does no more; or goes to sleep in a transaction. */
async function writerOf(folder: string, sleeps: boolean): Promise<ChildProcess> {
  const module = (path: string) => JSON.stringify(pathToFileURL(join(main, '../../store', path)).href);
  const program = `
    import { openIndex } from ${module('open-index.js')};
    import { openTables } from ${module('lmdb/tables.js')};
    const index = await openIndex(${JSON.stringify(folder)});
    await index.add({ id: 'a', text: 'one two three four five six' });
    setInterval(() => {}, 1000);
    if (!${sleeps}) console.log('open');
    else openTables(${JSON.stringify(folder)}, false).root.transactionSync(() => {
      console.log('open');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise(resolve => child.stdout!.once('data', resolve));
  return child;
}

describe.skipIf(process.platform === 'win32')('an index whose writer', () => {
  it('is stopped can be read and copied; compacting it, or writing to it, is an error after a bounded time', async () => {
    const folder = join(temporaryFolder(), 'index');
    const child = await writerOf(folder, false);
    child.kill('SIGSTOP');
    const began = performance.now();
    const [compacted, added, copied] = await Promise.all([
      neardup(['index', 'compact', folder]),
      neardup(['index', 'add', folder, '-'], '{"id":"b","text":"seven"}\n'),
      neardup(['index', 'backup', folder, `${folder}-copy`]),
    ]);
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(compacted.code).toBe(1);
    expect(compacted.stderr).toContain(`process ${child.pid}, which has not answered for 10 seconds`);
    expect(added).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`is being written by process ${child.pid}`),
    });
    expect(copied.code).toBe(0);
  }, 60_000);

  it('was stopped in a transaction is not waited for', async () => {
    const folder = join(temporaryFolder(), 'index');
    const child = await writerOf(folder, true);
    child.kill('SIGSTOP');
    const began = performance.now();
    const { code, stderr } = await neardup(['index', 'add', folder, '-'], '{"id":"b","text":"seven"}\n');
    expect(performance.now() - began).toBeLessThan(20_000);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`is being written by process ${child.pid}`),
    });
  }, 60_000);

  it('is gone does not let files be removed that its record names', async () => {
    const folder = join(temporaryFolder(), 'index');
    await (await openAt(folder)).close();
    const elsewhere = join(temporaryFolder(), 'neardup-writer-elsewhere');
    const near = mkdtempSync(join(tmpdir(), 'neardup-writer-'));
    onTestFinished(() => rmSync(near, { recursive: true }));
    for (const planted of [elsewhere, near]) {
      mkdirSync(planted, { recursive: true });
      for (const name of ['socket', 'precious']) writeFileSync(join(planted, name), '');
      const tables = openTables(folder, false);
      writeMetaSync(tables, 'writer', { socket: join(planted, 'socket'), pid: 1, folder });
      await tables.root.close();
      await (await openAt(folder)).close();
      expect(readdirSync(planted).sort()).toEqual(['precious', 'socket']);
    }
  });

  it('was killed leaves no folder behind once it is opened again', async () => {
    const folder = join(temporaryFolder(), 'index');
    const child = await writerOf(folder, false);
    const tables = openTables(folder, true);
    const socket = JSON.parse(tables.meta.getBinary('writer')!.subarray(4).toString()).socket as string;
    await tables.root.close();
    child.kill('SIGKILL');
    await new Promise(resolve => child.once('exit', resolve));
    expect(existsSync(socket)).toBe(true);
    await (await openAt(folder)).close();
    expect(existsSync(join(socket, '..'))).toBe(false);
  });
});
