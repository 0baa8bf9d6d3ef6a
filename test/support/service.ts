/** A service for one test, in this process, on a free port; and ways to ask it. */
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type Service, startService } from '../../src/service/service.ts';
import type { GivenServiceSettings } from '../../src/service/settings.ts';

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  readonly body: any;
}

export interface Client {
  readonly url: string;
  readonly service: Service;
  /** What it has logged so far. */
  log(): string;
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Asked>;
  get(path: string, headers?: Record<string, string>): Promise<Asked>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Asked>;
}

export async function serviceAt(index: string, more: Partial<GivenServiceSettings> = {}): Promise<Client> {
  const logged = new PassThrough();
  let log = '';
  logged.on('data', data => {
    log += data;
  });
  const service = await startService({ index, port: 0, ...more }, logged);
  onTestFinished(() => service.stop());
  await service.opened;
  return { ...clientOf(service.url), service, log: () => log };
}

/** A string or bytes are sent as they are, anything else as JSON. */
export function clientOf(url: string): Pick<Client, 'url' | 'ask' | 'get' | 'post'> {
  const ask: Client['ask'] = async (method, path, body, headers = {}) => {
    const isReady = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: (isReady ? body : JSON.stringify(body)) as string }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  return {
    url,
    ask,
    get: (path, headers) => ask('GET', path, undefined, headers),
    post: (path, body, headers) => ask('POST', path, body, headers),
  };
}

export const ndjson = { 'content-type': 'application/x-ndjson' };
