/** Who may ask: keys, host names, origins. Looked at before a body is read. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from './errors.ts';
import { isLoopback, type ServiceSettings } from './settings.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Changes nothing, so the key that only reads is enough; a function where that depends on the request. */
    readonly reads?: boolean | ((request: FastifyRequest) => boolean);
    /** What its body looks like, where the library reads it from the bytes and checks it. */
    readonly takes?: object;
  }
}

export function guard(app: FastifyInstance, settings: ServiceSettings): void {
  const { apiKey, readKey, host, cors } = settings;
  const isKey = apiKey === undefined ? undefined : comparing(apiKey);
  const isReadKey = readKey === undefined ? () => false : comparing(readKey);

  /** False when it is answered already: whether a page of another origin may ask. */
  const letIn = (request: FastifyRequest, reply: FastifyReply): boolean => {
    if (!isKey) requireOwnName(request, host);
    const { origin } = request.headers;
    if (cors.length > 0) reply.header('vary', 'Origin');
    if (origin !== undefined && cors.includes(origin)) {
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-expose-headers', 'x-request-id, retry-after');
      if (request.method === 'OPTIONS') {
        reply
          .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
          .header('access-control-allow-headers', 'authorization, content-type, x-request-id')
          .header('access-control-max-age', '600');
        void reply.code(204).send();
        return false;
      }
    }
    if (!isKey || !isOfApi(request)) return true;
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    // Both are compared, whichever it is.
    const [mayWrite, mayRead] = [isKey(given), isReadKey(given)];
    if (mayWrite) return true;
    if (!mayRead) {
      reply.header('www-authenticate', 'Bearer');
      throw new ServiceError(401, 'UNAUTHORIZED', 'a key is needed: Authorization: Bearer …');
    }
    // What is not there cannot be changed, and is told as such.
    if (request.is404) return true;
    const { reads = false } = request.routeOptions.config;
    if (!(typeof reads === 'function' ? reads(request) : reads))
      throw new ServiceError(403, 'FORBIDDEN', 'this key may only read');
    return true;
  };
  app.addHook('onRequest', (request, reply, done) => {
    try {
      if (letIn(request, reply)) done();
    } catch (error) {
      done(error as Error);
    }
  });
}

/** By the route that was found, since `/%761/…` is `/v1/…`, too. */
function isOfApi({ url, routeOptions }: FastifyRequest): boolean {
  return /^\/v1(\/|\?|$)/.test(routeOptions.url ?? url);
}

/** Hashes have one length, so that the time tells nothing of the key, not even how long it is. */
function comparing(key: string): (given: string) => boolean {
  const wanted = hash(key);
  return given => timingSafeEqual(hash(given), wanted);
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A page of another site may have its name point to this machine (DNS rebinding); then the browser sends that name. */
function requireOwnName(request: FastifyRequest, host: string): void {
  const name = (request.headers.host ?? '').replace(/:\d*$/, '');
  if (isLoopback(name) || name.toLowerCase() === host.toLowerCase()) return;
  throw new ServiceError(403, 'HOST_REFUSED', 'without a key the service answers only to localhost');
}
