/** A query string → values of the types its schema names. Only what is written as such: `limit=ten` stays a string, and is refused. */
import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';

export function readQueries(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const schema = request.routeOptions.schema?.querystring as { properties?: Record<string, TSchema> } | undefined;
    const query = request.query as Record<string, unknown>;
    for (const [name, value] of Object.entries(schema?.properties ? query : {})) {
      const type = Object.hasOwn(schema!.properties!, name) ? schema!.properties![name]!.type : undefined;
      if (typeof value === 'string') query[name] = typed(value, type);
    }
    done();
  });
}

function typed(value: string, type: unknown): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (type === 'number' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
