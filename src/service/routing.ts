/** What the routes share: the service they stand on, and how a route is described. */
import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { NearIndex } from '../store/near-index.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { ErrorSchema, NoQuery } from './schemas.ts';
import type { ServiceSettings } from './settings.ts';

export interface Serving {
  readonly app: FastifyInstance;
  readonly settings: ServiceSettings;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Fails with 503 while it is not open. */
  index(): NearIndex;
  status(): 'ok' | 'opening' | 'closing';
  /** Counts a request that is work; fails with 503 where there can be no more. */
  begin(): void;
  end(): void;
  /** Aborted when batches must come to an end. */
  readonly stopping: AbortSignal;
}

interface Described extends Pick<FastifySchema, 'params' | 'querystring'> {
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly body?: TSchema;
  readonly answers: Readonly<Record<number, TSchema | object>>;
  /** Errors besides 400, 401, 403, 429 and 503, which any may give. */
  readonly errors?: readonly number[];
  /** Asked without a key, and whatever else stands in its query: by load balancers and the like. */
  readonly isOpen?: boolean;
}

const descriptions: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Stored',
  204: 'Done',
  400: 'Something in the request is wrong',
  401: 'A key is needed',
  403: 'Not allowed',
  404: 'Not there',
  408: 'The body did not come in time',
  409: 'The id is known with another text',
  413: 'Too large',
  415: 'A kind of body that is not taken',
  429: 'Too many requests',
  503: 'Not now',
};

export function described({ tag, body, answers, errors = [], isOpen = false, ...rest }: Described): FastifySchema {
  const general = isOpen ? [403, 429] : [400, 401, 403, 429, 503];
  const failures = [...general, ...errors, ...(body ? [408, 413, 415] : [])].sort();
  const response = {
    ...Object.fromEntries(failures.map(status => [status, withDescription(ErrorSchema, status)])),
    ...Object.fromEntries(
      Object.entries(answers).map(([status, schema]) => [status, withDescription(schema, Number(status))]),
    ),
  };
  const own = isOpen ? { security: [] } : { querystring: NoQuery };
  return { ...own, ...rest, tags: [tag], ...(body && { body }), response };
}

function withDescription(schema: object, status: number): object {
  return 'content' in schema
    ? { description: descriptions[status], ...schema }
    : { ...schema, description: descriptions[status] };
}

/** Bodies of another kind than JSON. */
export function contentOf(type: string, schema: object): object {
  return { content: { [type]: { schema } } };
}
