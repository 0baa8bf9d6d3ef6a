/** Every request → safe headers, its place among those under way, and when it is over, a line of the log and the metrics. */
import type { FastifyRequest } from 'fastify';
import type { Serving } from './routing.ts';
import { answerHeaders, pageHeaders } from './safe-headers.ts';

/** Hooks are called back, here and elsewhere: each request makes some promises fewer. */
export function watch({ app, log, metrics }: Pick<Serving, 'app' | 'log' | 'metrics'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const began = performance.now();
    const { id: reqId, method } = request;
    // What was not found has no route: its path could be anything.
    const { url: route = 'none' } = request.routeOptions;
    reply.headers(isWork(request) ? answerHeaders : pageHeaders).header('x-request-id', reqId);
    // Also when the client is gone before it was answered.
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.raw.statusCode : 'cut off';
      const ms = performance.now() - began;
      metrics.request(method, route, status, ms / 1000);
      log.info({ reqId, method, route, status, ms: Math.round(ms * 10) / 10 }, 'request');
    });
    done();
  });
}

/** After the keys: who has none takes nobody's place, and a page of another origin may read why it must wait. */
export function admit({ app, begin, end }: Pick<Serving, 'app' | 'begin' | 'end'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    try {
      if (isWork(request)) {
        begin();
        reply.raw.once('close', end);
      }
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Being asked how it does is no work. */
function isWork({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.startsWith('/v1') ?? false;
}
