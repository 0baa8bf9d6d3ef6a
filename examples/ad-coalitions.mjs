/**
 * Coalitions and click spam in advertising. A site is the set of addresses that clicked its ads. Readers of different
 * sites are different people; sites that pay the same machines to click have nearly the same set.
 *
 * Run: node examples/ad-coalitions.mjs
 */
import { readFileSync } from 'node:fs';
import { findClusters, findPairs } from 'neardup';

const lines = readFileSync(new URL('ad-coalitions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const sites = lines.map(line => JSON.parse(line)).map(({ site, ips }) => ({ id: site, set: ips }));
const clicksOf = new Map(sites.map(({ id, set }) => [id, set]));

// Members of a coalition share one pool of machines, each with a part of it: whoever shares with one of them belongs to all.
const coalitions = await findClusters(sites, { threshold: 0.5, cluster: 'connected' });
const inCoalition = new Set(coalitions.flatMap(({ members }) => members));

console.log(`Coalitions among ${sites.length} sites: clicks from the same addresses (resemblance 0.5 or more)\n`);
for (const { members } of coalitions) {
  for (const site of members) console.log(`  ${site.padEnd(24)} ${clicksOf.get(site).length} addresses`);
  const sitesOf = countSites(members);
  const shared = [...sitesOf.values()].filter(count => count === members.length).length;
  console.log(`  ${shared} of ${sitesOf.size} addresses clicked on all ${members.length}`);
}

// A small site's few clicks hardly show in the resemblance. What matters is how many of them come from the pool.
console.log('\nFronts: small sites whose clicks come from a coalition (containment 0.8 or more)\n');
for await (const pair of findPairs(sites, { measure: 'containment', threshold: 0.8, exact: true })) {
  const [front, member, containment] =
    pair.containmentAB > pair.containmentBA
      ? [pair.a, pair.b, pair.containmentAB]
      : [pair.b, pair.a, pair.containmentBA];
  if (inCoalition.has(front) || !inCoalition.has(member)) continue;
  inCoalition.add(front);
  console.log(
    `  ${front.padEnd(24)} ${containment.toFixed(2)} in ${member}, resemblance ${pair.resemblance.toFixed(2)}`,
  );
}

// What the threshold has to stay above: honest sites share an office network or two.
const honest = sites.filter(({ id }) => !inCoalition.has(id));
let closest = { resemblance: 0 };
for await (const pair of findPairs(honest, { threshold: 0.01, exact: true }))
  if (pair.resemblance > closest.resemblance) closest = pair;
console.log(`\nThe other ${honest.length} sites share little: at most ${closest.resemblance.toFixed(2)}`);
console.log(`  ${closest.a} and ${closest.b}`);

/** Address → how many of these sites it clicked on. */
function countSites(members) {
  const counts = new Map();
  for (const ip of members.flatMap(site => clicksOf.get(site))) counts.set(ip, (counts.get(ip) ?? 0) + 1);
  return counts;
}
