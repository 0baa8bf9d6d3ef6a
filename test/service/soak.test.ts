/** The service under load for a while: its memory does not grow. `npm run test:soak` takes ten minutes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { lines, main, words } from '../support/command.ts';
import { clientOf, ndjson } from '../support/service.ts';

const SECONDS = Number(process.env.NEARDUP_SOAK ?? 12);
const DOCUMENTS = 200;

test(
  'memory stays where it is while the same is asked again and again',
  async () => {
    const child = spawn(process.execPath, [main, 'serve', '--index', 'memory:', '--port', '0']);
    const ended = once(child, 'exit');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    let log = '';
    child.stderr.on('data', data => {
      if (log.length < 10_000) log += data;
    });
    while (!log.includes('the index is open')) await setTimeout(20);
    const { get, post, ask } = clientOf(/"url":"([^"]+)"/.exec(log)![1]!);
    const document = (at: number) => ({ id: `d${at}`, text: words(at * 100, at * 100 + 80) });
    const all = Array.from({ length: DOCUMENTS }, (_, at) => document(at));
    const round = async (at: number) => {
      await Promise.all([
        post('/v1/documents', document(at % DOCUMENTS)),
        post('/v1/search', { text: words(at * 100, at * 100 + 80) }),
        post('/v1/compare', { a: { id: `d${at % DOCUMENTS}` }, b: { text: 'a b c d e g' } }),
        post('/v1/documents/batch', lines(...all.slice(0, 50)), ndjson),
        get('/v1/clusters?sort=size'),
        get('/v1/documents?limit=50'),
        ask('PUT', '/v1/documents/again', { text: words(1_000_000 + (at % 7), 1_000_080) }),
        post('/v1/documents', '{"id":'),
      ]);
    };
    const memory = async () => {
      const { text } = await get('/metrics');
      return Number(/^process_resident_memory_bytes (.+)$/m.exec(text)![1]) / 2 ** 20;
    };
    await post('/v1/documents/batch', lines(...all), ndjson);
    const work = async (seconds: number) => {
      const end = performance.now() + seconds * 1000;
      for (let at = 0; performance.now() < end; at++) await round(at);
      return memory();
    };
    // What grows at first are caches and the heap that garbage collection leaves.
    const warm = await work(SECONDS / 2);
    const after = await work(SECONDS / 2);
    expect(after).toBeLessThan(warm * 1.25 + 30);
  },
  (SECONDS + 60) * 1000,
);
