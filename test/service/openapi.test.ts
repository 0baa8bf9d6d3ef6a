/** The description of the API: OpenAPI 3.1, from which a client is generated that compiles. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parsed, words } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ndjson, serviceAt } from '../support/service.ts';

const contract = {
  '/v1/documents': ['get', 'post'],
  '/v1/documents/batch': ['post'],
  '/v1/documents/{id}': ['delete', 'get', 'put'],
  '/v1/search': ['post'],
  '/v1/compare': ['post'],
  '/v1/collapse': ['post'],
  // Beyond the contract: what the pages ask.
  '/v1/boilerplate': ['post'],
  '/v1/histogram': ['get'],
  '/v1/recall': ['get'],
  '/v1/clusters': ['get'],
  '/v1/clusters/{id}': ['get'],
  '/v1/clusters/{id}/pairs': ['get'],
  '/v1/decisions': ['get', 'post'],
  '/v1/tune': ['get'],
  '/v1/stats': ['get'],
  '/health': ['get'],
  '/metrics': ['get'],
};

const client = `
import type { paths } from './api.ts';
type Body<Path extends keyof paths> = paths[Path] extends { post: { requestBody?: { content: { 'application/json': infer Given } } } } ? Given : never;
type Answer = paths['/v1/documents']['post']['responses']['201']['content']['application/json'];
type Page = paths['/v1/clusters']['get']['responses']['200']['content']['application/json'];
export const document: Body<'/v1/documents'> = { id: 'a', text: 'b', other: 1 };
export const search: Body<'/v1/search'> = { text: 'x', threshold: 0.5 };
export const decision: Body<'/v1/decisions'> = { a: 'x', b: 'y', verdict: 'same' };
export const status = (answer: Answer): 'new' | 'exact' | 'near' | 'contained' => answer.status;
export const total = (page: Page): number => page.total;
// @ts-expect-error there is no such verdict
export const wrong: Body<'/v1/decisions'> = { a: 'x', b: 'y', verdict: 'maybe' };
`;

test('names every route, and gives a client that compiles', async () => {
  const { get } = await serviceAt('memory:');
  const { body } = await get('/openapi.json');
  expect(body.openapi).toBe('3.1.0');
  const routes = Object.entries<object>(body.paths).map(([path, methods]) => [path, Object.keys(methods).sort()]);
  expect(Object.fromEntries(routes)).toEqual(contract);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(body)));
  writeFileSync(join(folder, 'client.ts'), client);
  const program = ts.createProgram([join(folder, 'client.ts')], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    types: [],
  });
  const errors = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(errors).toEqual([]);
});

interface Schema {
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
}

/** The same schema, of which no answer may have a field more. */
function strict({ properties, items, anyOf, ...rest }: Schema): Schema {
  const fields = Object.entries(properties ?? {}).map(([name, schema]) => [name, strict(schema)]);
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(fields),
      additionalProperties: rest.additionalProperties ?? false,
    }),
    ...(items && { items: strict(items) }),
    ...(anyOf && { anyOf: anyOf.map(strict) }),
  };
}

/** What is wrong with a value. */
async function createCheck(): Promise<(schema: Schema, value: unknown) => unknown> {
  const app = Fastify({
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allowUnionTypes: true } },
  });
  let check: (schema: Schema, value: unknown) => unknown;
  app.get('/', async request => {
    check = (schema, value) => {
      const isValid = request.compileValidationSchema(strict(schema) as Record<string, unknown>);
      return isValid(value) ? undefined : isValid.errors;
    };
    return {};
  });
  await app.inject('/');
  return check!;
}

