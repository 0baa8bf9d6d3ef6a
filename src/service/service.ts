/**
 * Settings → a service that listens: first, so that it can say it is opening; then the index is opened.
 *
 * It ends in the order it began, backwards: no new work, what is under way finishes, the index is closed, then the port.
 */
import { setTimeout } from 'node:timers/promises';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { fail } from '../errors.ts';
import { packagePath } from '../files/package.ts';
import { reasonOf } from '../files/system-errors.ts';
import { type NameOf, plainName } from '../options.ts';
import type { NearIndex } from '../store/near-index.ts';
import { openIndex } from '../store/open-index.ts';
import { guard } from './access.ts';
import { readBodies } from './bodies.ts';
import { bodyOf, ServiceError, toldOf } from './errors.ts';
import { createLog, type Log, type LogStream } from './log.ts';
import { createMetrics } from './metrics.ts';
import { readQueries } from './query.ts';
import { aboutRoutes } from './routes/about.ts';
import { askingRoutes } from './routes/asking.ts';
import { batchRoute } from './routes/batch.ts';
import { clusterRoutes } from './routes/clusters.ts';
import { documentRoutes } from './routes/documents.ts';
import type { Serving } from './routing.ts';
import { safeHeaders } from './safe-headers.ts';
import { type GivenServiceSettings, readServiceSettings, type ServiceSettings } from './settings.ts';

export interface Service {
  /** `http://127.0.0.1:7700` */
  readonly url: string;
  /** Settles when the index is open; fails with what keeps it from being so. */
  readonly opened: Promise<void>;
  /** Finishes what is under way, and closes the index. */
  stop(): Promise<void>;
}

/** The folder that the pages are built into. */
const PAGES = packagePath('dist/web');
/** Threads for large documents. */
const THREADS = 2;
/** Milliseconds for batches to answer what they have read. */
const ENDING = 5_000;
const NAME = 'neardup';

export async function startService(
  given: GivenServiceSettings,
  log: LogStream = process.stderr,
  nameOf: NameOf = plainName,
): Promise<Service> {
  const settings = readServiceSettings({ pages: PAGES, ...given }, nameOf);
  const service = new RunningService(settings, createLog(log));
  await service.listen();
  const opened = service.open(nameOf);
  opened.catch(() => {});
  return { url: service.url, opened, stop: () => service.stop() };
}

class RunningService {
  readonly #settings: ServiceSettings;
  readonly #log: Log;
  readonly #app: FastifyInstance;
  readonly #stopping = new AbortController();
  #index: NearIndex | undefined;
  #status: 'ok' | 'opening' | 'closing' = 'opening';
  #underWay = 0;
  #opening: Promise<unknown> = Promise.resolve();
  #ending: Promise<void> | undefined;
  url = '';

  constructor(settings: ServiceSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
    this.#app = createApp(settings, log);
  }

  async listen(): Promise<void> {
    const app = this.#app;
    const { host, port } = this.#settings;
    await prepare(app, this.#settings, this.#serving(), this);
    try {
      this.url = await app.listen({ host, port });
    } catch (error) {
      fail('CANNOT_LISTEN', { address: `${host}:${port}`, reason: reasonOf(error) }, error);
    }
    this.#log.info({ url: this.url }, 'listening');
  }

  async open(nameOf: NameOf): Promise<void> {
    const { index, indexOptions } = this.#settings;
    // Who starts it wrote flags; who asks it writes fields.
    const opening = openIndex(index, { threads: THREADS, ...indexOptions }, nameOf, plainName);
    this.#opening = opening.catch(() => {});
    this.#index = await opening;
    if (this.#status === 'opening') this.#status = 'ok';
    this.#log.info({ options: this.#index.options }, 'the index is open');
  }

  /** Called before anything is known of a request. */
  begin(): void {
    if (this.#status !== 'ok') throw this.#notNow();
    if (this.#underWay >= this.#settings.limits.requests)
      throw new ServiceError(503, 'BUSY', 'too many requests at once', { retryAfter: 1 });
    this.#underWay++;
  }

  end(): void {
    this.#underWay--;
  }

  stop(): Promise<void> {
    this.#ending ??= this.#stop();
    return this.#ending;
  }

  async #stop(): Promise<void> {
    this.#status = 'closing';
    this.#log.info({ underWay: this.#underWay }, 'stopping');
    const { grace } = this.#settings.limits;
    await this.#opening;
    await this.#finished(grace);
    // Batches that are still being sent answer what they have read.
    this.#stopping.abort();
    await this.#finished(ENDING);
    this.#app.server.closeIdleConnections();
    const closed = this.#app.close();
    this.#app.server.closeAllConnections();
    await closed;
    await this.#index?.close();
    this.#log.info('stopped');
  }

  async #finished(most: number): Promise<void> {
    const end = performance.now() + most;
    while (this.#underWay > 0 && performance.now() < end) await setTimeout(10);
  }

  #notNow(): ServiceError {
    const what = this.#status === 'closing' ? 'stopped' : 'started';
    return new ServiceError(503, this.#status.toUpperCase(), `the service is being ${what}`, { retryAfter: 1 });
  }

  #serving(): Serving {
    const app = this.#app;
    return {
      app,
      settings: this.#settings,
      metrics: createMetrics(async () => this.#index?.counts()),
      index: () => {
        if (!this.#index) throw this.#notNow();
        return this.#index;
      },
      status: () => this.#status,
      stopping: this.#stopping.signal,
    };
  }
}

function createApp({ limits }: ServiceSettings, log: Log): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    // One line a request, of our own.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.body,
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: limits.receiving },
    routerOptions: { maxParamLength: 2 ** 18 },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: false,
        allowUnionTypes: true,
        verbose: true,
      },
    },
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : crypto.randomUUID();
    },
    clientErrorHandler(error, socket) {
      if (!socket.writable) return;
      const [status, code] = clientErrors[(error as NodeJS.ErrnoException).code ?? ''] ?? [
        '400 Bad Request',
        'BAD_REQUEST',
      ];
      const body = JSON.stringify(bodyOf(code, 'the request cannot be read'));
      const head = [
        `HTTP/1.1 ${status}`,
        'content-type: application/json',
        `content-length: ${body.length}`,
        'connection: close',
      ];
      socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    },
  }) as unknown as FastifyInstance;
}

