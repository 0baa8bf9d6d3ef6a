/**
 * Mirrors: the same page on other sites, with other links, another layout and advertisements. Compared as HTML, two pages
 * of one site look more alike than a page and its mirror; compared as the text a reader sees, it is the other way round.
 *
 * Run: node examples/mirrors.mjs
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createSketcher, findClusters, htmlToText } from 'neardup';

const folder = new URL('mirrors/', import.meta.url);
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map(name => name.replaceAll('\\', '/'))
  .filter(name => name.endsWith('.html'))
  .sort();
const pages = names.map(id => {
  const html = readFileSync(new URL(id, folder), 'utf8');
  return { id, html, text: htmlToText(html) };
});

const sketcher = await createSketcher();
const resemblance = (a, b) => sketcher.compare(sketcher.set(a), sketcher.set(b)).resemblance;
const rows = pages
  .flatMap((a, at) => pages.slice(at + 1).map(b => ({ a, b })))
  .map(({ a, b }) => ({
    pair: `${a.id} | ${b.id}`,
    asHtml: resemblance(a.html, b.html),
    asText: resemblance(a.text, b.text),
  }))
  .filter(({ asHtml, asText }) => asHtml > 0 || asText > 0)
  .sort((one, other) => other.asText - one.asText);

console.log('Resemblance of two pages (those without a run of five words in common are left out)\n');
console.log('  as HTML  as text');
for (const { pair, asHtml, asText } of rows) console.log(`  ${asHtml.toFixed(3)}    ${asText.toFixed(3)}    ${pair}`);

console.log('\nMirrors (text resembles by 0.7 or more)\n');
for (const { members } of await findClusters(pages, { threshold: 0.7 })) console.log(`  ${members.join('\n  ')}`);
