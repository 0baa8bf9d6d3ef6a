/** Searching crowds by rare elements must change nothing, on real texts that are full of shared passages. */
import { describe, expect, test } from 'vitest';
import { allPairs, decide } from '../../../../test/support/in-one-go.ts';
import { licenceTexts } from '../../../../test/support/texts.ts';
import { finish } from '../../../cluster/steps.ts';
import { prefixLength } from '../../../similarity/prefix-bound.ts';
import { overlapSteps } from '../../calls/overlap-join.ts';
import { openRun } from '../../memory/corpus.ts';
import { readRunOptions } from '../../run-options.ts';

const thresholds = [0.3, 0.5, 2 / 3, 0.8, 0.9, 1];

/** Licences are made of one another: at 0.3 most of them share their rarest words with many. */
describe('texts of licences', () => {
  const documents = licenceTexts(240).map((text, i) => ({ id: `l${i}`, text }));
  const [everything, nothing] = [
    { crowd: 0, few: 0 },
    { crowd: Number.POSITIVE_INFINITY, few: 0 },
  ];

  test.each(thresholds)('are decided on at %s alike, whether buckets are crowds or none is', async threshold => {
    for (const sketch of ['minhash:128', 'bottom:100'] as const) {
      for (const cluster of ['direct', 'connected'] as const) {
        const { corpus, options } = await openRun(
          documents,
          [],
          readRunOptions({ threshold, cluster, sketch, keep: 'longest' }),
        );
        const [filtered, listed] = [everything, nothing].map(limits => decide(corpus, options, { limits }));
        expect(filtered!.keptBy).toEqual(listed!.keptBy);
      }
    }
  });

  test.each(thresholds)('have the same pairs at %s, and all of them', async threshold => {
    const { corpus, options } = await openRun(documents, [], readRunOptions({ threshold }));
    const pairs = allPairs(corpus, options, false, { limits: everything });
    expect(pairs).toEqual(allPairs(corpus, options, false, { limits: nothing }));
    const exact: [a: number, b: number, resemblance: number][] = [];
    finish(
      overlapSteps(
        documents.map((_, item) => corpus.setOf(item)),
        threshold,
        (...pair) => exact.push(pair),
      ),
    );
    const found = allPairs(corpus, options, true).map(({ a, b, resemblance }) => [a, b, resemblance]);
    expect(found.filter(([a, b]) => corpus.setOf(a!).length > 0 && corpus.setOf(b!).length > 0)).toEqual(exact);
  });
});

test('a prefix ends where a set of what is left cannot reach the threshold', () => {
  for (const threshold of [0.1, 0.3, 1 / 3, 0.5, 0.7, 0.8, 0.9, 0.95, 1]) {
    for (let size = 1; size < 400; size++) {
      const length = prefixLength(size, threshold);
      expect((size - length + 1) / size).toBeGreaterThanOrEqual(threshold);
      expect(length === size || (size - length) / size < threshold).toBe(true);
    }
  }
});
