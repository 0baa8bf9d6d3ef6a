/** The schemas of the routes → OpenAPI 3.1. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { ServiceSettings } from './settings.ts';

/** Before the routes: they are collected as they are added. */
export async function describeRoutes(app: FastifyInstance, { version, apiKey }: ServiceSettings): Promise<void> {
  await app.register(swagger, {
    transform: ({ schema, url, route }) => {
      const { takes } = (route.config ?? {}) as { takes?: object };
      return { schema: takes ? { ...schema, body: takes } : schema, url };
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'neardup',
        version,
        description: 'Near-duplicate detection for document collections.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: apiKey === undefined ? [] : [{ key: [] }],
    },
  });
}