test('describes what every route answers: each status, and each field', async () => {
  const { get, ask } = await serviceAt('memory:');
  const { body: description } = await get('/openapi.json');
  const check = await createCheck();
  const bad = [{ id: 'a', text: 'other' }, { text: 'no id' }, []].map(one => JSON.stringify(one)).join('\n');
  const [a, b] = [{ text: words(0, 50) }, { text: words(1, 60) }];
  const calls: [path: string, method: string, status: number, query?: string, body?: unknown, headers?: object][] = [
    ['/v1/documents', 'post', 201, '', { id: 'a', ...a }],
    ['/v1/documents', 'post', 200, '', { id: 'b', ...a }],
    ['/v1/documents', 'post', 200, '?dryRun=true', { id: 'c', ...a }],
    ['/v1/documents', 'post', 409, '', { id: 'a', ...b }],
    ['/v1/documents', 'post', 400, '', {}],
    ['/v1/documents', 'post', 415, '', 'x', { 'content-type': 'text/plain' }],
    ['/v1/documents/batch', 'post', 200, '', `${bad}\n{"id":"d","text":"new"}\n`, ndjson],
    ['/v1/documents/batch', 'post', 415, '', {}],
    ['/v1/documents', 'get', 200, '?limit=1'],
    ['/v1/documents', 'get', 400, '?limit=0'],
    ['/v1/documents/{id}', 'get', 200],
    ['/v1/documents/{id}', 'put', 200, '', a],
    ['/v1/documents/{id}', 'put', 400, '', {}],
    ['/v1/search', 'post', 200, '', a],
    ['/v1/search', 'post', 404, '', { id: 'none' }],
    ['/v1/compare', 'post', 200, '', { a, b }],
    ['/v1/compare', 'post', 200, '', { a: { set: [1] }, b: { set: [2] } }],
    ['/v1/compare', 'post', 400, '', {}],
    ['/v1/boilerplate', 'post', 200, '', a],
    ['/v1/collapse', 'post', 200, '', { results: [{ id: 'a' }, { id: 'x', ...b }] }],
    ['/v1/collapse', 'post', 400, '', { results: 1 }],
    ['/v1/clusters', 'get', 200, '?limit=1'],
    ['/v1/clusters/{id}', 'get', 200],
    ['/v1/clusters/{id}/pairs', 'get', 200],
    ['/v1/decisions', 'post', 201, '', { a: 'a', b: 'b', verdict: 'same', keep: 'a', note: 'n', by: 'me' }],
    ['/v1/decisions', 'post', 404, '', { a: 'a', b: 'none', verdict: 'same' }],
    ['/v1/decisions', 'get', 200],
    ['/v1/tune', 'get', 200],
    ['/v1/tune', 'get', 200, '?matches=9&of=10'],
    ['/v1/tune', 'get', 400, '?bands=2'],
    ['/v1/stats', 'get', 200],
    ['/v1/histogram', 'get', 200],
    ['/v1/recall', 'get', 200],
    ['/health', 'get', 200],
    ['/metrics', 'get', 200],
    ['/v1/documents/{id}', 'delete', 204],
    ['/v1/documents/{id}', 'delete', 404],
    ['/v1/documents/{id}', 'get', 404],
    ['/v1/clusters/{id}', 'get', 404],
    ['/v1/clusters/{id}/pairs', 'get', 404],
  ];
  for (const [path, method, status, query = '', body, headers] of calls) {
    const name = `${method} ${path}${query} ${status}`;
    const url = `${path.replace('{id}', 'a')}${query}`;
    const answer = await ask(method.toUpperCase(), url, body, headers as Record<string, string>);
    expect(`${method} ${path}${query} ${answer.status}`).toBe(name);
    const { content = {} } = description.paths[path][method].responses[status];
    const type = answer.headers.get('content-type')?.split(';')[0];
    expect([name, Object.keys(content)]).toEqual([name, type === undefined ? [] : [type]]);
    const values = answer.body ? [answer.body] : type === ndjson['content-type'] ? parsed(answer.text) : [];
    for (const value of values) expect([name, check(content[type!].schema, value)]).toEqual([name, undefined]);
  }
  expect(calls.map(([path, method]) => `${method} ${path}`)).toEqual(
    expect.arrayContaining(Object.entries(contract).flatMap(([path, all]) => all.map(method => `${method} ${path}`))),
  );
  expect(
    check(description.paths['/health'].get.responses[503].content['application/json'].schema, { status: 'closing' }),
  ).toBe(undefined);
  for (const path of ['/health', '/metrics']) expect(description.paths[path].get.security).toEqual([]);
});

test('docs/service.md has a row for every route, with its methods', () => {
  const page = readFileSync(new URL('../../docs/service.md', import.meta.url), 'utf8');
  const listed: Record<string, string[]> = {};
  for (const [, cell] of page.matchAll(/^\| (`(?:GET|POST)[^|]+)\|/gm)) {
    const methods = cell!.match(/GET|POST|PUT|DELETE/g)!.map(method => method.toLowerCase());
    for (const path of cell!.match(/\/[\w/{}]+/g)!) listed[path] = [...(listed[path] ?? []), ...methods].sort();
  }
  expect(listed).toEqual(contract);
});
