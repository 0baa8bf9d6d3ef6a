/** The command as a process: it starts, streams, is cut off, stopped and killed, and loses nothing it answered. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { main, neardup, parsed, words } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { clientOf } from '../support/service.ts';

interface Started extends ReturnType<typeof clientOf> {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

async function start(index: string, ...more: string[]): Promise<Started> {
  const child = spawn(process.execPath, [main, 'serve', '--index', index, '--port', '0', ...more]);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let log = '';
  child.stderr.on('data', data => {
    log += data;
  });
  const isOpen = () => log.includes('the index is open');
  for (let wait = 0; wait < 3000 && !isOpen() && child.exitCode === null; wait++) await setTimeout(10);
  const url = /"url":"([^"]+)"/.exec(log)?.[1];
  if (!url || !isOpen()) throw new Error(`it did not start: ${log}`);
  return { ...clientOf(url), child, ended };
}

const document = (at: number, size = 100) => ({ id: `d${at}`, text: words(at * 1000, at * 1000 + size) });

/** A batch that is sent bit by bit. */
function openBatch(url: string) {
  const sent = request(`${url}/v1/documents/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
  });
  sent.on('error', () => {});
  const answer = once(sent, 'response').then(([response]) => response as import('node:http').IncomingMessage);
  answer.catch(() => {});
  return { sent, answer };
}

describe('a batch', () => {
  test('is answered line by line while more is sent', async () => {
    const { url } = await start('memory:');
    const { sent, answer } = openBatch(url);
    for (let at = 0; at < 3; at++) {
      sent.write(`${JSON.stringify(document(at))}\n`);
      const response = await answer;
      const [line] = (await once(response, 'data')) as [Buffer];
      expect(JSON.parse(String(line))).toEqual({ id: `d${at}`, status: 'new' });
    }
    sent.end();
  });

  test('waits for a reader that does not read, and so does who sends it', async () => {
    const { url, get } = await start('memory:');
    const { sent, answer } = openBatch(url);
    let held = 0;
    const line = (at: number) => `${JSON.stringify({ id: `${'long id '.repeat(100)}${at}`, text: `word${at}` })}\n`;
    let at = 0;
    // Till nothing goes out any more for a second.
    for (let quiet = 0; quiet < 100 && at < 400_000; ) {
      if (sent.writableNeedDrain) {
        await setTimeout(10);
        quiet++;
        continue;
      }
      quiet = 0;
      sent.write(line(at++));
    }
    held = at;
    expect(held).toBeLessThan(400_000);
    const before = (await get('/v1/stats')).body.documents;
    expect(before).toBeLessThan(held);
    // As soon as it reads, all goes on.
    let answered = 0;
    const response = await answer;
    const read = (async () => {
      for await (const chunk of response) answered += String(chunk).split('\n').length - 1;
    })();
    sent.end();
    await read;
    expect(answered).toBe(held);
    expect((await get('/v1/stats')).body.documents).toBe(held);
  }, 120_000);

  test('that is cut off stops the work, and what was answered is there', async () => {
    const folder = join(temporaryFolder(), 'index');
    const { url, get } = await start(folder);
    const { sent, answer } = openBatch(url);
    for (let at = 0; at < 50; at++) sent.write(`${JSON.stringify(document(at))}\n`);
    const response = await answer;
    const [lines] = (await once(response, 'data')) as [Buffer];
    sent.destroy();
    response.destroy();
    for (const { id } of parsed(String(lines))) expect((await get(`/v1/documents/${id}`)).status).toBe(200);
    expect((await get('/health')).status).toBe(200);
  });
});

test('SIGTERM lets requests finish, closes the index and ends with 0', async () => {
  const folder = join(temporaryFolder(), 'index');
  const { url, child, ended, get } = await start(folder, '--grace', '5');
  const { sent, answer } = openBatch(url);
  sent.write(`${JSON.stringify(document(0))}\n`);
  const response = await answer;
  let text = '';
  response.on('data', data => {
    text += data;
  });
  child.kill('SIGTERM');
  await setTimeout(300);
  expect(await get('/health')).toMatchObject({ status: 503, body: { status: 'closing' } });
  expect(await get('/v1/stats')).toMatchObject({ status: 503, body: { error: { code: 'CLOSING' } } });
  sent.end(`${JSON.stringify(document(1))}\n`);
  expect(await ended).toBe(0);
  expect(parsed(text)).toEqual([
    { id: 'd0', status: 'new' },
    { id: 'd1', status: 'new' },
  ]);
  expect(JSON.parse((await neardup(['index', 'stats', folder, '--json'])).stdout).documents).toBe(2);
});

test('a batch without an end is ended by SIGINT, with a line that says so', async () => {
  const { url, child, ended } = await start('memory:', '--grace', '0');
  const { sent, answer } = openBatch(url);
  sent.write(`${JSON.stringify(document(0))}\n`);
  const response = await answer;
  let text = '';
  response.on('data', data => {
    text += data;
  });
  await setTimeout(300);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(parsed(text)).toMatchObject([{ id: 'd0' }, { error: { code: 'CLOSING' } }]);
});

test('what was answered before a kill is there after it', async () => {
  const folder = join(temporaryFolder(), 'index');
  const first = await start(folder);
  const answered: string[] = [];
  const add = async (at: number) => {
    const { status, body } = await first.post('/v1/documents', document(at));
    if (status === 201) answered.push(body.id);
  };
  const adding = Promise.allSettled(Array.from({ length: 60 }, (_, at) => add(at)));
  while (answered.length < 10) await setTimeout(1);
  await first.post('/v1/decisions', { a: answered[0], b: answered[1], verdict: 'different' });
  first.child.kill('SIGKILL');
  await first.ended;
  await adding;
  const second = await start(folder);
  for (const id of answered) expect((await second.get(`/v1/documents/${id}`)).status).toBe(200);
  expect(parsed((await second.get('/v1/decisions')).text)).toMatchObject([{ verdict: 'different' }]);
});

test('documents of 10 MB are prepared on threads, verified, and read back', async () => {
  const { post, get } = await start('memory:');
  const random = (seed: number, count: number) =>
    Array.from({ length: count }, (_, at) => `w${(at * 7919 + seed) % 1_000_003}`);
  const list = random(1, 1_200_000);
  const large = { id: 'large', text: list.join(' '), n: 5 };
  expect((await post('/v1/documents', large)).body).toEqual({ id: 'large', status: 'new' });
  const near = { id: 'near', text: list.slice(0, -1000).join(' ') };
  const { body } = await post('/v1/documents', near);
  expect(body).toMatchObject({ id: 'near', status: 'near', of: 'large' });
  expect((await post('/v1/search', { text: near.text })).body.results[0]).toMatchObject({
    id: 'large',
    resemblance: body.resemblance,
  });
  expect(JSON.parse((await get('/v1/documents/large')).text)).toEqual(large);
  const ask = await post(
    '/v1/documents/batch',
    `${JSON.stringify({ ...large, id: 'l2' })}\n{"id":"s","text":"small"}\n`,
    {
      'content-type': 'application/x-ndjson',
    },
  );
  expect(parsed(ask.text)).toMatchObject([
    { id: 'l2', status: 'exact' },
    { id: 's', status: 'new' },
  ]);
});

const somaxconn = '/proc/sys/net/core/somaxconn';
const mayWait = existsSync(somaxconn) ? Number(readFileSync(somaxconn, 'utf8')) : 0;

test.runIf(mayWait >= 2000)('1,000 connections that come at once are all let in', async () => {
  const { url, child } = await start('memory:');
  // While it is stopped it accepts nothing: whoever finds no room to wait is dropped, and tries again after a second or more.
  child.kill('SIGSTOP');
  let connected = 0;
  const sockets = Array.from({ length: 1000 }, () =>
    connect(Number(new URL(url).port), '127.0.0.1', () => {
      connected++;
    }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let wait = 0; wait < 80 && connected < 1000; wait++) await setTimeout(10);
  expect(connected).toBe(1000);
  child.kill('SIGCONT');
});

test('wrong usage is one line, and nothing listens', async () => {
  expect(await neardup(['serve', '--host', '0.0.0.0'], '', { NEARDUP_API_KEY: '' })).toMatchObject({ code: 2 });
  const { code, stderr } = await neardup(['serve', '--index', 'memory:', '--threshold', '8', '--port', '0']);
  expect(code).toBe(2);
  expect(stderr).toContain('--threshold must be a number between 0 and 1');
  const { url } = await start('memory:');
  const taken = await neardup(['serve', '--port', new URL(url).port]);
  expect(taken.code).toBe(1);
  expect(taken.stderr).toContain('another program listens there');
});
