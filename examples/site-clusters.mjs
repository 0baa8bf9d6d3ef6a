/**
 * Web sites in groups by what they write about. A site is the set of its most frequent terms. Candidates are found by
 * random selection: 125 signatures, each of 3 minima out of 128; sites that agree in one signature are compared on all their terms.
 *
 * Run: node examples/site-clusters.mjs
 */
import { readFileSync } from 'node:fs';
import { compareSets, findClusters, selectionCurve } from 'neardup';

const threshold = 0.3;
const [signatures, minima] = [125, 3];

const lines = readFileSync(new URL('site-clusters.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const sites = lines.map(line => JSON.parse(line)).map(({ site, terms }) => ({ id: site, set: terms }));
const termsOf = new Map(sites.map(({ id, set }) => [id, set]));

const chance = selectionCurve(signatures, minima, 128)(threshold);
console.log(
  `${sites.length} sites; a pair of resemblance ${threshold} is compared with a chance of ${chance.toFixed(3)}\n`,
);

await show('Each site resembles the first of its group (cluster: direct)', 'direct');
await show('Each site resembles some other of its group (cluster: connected)', 'connected');
console.log('Resemblance is not transitive: a chain of neighbours may end far from where it began.');

async function show(heading, cluster) {
  console.log(`${heading}\n`);
  const clusters = await findClusters(sites, { threshold, lsh: `random:${signatures}x${minima}`, cluster });
  for (const { members, minResemblance } of clusters) {
    console.log(`  ${members.join(', ')}`);
    console.log(`    terms of all: ${sharedTerms(members).join(', ') || 'none'}`);
    console.log(
      `    least resemblance to the first ${minResemblance.toFixed(2)}, of any two ${leastOf(members).toFixed(2)}`,
    );
  }
  const grouped = new Set(clusters.flatMap(({ members }) => members));
  const alone = sites.filter(({ id }) => !grouped.has(id)).map(({ id }) => id);
  console.log(`  ${alone.join(', ')}\n    alone\n`);
}

function sharedTerms([first, ...others]) {
  return termsOf.get(first).filter(term => others.every(site => termsOf.get(site).includes(term)));
}

function leastOf(members) {
  const pairs = members.flatMap((a, at) => members.slice(at + 1).map(b => [termsOf.get(a), termsOf.get(b)]));
  return Math.min(...pairs.map(([a, b]) => compareSets(a, b).resemblance));
}
