/** A folder of built pages → a real HTTP server on a free port, with the policy that the service sends. */
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

export const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
  "img-src 'self' data: blob:; worker-src 'self'";

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface PageServer {
  readonly server: Server;
  /** Ends with a slash. */
  readonly address: string;
}

/** `answer` is asked first; what it does not take is looked for in the folder, under `base`. */
export async function servePages(
  folder: string,
  {
    base = '/',
    answer,
  }: { base?: string; answer?: (request: IncomingMessage, response: ServerResponse) => boolean } = {},
): Promise<PageServer> {
  const server = createServer((request, response) => {
    if (answer?.(request, response)) return;
    const path = decodeURIComponent(new URL(request.url!, 'http://localhost').pathname);
    const file = join(folder, normalize(`/${path.startsWith(base) ? path.slice(base.length) : '..'}`));
    const name = statSync(file, { throwIfNoEntry: false })?.isDirectory() ? join(file, 'index.html') : file;
    if (!statSync(name, { throwIfNoEntry: false })?.isFile()) {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":{"code":"NOT_FOUND","message":"no"}}');
      return;
    }
    response.writeHead(200, {
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
    });
    response.end(readFileSync(name));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}` };
}
