/** The bytes of a request, within limits of size, time and memory → a buffer, or a checked JSON value. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from './errors.ts';
import type { ServiceLimits } from './settings.ts';

export const NDJSON = 'application/x-ndjson';
const ndjsonTypes = [NDJSON, 'application/ndjson', 'application/jsonl', 'application/json-lines'];

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON text of the body, whose digits JavaScript does not keep. */
    bodyText: string;
    /** Of the memory for all bodies, what this request has taken. */
    bodyBytes: number;
  }
}

/** Bodies of JSON are read whole; lines come as they are sent. Any other kind is refused, so that no form of a page can post. */
export function readBodies(app: FastifyInstance, limits: ServiceLimits): void {
  let taken = 0;
  app.decorateRequest('bodyText', '');
  app.decorateRequest('bodyBytes', 0);
  app.removeAllContentTypeParsers();
  const take = (request: FastifyRequest, bytes: number) => {
    if (taken + bytes > limits.bodies)
      throw new ServiceError(503, 'BUSY', 'too much is being sent at once', { retryAfter: 1 });
    taken += bytes;
    request.bodyBytes += bytes;
  };
  app.addContentTypeParser('application/json', (request, payload, done) =>
    readBody(payload, limits, bytes => take(request, bytes), done),
  );
  app.addContentTypeParser(ndjsonTypes, async (_request: FastifyRequest, payload: IncomingMessage) => payload);
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding === 'identity') return done(null, payload);
    done(
      new ServiceError(
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        `content-encoding ${encoding} is not supported; send plain UTF-8`,
      ),
    );
  });
  // Not when it is answered: nobody is answered when the connection was cut off, and the work ends here all the same.
  app.addHook('onSend', (request, _reply, payload, done) => {
    taken -= request.bodyBytes;
    request.bodyBytes = 0;
    done(null, payload);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    try {
      if (!request.routeOptions.config.takes && request.body !== undefined) parseBody(request);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}

type Done = (error: Error | null, body?: Buffer) => void;

/** By events: an iterator that is left would cut the connection, and the answer could not be sent. */
function readBody(payload: IncomingMessage, limits: ServiceLimits, take: (bytes: number) => void, done: Done): void {
  const announced = Number(payload.headers['content-length'] ?? 0);
  if (announced > limits.body) return void refuseAfter(payload, tooLarge(limits.body), done);
  const body = new GrowingBody(announced);
  const leave = () => {
    clearTimeout(late);
    payload.off('data', read).off('end', end).off('error', cut).off('close', cut);
  };
  const refuse = (error: Error) => {
    leave();
    done(error);
  };
  // A connection that is cut off gives an error first.
  const cut = () => refuse(new ServiceError(400, 'CUT_OFF', 'the body was cut off'));
  const end = () => {
    leave();
    // Some clients name a type in every request, whether it has a body or not.
    done(null, body.size === 0 ? undefined : body.whole());
  };
  const read = (chunk: Buffer) => {
    try {
      if (body.size + chunk.length > limits.body) throw tooLarge(limits.body);
      take(chunk.length);
      body.push(chunk);
    } catch (error) {
      leave();
      refuseAfter(payload, error as Error, done);
    }
  };
  const late = setTimeout(() => refuse(tooLate()), limits.receiving);
  payload.on('data', read).on('end', end).on('error', cut).on('close', cut);
}

/** From so many bytes on, a body is copied chunk by chunk: all of 10 MB at once would hold up others for milliseconds. */
const LARGE = 128 * 1024;
/** Of a body that is announced, the share that must have come before there is memory for all of it. */
const COME = 1 / 8;

/** Chunks → one buffer, whose memory nothing else uses if it is large. */
class GrowingBody {
  readonly #announced: number;
  readonly #chunks: Buffer[] = [];
  #whole: Buffer | undefined;
  size = 0;

  constructor(announced: number) {
    this.#announced = announced;
  }

  push(chunk: Buffer): void {
    if (!this.#whole) this.#chunks.push(chunk);
    else chunk.copy(this.#whole, this.size);
    this.size += chunk.length;
    if (this.#whole || this.#announced < LARGE || this.size < this.#announced * COME) return;
    this.#whole = Buffer.from(new ArrayBuffer(this.#announced));
    let at = 0;
    for (const one of this.#chunks.splice(0)) at += one.copy(this.#whole, at);
  }

  whole(): Buffer {
    const [first, ...others] = this.#chunks;
    return this.#whole ?? (first && others.length === 0 ? first : Buffer.concat(this.#chunks, this.size));
  }
}

export function tooLate(): ServiceError {
  return new ServiceError(408, 'TOO_SLOW', 'the body did not come in time');
}

export function tooLarge(limit: number): ServiceError {
  return new ServiceError(413, 'TOO_LARGE', `the body is larger than ${limit} bytes`);
}

/** Milliseconds to go on reading what is not wanted: a client that still sends does not hear the answer. */
const DRAINING = 2_000;

function refuseAfter(payload: Readable, error: Error, done: Done): void {
  const refuse = () => {
    clearTimeout(late);
    payload.off('end', refuse).off('close', refuse).off('error', refuse);
    done(error);
  };
  const late = setTimeout(refuse, payload.destroyed ? 0 : DRAINING);
  payload.on('end', refuse).on('close', refuse).on('error', refuse).resume();
}

function parseBody(request: FastifyRequest): void {
  if (!Buffer.isBuffer(request.body))
    throw new ServiceError(415, 'UNSUPPORTED_MEDIA_TYPE', 'this request is sent as application/json');
  request.bodyText = textOf(request.body);
  request.body = parseJson(request.bodyText);
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ServiceError(400, 'BAD_REQUEST', 'the body is not UTF-8');
  return bytes.toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError(400, 'BAD_REQUEST', `the body is not JSON: ${(error as Error).message}`);
  }
}
