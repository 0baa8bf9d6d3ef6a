/** Clusters of the index, their pairs, and what people decide about them. */
import type { Static } from '@sinclair/typebox';
import type { GivenDecision } from '../../decisions/decision.ts';
import type { ClusterQuery } from '../../store/cluster-pages.ts';
import type { ClusterPairsQuery } from '../../store/cluster-pairs.ts';
import { NDJSON } from '../bodies.ts';
import { ServiceError } from '../errors.ts';
import { LineStream } from '../lines.ts';
import { contentOf, described, type Serving } from '../routing.ts';
import {
  ClusterPageSchema,
  ClusterSchema,
  ClustersQuery,
  DecisionSchema,
  GivenDecisionSchema,
  IdParams,
  PairsQuery,
  PairsSchema,
} from '../schemas.ts';

/** In a list; the cluster by itself has all. */
const MOST_MEMBERS = 100;

export function clusterRoutes({ app, index, log }: Serving): void {
  const tag = 'clusters';
  const reading = { config: { reads: true } } as const;

  app.get(
    '/v1/clusters',
    {
      ...reading,
      schema: described({
        tag,
        summary: 'List clusters: stored documents with their duplicates',
        querystring: ClustersQuery,
        answers: { 200: ClusterPageSchema },
      }),
    },
    async request => {
      const { clusters, ...rest } = await index().clusters(request.query as ClusterQuery);
      const cut = clusters.map(({ stored, ...cluster }) => ({
        ...cluster,
        members: cluster.members.slice(0, MOST_MEMBERS),
      }));
      return { clusters: cut, ...rest };
    },
  );

  app.get(
    '/v1/clusters/:id',
    {
      ...reading,
      schema: described({
        tag,
        summary: 'Get the cluster a document is in, with all its members',
        params: IdParams,
        answers: { 200: ClusterSchema },
        errors: [404],
      }),
    },
    async request => {
      const { id } = request.params as Static<typeof IdParams>;
      return (await index().cluster(id)) ?? noCluster(id);
    },
  );

  app.get(
    '/v1/clusters/:id/pairs',
    {
      ...reading,
      schema: described({
        tag,
        summary: 'How alike the documents of a cluster are, exactly',
        description:
          'Documents that are not stored were compared with the representative when they came in; `notStored` counts them.',
        params: IdParams,
        querystring: PairsQuery,
        answers: { 200: PairsSchema },
        errors: [404],
      }),
    },
    async request => {
      const { id } = request.params as Static<typeof IdParams>;
      return (await index().pairsOf(id, request.query as ClusterPairsQuery)) ?? noCluster(id);
    },
  );

  app.get(
    '/v1/decisions',
    {
      ...reading,
      schema: described({
        tag: 'decisions',
        summary: 'Export the log of decisions, one JSON object a line',
        answers: { 200: contentOf(NDJSON, DecisionSchema) },
      }),
    },
    async (request, reply) => {
      const { decisions } = index();
      const lines = new LineStream();
      const send = async () => {
        for await (const line of decisions.lines()) {
          if (!lines.isOpen) return;
          await lines.write(line);
        }
        lines.end();
      };
      send().catch(error => {
        log.error({ reqId: request.id, err: { message: error.message } }, 'the log of decisions cannot be read');
        lines.stream.destroy(error);
      });
      return reply.type(NDJSON).send(lines.stream);
    },
  );

  app.post(
    '/v1/decisions',
    {
      schema: described({
        tag: 'decisions',
        summary: 'Decide about two documents',
        description: 'Appends a line to the log. The last line about a pair counts; `undecided` takes it back.',
        body: GivenDecisionSchema,
        answers: { 201: DecisionSchema },
        errors: [404],
      }),
    },
    async (request, reply) => reply.code(201).send(await index().decisions.add(request.body as GivenDecision)),
  );
}

function noCluster(id: string): never {
  throw new ServiceError(404, 'NO_CLUSTER', `document ${JSON.stringify(id)} is unknown, or in no cluster`);
}
