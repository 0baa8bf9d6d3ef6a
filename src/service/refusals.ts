/** Requests that fail, go nowhere or cannot be read → answers that say so. */
import type { Socket } from 'node:net';
import { bodyOf, toldOf } from './errors.ts';
import type { Serving } from './routing.ts';

export function refuse({ app, log }: Pick<Serving, 'app' | 'log'>): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, body, retryAfter } = toldOf(error);
    if (status >= 500 && status !== 503) {
      const { message, stack } = error as Error;
      log.error({ reqId: request.id, err: { message, stack } }, 'failed');
    }
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    // What was not read of the body would be taken for the next request.
    if (status === 413 || status === 408 || (status === 503 && !request.raw.complete))
      reply.header('connection', 'close');
    return reply.code(status).send(body);
  });

  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });
  app.setNotFoundHandler((request, reply) => {
    if (request.originalUrl !== request.url)
      return reply.code(400).send(bodyOf('BAD_REQUEST', 'the path is not percent-encoded UTF-8'));
    const path = request.url.split('?')[0]!;
    const allowed = [...methods].find(([url]) => matches(url, path))?.[1];
    if (!allowed) return reply.code(404).send(bodyOf('NOT_FOUND', 'there is nothing here; /docs lists the routes'));
    const list = [...allowed].join(', ');
    return reply
      .code(405)
      .header('allow', list)
      .send(bodyOf('METHOD_NOT_ALLOWED', `${request.method} is not one of ${list}`));
  });
}

/** No route has it. It is under `/v1`, so that a key is asked for. */
const UNREADABLE = '/v1/-';

/** A path that cannot be decoded goes the way of all others: host and key are checked, it is logged and counted, and then refused. */
export function readablePath(url: string): string {
  if (!url.includes('%')) return url;
  try {
    decodeURIComponent(url.split('?')[0]!);
    return url;
  } catch {
    return UNREADABLE;
  }
}

/** Whether a path is one of a route such as `/v1/documents/:id`. */
function matches(route: string, path: string): boolean {
  const [parts, given] = [route.split('/'), path.split('/')];
  return parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at]);
}

const unreadable: Readonly<Record<string, readonly [status: string, code: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'TOO_LARGE'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'TOO_SLOW'],
};

/** What is not HTTP has no request and no reply yet. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return;
  const [status, code] = unreadable[error.code ?? ''] ?? ['400 Bad Request', 'BAD_REQUEST'];
  const body = JSON.stringify(bodyOf(code, 'the request cannot be read'));
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
