/** `neardup serve` as a process of its own on a free port, with an index on disk; ended by its pid. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { main } from './command.ts';
import { temporaryFolder } from './folder.ts';
import { clientOf, ndjson } from './service.ts';

export interface ServeProcess {
  /** Ends with a slash. */
  readonly address: string;
  add(...documents: readonly { readonly id: string; readonly text: string }[]): Promise<void>;
  /** The log, as the service exports it. */
  decisions(): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export async function serveProcess({ key }: { key?: string } = {}, ...args: string[]): Promise<ServeProcess> {
  const index = join(temporaryFolder(), 'index');
  const child = spawn(process.execPath, [main, 'serve', '--index', index, '--port', '0', ...args], {
    env: { ...process.env, ...(key !== undefined && { NEARDUP_API_KEY: key }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let log = '';
  child.stderr.on('data', data => {
    log += data;
  });
  const isOpen = () => log.includes('the index is open');
  for (let wait = 0; wait < 3000 && !isOpen() && child.exitCode === null; wait++) await setTimeout(10);
  const url = /"url":"([^"]+)"/.exec(log)?.[1];
  if (!url || !isOpen()) {
    child.kill('SIGKILL');
    throw new Error(`it did not start: ${log}`);
  }
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const client = clientOf(url);
  return {
    address: `${url}/`,
    async add(...documents) {
      const lines = documents.map(document => `${JSON.stringify(document)}\n`).join('');
      const { status, text } = await client.post('/v1/documents/batch', lines, { ...headers, ...ndjson });
      if (status !== 200 || text.includes('"error"')) throw new Error(`not added: ${text}`);
    },
    async decisions() {
      const { text } = await client.get('/v1/decisions', headers);
      return text
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line));
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
