/** The service about itself: tune, stats, health, metrics, and the description of its routes. */
import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import { type TuneOptions, tune } from '../../lsh/tune.ts';
import { docsPage } from '../docs-page.ts';
import { contentOf, described, type Serving } from '../routing.ts';
import { HealthSchema, HistogramSchema, RecallSchema, StatsSchema, TuneQuery, TuningSchema } from '../schemas.ts';

export function aboutRoutes({ app, index, metrics, settings, status }: Serving): void {
  const tag = 'about';
  app.get(
    '/v1/tune',
    {
      config: { reads: true },
      schema: described({
        tag,
        summary: 'Choose bands and rows for a threshold and a recall',
        querystring: TuneQuery,
        answers: { 200: TuningSchema },
      }),
    },
    async request => tune(request.query as TuneOptions),
  );
  app.get(
    '/v1/stats',
    {
      config: { reads: true },
      schema: described({ tag, summary: 'What the index holds', answers: { 200: StatsSchema } }),
    },
    async () => index().stats(),
  );
  app.get(
    '/v1/histogram',
    {
      config: { reads: true },
      schema: described({
        tag,
        summary: 'How like its best match each duplicate is, and how large clusters are',
        answers: { 200: HistogramSchema },
      }),
    },
    async () => index().histogram(),
  );
  app.get(
    '/v1/recall',
    {
      config: { reads: true },
      schema: described({
        tag,
        summary: 'Measure how many near-duplicates the index recognises',
        description:
          'Checks changed copies of up to 200 stored documents, each as unlike its document as the threshold allows. Takes 2 seconds of CPU time at most, and 10 seconds on a busy machine.',
        answers: { 200: RecallSchema },
      }),
    },
    async () => index().measureRecall(),
  );
  app.get(
    '/health',
    {
      schema: described({
        tag,
        summary: 'Whether it answers',
        answers: { 200: HealthSchema, 503: HealthSchema },
        isOpen: true,
      }),
    },
    async (_request, reply) => {
      const now = status();
      return reply.code(now === 'ok' ? 200 : 503).send({ status: now });
    },
  );
  app.get(
    '/metrics',
    {
      schema: described({
        tag,
        summary: 'Metrics for Prometheus',
        answers: { 200: contentOf('text/plain', { type: 'string' }) },
        isOpen: true,
      }),
    },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  );
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  app.get('/docs', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      )
      .send(docsPage(app.swagger() as never)),
  );
  pages(app, settings.pages);
}

/** The pages, once there are some: everything in the folder, from `/` on. */
function pages(app: Serving['app'], folder: string | undefined): void {
  if (folder !== undefined && existsSync(folder)) app.register(fastifyStatic, { root: folder, wildcard: false });
  else app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs'));
}
