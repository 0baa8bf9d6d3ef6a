/** Every request → safe headers, its place among those under way, and when it is over, a line of the log and the metrics. */
import type { Serving } from './routing.ts';
import { answerHeaders, pageHeaders } from './safe-headers.ts';

/** Hooks are called back, here and elsewhere: each request makes some promises fewer. */
export function watch({ app, log, metrics, begin, end }: Serving): void {
  app.addHook('onRequest', (request, reply, done) => {
    const began = performance.now();
    const { id: reqId, method } = request;
    // What was not found has no route: its path could be anything.
    const { url: route = 'none' } = request.routeOptions;
    // Being asked how it does is no work.
    const isWork = route.startsWith('/v1');
    let isBegun = false;
    reply.headers(isWork ? answerHeaders : pageHeaders).header('x-request-id', reqId);
    // Also when the client is gone before it was answered.
    reply.raw.once('close', () => {
      if (isBegun) end();
      const status = reply.raw.writableFinished ? reply.raw.statusCode : 'cut off';
      const ms = performance.now() - began;
      metrics.request(method, route, status, ms / 1000);
      log.info({ reqId, method, route, status, ms: Math.round(ms * 10) / 10 }, 'request');
    });
    try {
      if (isWork) begin();
      isBegun = isWork;
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}
