/** The SPDX licence texts → web/tune/licence-pairs.ts: pairs next to every threshold, compared exactly. `npm run web:pairs` */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadLicences } from '../src/cli/demo/find.ts';
import { createSketcher } from '../src/index.ts';

const file = fileURLToPath(new URL('../web/tune/licence-pairs.ts', import.meta.url));
/** Of each hundredth: so many next to either end, which is all that a threshold between two hundredths can show. */
const SHOWN = 3;

const sketcher = await createSketcher();
const licences = (await loadLicences()).map(({ id, text }) => ({ id, set: sketcher.set(text) }));
const bins: [a: string, b: string, resemblance: number][][] = Array.from({ length: 101 }, () => []);
for (const [at, a] of licences.entries())
  for (const b of licences.slice(0, at)) {
    const { resemblance } = sketcher.compare(a.set, b.set);
    if (resemblance >= 0.01) bins[Math.floor(resemblance * 100 + 1e-9)]!.push([b.id, a.id, resemblance]);
  }
const lines = bins.flatMap(bin => {
  bin.sort((x, y) => x[2] - y[2]);
  const shown = bin.length <= 2 * SHOWN ? bin : [...bin.slice(0, SHOWN), ...bin.slice(-SHOWN)];
  return shown.map(([a, b, resemblance]) => `  ['${a}', '${b}', ${resemblance}],`);
});
writeFileSync(
  file,
  `/** Pairs of the SPDX licences next to every threshold, the least alike first. Made by \`npm run web:pairs\`. */
export const licencePairs: readonly (readonly [a: string, b: string, resemblance: number])[] = [
${lines.join('\n')}
];
`,
);
