/** Settings → a fastify application with its hooks and routes. A request meets them in the order of `readyApp`. */
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyInstance } from 'fastify';
import { guard } from './access.ts';
import { readBodies } from './bodies.ts';
import { describeRoutes } from './description.ts';
import { ServiceError } from './errors.ts';
import { readQueries } from './query.ts';
import { readablePath, refuse, refuseUnreadable } from './refusals.ts';
import { aboutRoutes } from './routes/about.ts';
import { askingRoutes } from './routes/asking.ts';
import { batchRoute } from './routes/batch.ts';
import { clusterRoutes } from './routes/clusters.ts';
import { documentRoutes } from './routes/documents.ts';
import type { Serving } from './routing.ts';
import type { ServiceSettings } from './settings.ts';
import { admit, watch } from './watch.ts';

/** Bytes of a path and its headers: an id has up to 65,536 bytes, and three times as many where each is percent-encoded. */
const LONGEST_HEAD = 2 ** 18;

export function createApp({ limits }: ServiceSettings): FastifyInstance {
  return Fastify({
    // One line for each request, of our own (watch.ts): a logger for each of them takes 5 µs.
    logger: false,
    bodyLimit: limits.body,
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: limits.receiving, maxHeaderSize: LONGEST_HEAD },
    routerOptions: { maxParamLength: LONGEST_HEAD },
    rewriteUrl: ({ url = '/' }) => readablePath(url),
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
    clientErrorHandler: refuseUnreadable,
  }) as unknown as FastifyInstance;
}

export async function readyApp(serving: Serving): Promise<void> {
  const { app, settings } = serving;
  app.setSerializerCompiler(() => data => JSON.stringify(data));
  refuse(serving);
  await limitRate(app, settings.limits.rate);
  await describeRoutes(app, settings);
  watch(serving);
  guard(app, settings);
  admit(serving);
  readBodies(app, settings.limits);
  readQueries(app);
  documentRoutes(serving);
  batchRoute(serving);
  askingRoutes(serving);
  clusterRoutes(serving);
  aboutRoutes(serving);
  await app.ready();
}

async function limitRate(app: FastifyInstance, most: number): Promise<void> {
  if (most === 0) return;
  await app.register(rateLimit, {
    max: most,
    timeWindow: 60_000,
    allowList: request => request.url === '/health',
    errorResponseBuilder: (_request, { ttl }) =>
      new ServiceError(429, 'TOO_MANY_REQUESTS', `no more than ${most} requests a minute`, {
        retryAfter: Math.ceil(ttl / 1000),
      }),
  });
}
