/** A title, a style and a body → one HTML page that loads nothing and runs nothing. */
import { type Html, html } from './html.ts';

export interface PageParts {
  readonly title: string;
  readonly style: Html;
  /** What stands in `<main>`. */
  readonly body: Html;
}

/** Nothing may be loaded and no script may run, even if a text found a way to become markup. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function htmlPage({ title, style, body }: PageParts): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
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
</body>
</html>
`;
  return page.markup;
}
