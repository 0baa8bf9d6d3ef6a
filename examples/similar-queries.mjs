/**
 * Similar queries from the results people click: two queries mean the same when their users end up on the same pages,
 * whatever words they typed. A query is the set of its clicked URLs.
 *
 * Run: node examples/similar-queries.mjs
 */
import { readFileSync } from 'node:fs';
import { compareSets, findPairs } from 'neardup';

const threshold = 0.5;

const lines = readFileSync(new URL('similar-queries.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const clicks = lines.map(line => JSON.parse(line));
const queries = clicks.map(({ query, urls }) => ({ id: query, set: urls }));

// Every pair at or above the threshold, each compared on all its URLs.
const suggestions = new Map(queries.map(({ id }) => [id, []]));
for await (const { a, b, resemblance } of findPairs(queries, { threshold })) {
  suggestions.get(a).push({ query: b, resemblance });
  suggestions.get(b).push({ query: a, resemblance });
}

console.log(`Queries that lead to the same results (sets of clicked URLs, resemblance ${threshold} or more)\n`);
for (const [query, similar] of suggestions) {
  if (similar.length === 0) continue;
  console.log(query);
  similar.sort((one, other) => other.resemblance - one.resemblance);
  for (const { query: other, resemblance } of similar) console.log(`  ${resemblance.toFixed(2)}  ${other}`);
}

const alone = [...suggestions].filter(([, similar]) => similar.length === 0).map(([query]) => query);
console.log(`\nNothing similar for: ${alone.join(', ')}`);

console.log('\nA word in common is no click in common:\n');
showClicks('jaguar top speed', 'jaguar xf price');
showClicks('learn python', 'ball python feeding');
console.log('\nand no word in common may be nearly the same clicks:\n');
showClicks('fix a dripping tap', 'leaking faucet repair');

function showClicks(a, b) {
  const urlsOf = query => queries.find(({ id }) => id === query).set;
  console.log(`  ${compareSets(urlsOf(a), urlsOf(b)).resemblance.toFixed(2)}  ${a} | ${b}`);
}
