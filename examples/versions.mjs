/**
 * Versions and borrowed passages in a folder of texts. Versions of one text resemble each other. Who takes a passage from
 * a text has a part of it without resembling it: that shows in the containment, the share of one text that is in another.
 *
 * Run: node examples/versions.mjs
 * On a folder of your own: node examples/versions.mjs path/to/texts
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareWithPassages, findClusters, findPairs } from 'neardup';

const folder = process.argv[2] ?? fileURLToPath(new URL('versions', import.meta.url));
const names = readdirSync(folder)
  .filter(name => name.endsWith('.txt'))
  .sort();
const texts = new Map(names.map(name => [name, readFileSync(join(folder, name), 'utf8')]));
const documents = [...texts].map(([id, text]) => ({ id, text }));

console.log('Versions of one text (resemblance 0.5 or more)\n');
const groupOf = new Map(names.map(name => [name, name]));
const versions = await findClusters(documents, { threshold: 0.5 });
for (const { cluster, members, minResemblance } of versions) {
  for (const name of members) groupOf.set(name, cluster);
  console.log(`  ${members.join(', ')}: ${minResemblance.toFixed(2)} or more to the first`);
}
if (versions.length === 0) console.log('  none');

// Of several versions, the one that has most of the passage. `exact`: no pair is missed, however short the passage.
const borrowed = new Map();
for await (const pair of findPairs(documents, { measure: 'containment', threshold: 0.2, exact: true })) {
  const groups = [groupOf.get(pair.a), groupOf.get(pair.b)].sort().join('\n');
  const [part, whole] = pair.containmentAB >= pair.containmentBA ? [pair.a, pair.b] : [pair.b, pair.a];
  const share = Math.max(pair.containmentAB, pair.containmentBA);
  if (groupOf.get(part) === groupOf.get(whole) || share <= borrowed.get(groups)?.share) continue;
  borrowed.set(groups, { part, whole, share, resemblance: pair.resemblance });
}

console.log('\nTexts that share passages (0.2 or more of one is in the other)');
for (const { part, whole, share, resemblance } of borrowed.values()) {
  console.log(`\n  ${share.toFixed(2)} of ${part} is in ${whole}; their resemblance is only ${resemblance.toFixed(2)}`);
  const { passages } = await compareWithPassages(texts.get(part), texts.get(whole));
  for (const passage of passages) {
    console.log(`    line ${lineAt(part, passage.a)}, there in line ${lineAt(whole, passage.b)}:`);
    console.log(wrapped(texts.get(part).slice(...passage.a)));
  }
}

/** Where a range begins; 1 is the first line. */
function lineAt(name, [start]) {
  return texts.get(name).slice(0, start).split('\n').length;
}

function wrapped(text) {
  return text
    .replace(/\s+/g, ' ')
    .replace(/(.{1,96})(?: |$)/g, '      | $1\n')
    .trimEnd();
}
