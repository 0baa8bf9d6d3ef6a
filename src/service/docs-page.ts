/** The OpenAPI document → a page that people read, which loads and runs nothing. */
import { Html, type HtmlValue, html } from '../report/html.ts';
import { htmlPage } from '../report/page.ts';
import { pageStyle } from '../report/page-style.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: { readonly type?: unknown; readonly default?: unknown; readonly enum?: readonly string[] };
}

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> };
  readonly responses?: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, { schema?: unknown }>> }>
  >;
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const style = `${pageStyle}
section { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.2rem; margin: 0 0 1rem; }
h3 { margin: 0 0 .4rem; font: 600 1rem/1.4 ui-monospace, Menlo, monospace; overflow-wrap: anywhere; }
h3 b { display: inline-block; min-width: 4.5rem; color: var(--link); }
pre { overflow: auto; font: .8rem/1.45 ui-monospace, Menlo, monospace; margin: .4rem 0; max-height: 24rem; }
p { margin: .2rem 0 .6rem; max-width: 80ch; } h2 { margin-top: 1.6rem; }`;

export function docsPage({ info, paths }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags ?? []))];
  const body = html`<h1>${info.title} ${info.version}</h1>
<p class="lead">${info.description ?? ''} Machine-readable: <a href="/openapi.json">openapi.json</a>.</p>
${tags.map(
  tag => html`<h2>${tag}</h2>
${operations.filter(({ operation }) => operation.tags?.includes(tag)).map(one => section(one))}`,
)}`;
  return htmlPage({ title: `${info.title} ${info.version}`, style: new Html(style), body });
}

function section({ path, method, operation }: { path: string; method: string; operation: Operation }): Html {
  const { summary = '', description, parameters = [], requestBody, responses = {} } = operation;
  return html`<section><h3><b>${method}</b> ${path}</h3>
<p>${summary}.${description === undefined ? '' : ` ${description}`}</p>
${parameters.length > 0 && html`<table>${parameters.map(row)}</table>`}
${schemas('Request', requestBody?.content)}
${Object.entries(responses)
  .filter(([status]) => status < '400')
  .map(([status, { content }]) => schemas(`Answer ${status}`, content) ?? '')}
<p class="note">Errors: ${Object.keys(responses)
    .filter(status => status >= '400')
    .join(', ')}</p></section>`;
}

function row({ name, in: where, required, description = '', schema = {} }: Parameter): Html {
  const type = schema.enum ? schema.enum.join(' | ') : String(schema.type ?? '');
  const fallback = schema.default === undefined ? '' : `, default ${String(schema.default)}`;
  return html`<tr><th><code>${name}</code><small>${where}${required ? ', required' : ''}</small></th><td>${type}${fallback}</td><td>${description}</td></tr>`;
}

function schemas(title: string, content: Readonly<Record<string, { readonly schema?: unknown }>> = {}): HtmlValue {
  return Object.entries(content).map(
    ([type, { schema }]) =>
      html`<details><summary>${title} (${type})</summary><pre>${JSON.stringify(schema, null, 2)}</pre></details>`,
  );
}
