/** The description of the API: OpenAPI 3.1, from which a client is generated that compiles. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { serviceAt } from '../support/service.ts';

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

test('docs/service.md has a row for every route, with its methods', () => {
  const page = readFileSync(new URL('../../docs/service.md', import.meta.url), 'utf8');
  const listed: Record<string, string[]> = {};
  for (const [, cell] of page.matchAll(/^\| (`(?:GET|POST)[^|]+)\|/gm)) {
    const methods = cell!.match(/GET|POST|PUT|DELETE/g)!.map(method => method.toLowerCase());
    for (const path of cell!.match(/\/[\w/{}]+/g)!) listed[path] = [...(listed[path] ?? []), ...methods].sort();
  }
  expect(listed).toEqual(contract);
});
