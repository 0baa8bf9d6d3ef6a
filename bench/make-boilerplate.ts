/** A number of documents → a file of them that share one long passage, as pages of a site share its navigation. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { createRandom } from './random.ts';

export interface Boilerplate {
  readonly documents: number;
  /** Words that all documents share. */
  readonly shared: number;
  /** Words of its own that each has: at least and at most. */
  readonly own: readonly [least: number, most: number];
  readonly seed: number;
}

/** With 150 shared words, in shingles of 5 words: 146 shared shingles, and one for each own word. */
export const corpora = {
  'nothing shared': { shared: 0, own: [174, 174] },
  'resemblance 0.51': { shared: 150, own: [70, 70] },
  'resemblance 0.75': { shared: 150, own: [24, 24] },
  'resemblance 0.793': { shared: 150, own: [19, 19] },
  'resemblance 0.81': { shared: 150, own: [17, 17] },
  'mixed, 10 to 70 own words': { shared: 150, own: [10, 70] },
} as const;

export function makeBoilerplate(path: string, { documents, shared, own: [least, most], seed }: Boilerplate): void {
  const random = createRandom(seed);
  const word = () => `u${random.below(2 ** 32).toString(36)}${random.below(2 ** 20).toString(36)}`;
  const passage = Array.from({ length: shared }, (_, i) => `shared${i}`);
  const file = openSync(path, 'w');
  let lines = '';
  for (let i = 0; i < documents; i++) {
    const own = Array.from({ length: least + random.below(most - least + 1) }, word);
    lines += `${JSON.stringify({ id: `b${i}`, text: [...passage, ...own].join(' ') })}\n`;
    if (lines.length < 1 << 20 && i + 1 < documents) continue;
    writeSync(file, lines);
    lines = '';
  }
  closeSync(file);
}
