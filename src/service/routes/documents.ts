/** Documents in, verdicts out: one at a time, listed, read back, replaced, removed. */
import type { Static } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentQuery } from '../../store/documents-page.ts';
import type { AddSettings } from '../../store/index-settings.ts';
import type { Verdict } from '../../store/record.ts';
import { ServiceError } from '../errors.ts';
import { described, type Serving } from '../routing.ts';
import {
  DocumentAtSchema,
  DocumentPageSchema,
  DocumentSchema,
  DocumentsQuery,
  DryRunQuery,
  type IdParams,
  IdParams as IdParamsSchema,
  VerdictSchema,
} from '../schemas.ts';

const tag = 'documents';
const isDryRun = ({ query }: FastifyRequest) => {
  // Keys are looked at before the query is read.
  const { dryRun } = query as { dryRun?: unknown };
  return dryRun === true || dryRun === 'true';
};

export function documentRoutes({ app, index, metrics, settings }: Serving): void {
  const { store = 'new' } = settings.indexOptions;

  /** 201 when this call has stored the document. */
  const answer = async (
    reply: FastifyReply,
    add: (following: Pick<AddSettings, 'onRemembered' | 'mayTake'>) => Promise<Verdict>,
  ) => {
    let isStored = false;
    const verdict = await add({
      mayTake: true,
      onRemembered: ({ status }) => {
        isStored = store === 'all' || (store === 'new' && status === 'new');
      },
    });
    metrics.verdict(verdict.status);
    return reply.code(isStored ? 201 : 200).send(verdict);
  };

  app.post(
    '/v1/documents',
    {
      config: { takes: DocumentSchema, reads: isDryRun },
      schema: described({
        tag,
        summary: 'Add a document',
        description: 'Says whether the document is new, and remembers it. The answer is given when it is durable.',
        querystring: DryRunQuery,
        answers: { 200: VerdictSchema, 201: VerdictSchema },
        errors: [408, 409, 413, 415],
      }),
    },
    async (request, reply) => {
      const bytes = bodyOf(request);
      if (isDryRun(request)) return reply.send(await index().check(bytes, { mayTake: true }));
      return answer(reply, following => index().add(bytes, following));
    },
  );

  app.get(
    '/v1/documents',
    {
      config: { reads: true },
      schema: described({
        tag,
        summary: 'List documents in the order they were added',
        querystring: DocumentsQuery,
        answers: { 200: DocumentPageSchema },
      }),
    },
    async request => index().documents(request.query as DocumentQuery),
  );

  app.get(
    '/v1/documents/:id',
    {
      config: { reads: true },
      schema: described({
        tag,
        summary: 'Get a document as it was added',
        params: IdParamsSchema,
        answers: { 200: DocumentSchema },
        errors: [404],
      }),
    },
    async (request, reply) => {
      const { id } = request.params as Static<typeof IdParams>;
      return reply.type('application/json; charset=utf-8').send(await index().storedJson(id));
    },
  );

  app.put(
    '/v1/documents/:id',
    {
      config: { takes: DocumentAtSchema },
      schema: described({
        tag,
        summary: 'Add a document in place of what was known under its id',
        params: IdParamsSchema,
        answers: { 200: VerdictSchema, 201: VerdictSchema },
        errors: [408, 413, 415],
      }),
    },
    async (request, reply) => {
      const { id } = request.params as Static<typeof IdParams>;
      const jsonBytes = bodyOf(request);
      return answer(reply, following => index().put({ id, jsonBytes }, following));
    },
  );

  app.delete(
    '/v1/documents/:id',
    {
      schema: described({
        tag,
        summary: 'Remove a document, with the verdicts that rest on it',
        params: IdParamsSchema,
        answers: { 204: { type: 'null' } },
        errors: [404],
      }),
    },
    async (request, reply) => {
      const { id } = request.params as Static<typeof IdParams>;
      if (!(await index().remove(id))) throw unknownId(id);
      return reply.code(204).send();
    },
  );
}

function unknownId(id: string): ServiceError {
  return new ServiceError(404, 'UNKNOWN_ID', `the index has no document ${JSON.stringify(id)}`);
}

function bodyOf({ body }: FastifyRequest): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (body === undefined)
    throw new ServiceError(400, 'BAD_REQUEST', 'the request has no body; send a document as JSON');
  throw new ServiceError(415, 'UNSUPPORTED_MEDIA_TYPE', 'a document is sent as application/json');
}
