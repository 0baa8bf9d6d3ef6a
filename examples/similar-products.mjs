/**
 * Products to recommend. A product is the set of its features. With the one a customer looks at, the most similar come
 * first; with a list of wishes, the products that fulfil most of them. An inverted index (feature → products) finds the
 * candidates, so that a search does not go through the whole catalogue.
 *
 * Run: node examples/similar-products.mjs
 * With another product: node examples/similar-products.mjs "Strapcam 4"
 */
import { readFileSync } from 'node:fs';
import { createInvertedIndex, createSketcher } from 'neardup';

const lines = readFileSync(new URL('similar-products.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const products = new Map(lines.map(line => JSON.parse(line)).map(({ id, features }) => [id, features]));

const sketcher = await createSketcher();
// What most products have (a rechargeable battery) says little: rare features weigh more, and the commonest are not looked up.
const index = createInvertedIndex({ weighting: 'idf', maxDocumentShare: 0.75 });
for (const [id, features] of products) index.add(id, sketcher.set(features));

const name = process.argv[2] ?? 'Lumen R5';
if (!products.has(name)) {
  console.error(`There is no ${name}. There are: ${[...products.keys()].join(', ')}`);
  process.exit(2);
}
const features = products.get(name);
console.log(`You look at: ${name}\n`);
console.log('  resemblance  product        what is different');
const others = search(features).filter(({ id }) => id !== name);
for (const { id, resemblance } of best(others, 'resemblance')) {
  const added = products.get(id).filter(feature => !features.includes(feature));
  const missing = features.filter(feature => !products.get(id).includes(feature));
  const differences = [...missing.map(feature => `−${feature}`), ...added.map(feature => `+${feature}`)];
  console.log(`  ${resemblance.toFixed(2).padEnd(12)} ${id.padEnd(14)} ${atMost(6, differences)}`);
}

// Wishes are a part of a product at best, so what counts is how much of them is in it: their containment.
const wishes = ['camera', 'waterproof', 'shockproof', 'video:4k'];
console.log(`\nYou wish for: ${wishes.join(', ')}\n`);
console.log('  fulfilled    product        what is missing');
for (const { id, fulfilled } of best(search(wishes), 'fulfilled')) {
  const missing = wishes.filter(wish => !products.get(id).includes(wish));
  console.log(`  ${fulfilled.toFixed(2).padEnd(12)} ${id.padEnd(14)} ${missing.join(' ') || 'nothing'}`);
}

/** The products that share most, with exact measures: the index only proposes. */
function search(wanted) {
  const query = sketcher.set(wanted);
  return index.search(query, { limit: 10 }).results.map(({ id }) => {
    const { resemblance, containmentAB } = sketcher.compare(query, sketcher.set(products.get(id)));
    return { id, resemblance, fulfilled: containmentAB };
  });
}

/** The three highest; where two are equal, the one found first by the index, which weighs rare features more, stays first. */
function best(found, measure) {
  return found.toSorted((one, other) => other[measure] - one[measure]).slice(0, 3);
}

function atMost(count, list) {
  const rest = list.length - count;
  return list.slice(0, count).join(' ') + (rest > 0 ? ` and ${rest} more` : '');
}
