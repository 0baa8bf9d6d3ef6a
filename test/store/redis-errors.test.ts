/** What goes wrong with a server of Redis: one line that names the place without its password, in a bounded time. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import type { NearIndex } from '../../src/store/near-index.ts';
import { indexAt } from '../support/indexes.ts';
import { redisServer, startRedis, startSmallCluster } from '../support/redis.ts';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const document = { id: 'a', text: 'one two three four five six' };
/** In seconds: refusals come at once, and starting Node on a busy machine takes most of it. */
const AT_ONCE = 8;

async function neardup(...args: string[]) {
  const began = performance.now();
  const child = spawn(process.execPath, [main, ...args], { stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.end(`${JSON.stringify(document)}\n`);
  const code = new Promise<number | null>(resolve => child.on('close', resolve));
  return { stderr: await text(child.stderr), code: await code, seconds: (performance.now() - began) / 1000 };
}

async function expectRefusal(location: string, code: string, message: string, longest = AT_ONCE): Promise<void> {
  await expect(indexAt(location).then(index => index.add(document))).rejects.toMatchObject({ code, message });
  const ran = await neardup('index', 'add', location, '-');
  expect(ran).toMatchObject({ code: 1, stderr: `neardup: ${message}\n` });
  expect(ran.seconds).toBeLessThan(longest);
}

/** Till a document is refused. */
async function addUntilRefused(index: NearIndex): Promise<unknown> {
  for (let n = 0; ; n++) {
    try {
      await index.add({ id: `document ${n}`, text: `text number ${n} of very many that are added here` });
    } catch (error) {
      return error;
    }
  }
}

describe.skipIf(!redisServer)('an index on Redis says in one line', () => {
  it.each(['a server', 'a cluster'])('that %s has too few replicas to acknowledge anything', async kind => {
    const { port } = await (kind === 'a server' ? startRedis() : startSmallCluster());
    const index = await indexAt(`redis://127.0.0.1:${port}?replicas=1`);
    await expect(index.add({ id: 'a', text: 'one two three' })).rejects.toThrow('0 of 1 replicas have the change');
    await index.close();
    await expect(indexAt(`redis://127.0.0.1:${port}?replicas=some`)).rejects.toThrow('replicas is a whole number');
  });

  it('that a database is no number, or not there, or that the address is none', async () => {
    const { port } = await startRedis();
    const place = (path: string) => `redis://127.0.0.1:${port}${path}`;
    await expectRefusal(
      `redis://u:secret@127.0.0.1:${port}/abc?index=x`,
      'BAD_INPUT',
      `${place('/abc?index=x')}: a database of Redis is a whole number, not "abc"`,
    );
    await expectRefusal(
      place('/99'),
      'INDEX_UNREACHABLE',
      `the index ${place('/99')} cannot be reached: its server says ERR DB index is out of range`,
    );
    for (const mistake of ['?indx=two', '?index='])
      await expect(indexAt(`redis://127.0.0.1:1${mistake}`)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(indexAt('redis://:secret@127.0.0.1:x')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.not.stringContaining('secret'),
    });
  });

  it('that a cluster has one database only', async () => {
    const { port } = await startSmallCluster();
    const place = `redis://127.0.0.1:${port}/2`;
    await expectRefusal(place, 'BAD_INPUT', `${place}: a Redis Cluster has only database 0`);
    const ran = await neardup('index', 'add', `redis://127.0.0.1:${port}/0`, '-');
    expect(ran).toMatchObject({
      code: 0,
      stderr: '1 document read, 0 refused, 0 rejected; the index holds 1 document\n',
    });
    expect(ran.seconds).toBeLessThan(AT_ONCE);
  });

  it('that the password is wrong or missing, and never shows it', async () => {
    const { port } = await startRedis(['--requirepass', 'right']);
    const place = `redis://127.0.0.1:${port}`;
    const refused = `the index ${place} cannot be reached: its server refuses the user or the password`;
    await expectRefusal(`redis://:wrong@127.0.0.1:${port}`, 'INDEX_UNREACHABLE', refused);
    await expectRefusal(`${place}?password=wrong`, 'INDEX_UNREACHABLE', refused);
    await expectRefusal(
      place,
      'INDEX_UNREACHABLE',
      `the index ${place} cannot be reached: its server wants a password`,
    );
    const right = `redis://:right@127.0.0.1:${port}`;
    const index = await indexAt(right, { threshold: 0.9 });
    await expect(indexAt(right, { threshold: 0.8 })).rejects.toMatchObject({
      message: `the index ${place} was made with threshold 0.9, not 0.8`,
    });
    await index.close();
    await expect(index.add(document)).rejects.toMatchObject({ message: `the index ${place} is closed` });
  });

  it('that there is no server', async () => {
    await expectRefusal(
      'redis://:secret@127.0.0.1:1',
      'INDEX_UNREACHABLE',
      'the index redis://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  it.each([
    ['a server', 10],
    ['a cluster', 12],
  ])(
    'that %s does not answer any more, after %d seconds, and goes on when it does',
    async (kind, most) => {
      const { port, child } = await (kind === 'a server' ? startRedis() : startSmallCluster());
      const index = await indexAt(`redis://127.0.0.1:${port}`);
      await index.add(document);
      child.kill('SIGSTOP');
      const began = performance.now();
      await expect(index.add({ id: 'b', text: 'seven' })).rejects.toMatchObject({ code: 'INDEX_UNREACHABLE' });
      expect((performance.now() - began) / 1000).toBeLessThan(most + AT_ONCE);
      child.kill('SIGCONT');
      await vi.waitFor(() => index.add({ id: 'b', text: 'seven' }), { timeout: 30_000, interval: 500 });
    },
    120_000,
  );

  it('that a server does not answer, after ten seconds', async () => {
    const { port, child } = await startRedis();
    child.kill('SIGSTOP');
    const place = `redis://127.0.0.1:${port}`;
    const ran = await neardup('index', 'stats', place);
    const stderr = `neardup: the index ${place} cannot be reached: no answer in 10 seconds\n`;
    expect(ran).toMatchObject({ code: 1, stderr });
    expect(ran.seconds).toBeLessThan(10 + AT_ONCE);
  }, 60_000);

  it.each(['a server', 'a cluster'])(
    'that %s has gone away in the middle of work',
    async kind => {
      const start = () => (kind === 'a server' ? startRedis() : startSmallCluster());
      const { port, child } = await start();
      const index = await indexAt(`redis://127.0.0.1:${port}`);
      const refusals = [addUntilRefused(index), index.add(document).then(() => addUntilRefused(index))];
      setTimeout(() => child.kill('SIGKILL'), 300);
      const began = performance.now();
      for (const error of await Promise.all(refusals)) {
        expect(error).toMatchObject({
          code: 'INDEX_UNREACHABLE',
          message: `the index redis://127.0.0.1:${port} cannot be reached: the connection to its server is lost`,
        });
      }
      // A thousand that wait in line do not each try for themselves.
      const many = Array.from({ length: 1000 }, (_, n) => ({ id: `later ${n}`, text: `later ${n}` }));
      await Promise.allSettled(many.map(one => index.add(one)));
      await index.close();
      expect((performance.now() - began) / 1000).toBeLessThan(AT_ONCE);
    },
    60_000,
  );

  it('that a command ends when its server goes away', async () => {
    const { port, child } = await startRedis();
    const place = `redis://127.0.0.1:${port}`;
    const filter = spawn(process.execPath, [main, 'filter', '--index', place], { stdio: ['pipe', 'pipe', 'pipe'] });
    const stderr = text(filter.stderr);
    const ended = new Promise<number | null>(resolve => filter.on('close', resolve));
    filter.stdin.on('error', () => {});
    filter.stdin.write(`${JSON.stringify(document)}\n`);
    await new Promise(resolve => filter.stdout.once('data', resolve));
    child.kill('SIGKILL');
    const began = performance.now();
    filter.stdin.write(`${JSON.stringify({ id: 'b', text: 'seven eight nine ten eleven twelve' })}\n`);
    expect(await ended).toBe(1);
    expect((performance.now() - began) / 1000).toBeLessThan(AT_ONCE);
    expect(await stderr).toMatch(/^neardup: the index redis:\S+ cannot be reached: [^\n]+\n$/);
  });

  it('that a server has no memory left; reading goes on', async () => {
    const { port } = await startRedis(['--maxmemory', '3mb', '--maxmemory-policy', 'noeviction']);
    const place = `redis://127.0.0.1:${port}`;
    const index = await indexAt(place);
    await index.add(document);
    const error = await addUntilRefused(index);
    expect(error).toMatchObject({
      code: 'CANNOT_WRITE',
      message: expect.stringMatching(/^cannot write redis:\S+: its server has no memory left \(OOM [^\n]+\)$/),
    });
    expect(await index.get('a')).toEqual(document);
    const ran = await neardup('index', 'add', place, '-');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^neardup: cannot write redis:\S+: its server has no memory left [^\n]+\n$/);
    expect(ran.seconds).toBeLessThan(AT_ONCE);
  }, 60_000);
});
