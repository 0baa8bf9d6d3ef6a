/** A title, a style and a body → one HTML page that loads nothing and runs nothing but the one script it is given. */
import { Html, html } from './html.ts';

interface PageParts {
  readonly title: string;
  readonly style: Html;
  /** What stands in `<main>`. */
  readonly body: Html;
  /** One script of ours, and how the policy names it. */
  readonly script?: { readonly code: string; readonly source: string };
}

/** Nothing may be loaded and no other script may run, even if a text found a way to become markup. */
function policyFor(script: PageParts['script']): string {
  const scripts = script ? ` script-src ${script.source};` : '';
  return `default-src 'none';${scripts} style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;
}

export function htmlPage({ title, style, body, script }: PageParts): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="neardup">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
${script && scriptOf(script.code)}</body>
</html>
`;
  return page.markup;
}

/** Not by the template: bundlers replace a tagged template that holds the end tag of a script by a helper from a package. */
function scriptOf(code: string): Html {
  return new Html(`<script>${code}</script>\n`);
}