const clientErrors: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'TOO_LARGE'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'TOO_SLOW'],
};

async function prepare(
  app: FastifyInstance,
  settings: ServiceSettings,
  serving: Serving,
  running: Pick<RunningService, 'begin' | 'end'>,
): Promise<void> {
  const { limits } = settings;
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });
  app.setSerializerCompiler(() => data => JSON.stringify(data));
  app.setErrorHandler((error, request, reply) => {
    const { status, body, retryAfter } = toldOf(error);
    if (status >= 500 && status !== 503)
      request.log.error({ err: { message: (error as Error).message, stack: (error as Error).stack } }, 'failed');
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    // What was not read of the body would be taken for the next request.
    if (status === 413 || status === 408 || (status === 503 && !request.raw.complete))
      reply.header('connection', 'close');
    return reply.code(status).send(body);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!;
    const allowed = [...methods].find(([url]) => matches(url, path))?.[1];
    if (!allowed) return reply.code(404).send(bodyOf('NOT_FOUND', 'there is nothing here; /docs lists the routes'));
    return reply
      .code(405)
      .header('allow', [...allowed].join(', '))
      .send(bodyOf('METHOD_NOT_ALLOWED', `${request.method} is not one of ${[...allowed].join(', ')}`));
  });

  if (limits.rate > 0)
    await app.register(rateLimit, {
      max: limits.rate,
      timeWindow: 60_000,
      allowList: request => request.url === '/health',
      errorResponseBuilder: (_request, { ttl }) =>
        new ServiceError(429, 'TOO_MANY_REQUESTS', `no more than ${limits.rate} requests a minute`, {
          retryAfter: Math.ceil(ttl / 1000),
        }),
    });
  const told = (request: FastifyRequest, status: number | 'cut off', ms: number) => {
    const { method } = request;
    // What was not found has no route: its path could be anything.
    const route = request.routeOptions.url ?? 'none';
    serving.metrics.request({ method, route, status }, ms / 1000);
    request.log.info({ method, route, status, ms: Math.round(ms * 10) / 10 }, 'request');
  };
  await app.register(swagger, {
    transform: ({ schema, url, route }) => {
      const { takes } = (route.config ?? {}) as { takes?: object };
      return { schema: takes ? { ...schema, body: takes } : schema, url };
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: NAME,
        version: settings.version,
        description: 'Near-duplicate detection for document collections.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: settings.apiKey === undefined ? [] : [{ key: [] }],
    },
  });
  // Hooks are called back: each request makes five promises fewer.
  app.addHook('onRequest', (request, reply, done) => {
    const began = performance.now();
    reply.headers(safeHeaders).header('x-request-id', request.id);
    // Being asked how it does is no work.
    const isWork = request.routeOptions.url?.startsWith('/v1') ?? false;
    let isBegun = false;
    reply.raw.once('close', () => {
      if (isBegun) running.end();
      // Also when the client is gone before it was answered.
      told(request, reply.raw.writableFinished ? reply.statusCode : 'cut off', performance.now() - began);
    });
    try {
      if (isWork) running.begin();
      isBegun = isWork;
      done();
    } catch (error) {
      done(error as Error);
    }
  });
  guard(app, settings);
  readBodies(app, limits);
  readQueries(app);
  documentRoutes(serving);
  batchRoute(serving);
  askingRoutes(serving);
  clusterRoutes(serving);
  aboutRoutes(serving);
  await app.ready();
}

/** Whether a path is one of a route such as `/v1/documents/:id`. */
function matches(route: string, path: string): boolean {
  const [parts, given] = [route.split('/'), path.split('/')];
  return parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at]);
}
