/** Collections of shared blocks, where most documents share their keys with most others, against plain comparison of all. */
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../bench/random.ts';
import { bruteForcePairs, decideNaively } from '../../../test/support/run-oracle.ts';
import type { Document, Pair } from '../../model.ts';
import { dedup, findPairs } from '../calls/dedup.ts';

/** With 128 bands of one minimum every pair of some resemblance is a candidate, and all buckets are crowded. */
const everyPair = { shingle: 'word:2', lsh: 'bands:128x1' } as const;
const plain = { size: 2, measure: 'resemblance' } as const;

/** Each document is some of the blocks, in order, and a few words of its own; now and then an edited copy, or a copy. */
function madeOfBlocks(count: number, seed: number): Document[] {
  const random = createRandom(seed);
  const words = (length: number, name: string) =>
    Array.from({ length }, (_, i) => `${name}${i}${random.below(1e6)}`).join(' ');
  const blocks = Array.from({ length: 6 }, (_, i) => words(5 + random.below(30), `b${i}`));
  const documents: Document[] = [];
  for (let i = 0; i < count; i++) {
    const kind = random.below(10);
    const earlier = documents.length > 0 ? random.pick(documents).text! : '';
    const chosen = blocks.filter(() => random.below(3) > 0).join(' ');
    const text =
      kind === 0 ? earlier : kind === 1 ? `${earlier} ${words(2, 'e')}` : `${words(random.below(12), 'o')} ${chosen}`;
    documents.push({ id: `d${i}`, text: text.trim(), site: random.pick(['a', 'b']) });
  }
  return documents;
}

const thresholds = [0.3, 0.5, 2 / 3, 0.8, 0.9, 1];

describe('documents of shared blocks', () => {
  test.each(thresholds)('are decided on at %s as by comparing all', async threshold => {
    for (const cluster of ['direct', 'connected'] as const) {
      for (const by of [undefined, 'site']) {
        const documents = madeOfBlocks(160, threshold * 100);
        const reference = madeOfBlocks(10, threshold * 100).map(({ id, ...rest }) => ({ id: `r${id}`, ...rest }));
        const given = { ...everyPair, threshold, cluster, ...(by && { by }) };
        const { kept, removed, clusters } = await dedup(documents, { ...given, protect: reference });
        const found = { kept: kept.map(({ id }) => id), removed, clusters };
        const oracle = { ...plain, threshold, cluster, ...(by && { by }) };
        expect(found).toEqual(decideNaively(documents, reference, oracle));
      }
    }
  });

  test.each(thresholds)('have the pairs at %s that comparing all finds', async threshold => {
    const documents = madeOfBlocks(160, threshold * 100 + 1);
    const all = bruteForcePairs(documents, { ...plain, threshold });
    expect(await listed(findPairs(documents, { ...everyPair, threshold }))).toEqual(all);
    expect(await listed(findPairs(documents, { shingle: 'word:2', threshold, exact: true }))).toEqual(all);
  });
});

async function listed(pairs: AsyncIterable<Pair>): Promise<Pair[]> {
  const all: Pair[] = [];
  for await (const pair of pairs) all.push(pair);
  return all;
}
