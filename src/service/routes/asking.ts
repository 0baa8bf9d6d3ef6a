/** Questions that change nothing: search, compare, collapse. */
import { setImmediate } from 'node:timers/promises';
import type { Static } from '@sinclair/typebox';
import { collapse } from '../../engine/calls/collapse.ts';
import { elementsOf } from '../../formats/fields.ts';
import { elementTexts, fieldText, fieldTexts, objectText } from '../../formats/json/raw-json.ts';
import type { SearchQuery, SearchSettings } from '../../store/search.ts';
import { ServiceError } from '../errors.ts';
import { described, type Serving } from '../routing.ts';
import {
  BoilerplateSchema,
  CollapsedSchema,
  CollapseSchema,
  CompareSchema,
  ComparisonSchema,
  ContentSchema,
  SearchResultSchema,
  SearchSchema,
} from '../schemas.ts';

const tag = 'questions';
const reading = { config: { reads: true } } as const;

export function askingRoutes({ app, index }: Serving): void {
  app.post(
    '/v1/search',
    {
      ...reading,
      schema: described({
        tag,
        summary: 'Find stored documents like a text, a set or a stored document',
        body: SearchSchema,
        answers: { 200: SearchResultSchema },
        errors: [404],
      }),
    },
    async request => {
      const { text, set, id, ...settings } = request.body as Static<typeof SearchSchema>;
      const query = contentIn({ text, set, id } as Given, request.bodyText, '');
      return { results: await index().search(query, settings as SearchSettings) };
    },
  );

  app.post(
    '/v1/compare',
    {
      ...reading,
      schema: described({
        tag,
        summary: 'Compare two documents by every measure',
        body: CompareSchema,
        answers: { 200: ComparisonSchema },
        errors: [404],
      }),
    },
    async request => {
      const { a, b } = request.body as { a: Given; b: Given };
      const part = (name: 'a' | 'b') => fieldText(request.bodyText, name)!;
      return index().compare(contentIn(a, part('a'), 'a'), contentIn(b, part('b'), 'b'));
    },
  );

  app.post(
    '/v1/boilerplate',
    {
      ...reading,
      schema: described({
        tag,
        summary: 'Find what of a document many other documents of the index have, too',
        description:
          'Looks into some hundreds of stored documents, one of each cluster, whatever the size of the index.',
        body: ContentSchema,
        answers: { 200: BoilerplateSchema },
        errors: [404],
      }),
    },
    async request => index().boilerplate(contentIn(request.body as Given, request.bodyText, '')),
  );

  app.post(
    '/v1/collapse',
    {
      ...reading,
      schema: described({
        tag,
        summary: 'Fold near-duplicates in a ranked list under the first of them',
        description:
          'A result is compared by its text, its set, or the stored document that has its id. One that cannot be compared stays as it is.',
        body: CollapseSchema,
        answers: { 200: CollapsedSchema },
      }),
    },
    async (request, reply) => {
      const { results, threshold } = request.body as { results: Record<string, unknown>[]; threshold?: number };
      const texts = elementTexts(fieldText(request.bodyText, 'results')!);
      const given = results.map(
        (result, at): Written => ({ ...result, ...idIn(result, texts[at]!), [WRITTEN]: texts[at]! }),
      );
      const folded = await collapse(inTurns(given), { index: index(), ...(threshold !== undefined && { threshold }) });
      const json = `{"results":[${folded.map(writtenOf).join(',')}]}`;
      return reply.type('application/json; charset=utf-8').send(json);
    },
  );
}

/** What a result was written as, which goes with it. */
const WRITTEN = Symbol('the JSON text of a result');
type Written = Record<string, unknown> & { readonly [WRITTEN]: string; readonly similar?: unknown };

/** Others have their turn between results. */
async function* inTurns<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const [at, item] of items.entries()) {
    if (at % 8 === 7) await setImmediate();
    yield item;
  }
}

/** Every digit as it came; what was folded before, and now, under `similar`. */
function writtenOf({ [WRITTEN]: text, similar }: Written): string {
  if (!Array.isArray(similar)) return text;
  const fields = fieldTexts(text);
  const before = fields.get('similar');
  const kept = before === undefined || before === 'null' ? [] : elementTexts(before);
  const now = (similar as Written[]).slice(kept.length).map(one => one[WRITTEN]);
  return objectText(fields.set('similar', `[${[...kept, ...now].join(',')}]`));
}

type Given = Static<typeof ContentSchema> & SearchQuery;

/** One of text, set and id; numbers count as they are written. */
function contentIn(given: Given, json: string, field: string): SearchQuery {
  const { text, set } = given;
  const ways = (['text', 'set', 'id'] as const).filter(name => given[name] !== undefined);
  if (ways.length !== 1) {
    const what = ways.length === 0 ? 'none of them' : ways.join(' and ');
    const where = field === '' ? 'the request' : field;
    throw new ServiceError(400, 'BAD_REQUEST', `${where} must have one of text, set and id, got ${what}`, {
      ...(field !== '' && { field }),
    });
  }
  if (text !== undefined) return { text };
  if (set !== undefined) return { set: elementsOf(set, () => fieldText(json, 'set'))! };
  return idIn(given, json);
}

function idIn({ id }: { readonly id?: unknown }, json: string): { id?: string } {
  if (typeof id === 'number') return { id: fieldText(json, 'id')! };
  return typeof id === 'string' ? { id } : {};
}
