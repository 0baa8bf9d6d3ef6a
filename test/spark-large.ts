/** Many documents, many copies of one, many that share most of their words: the same as here, in bounded memory. Part of spark.test.ts in `npm run test:spark`. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeBoilerplate } from '../bench/boilerplate.ts';
import { makeCorpus } from '../bench/make-corpus.ts';
import { words } from './support/command.ts';
import { LONG, onSpark, type sparkRuns } from './support/spark-runs.ts';

/** `connect`: asked for when the tests run. */
export function largeOnSpark({ at, expectSame }: ReturnType<typeof sparkRuns>, connect: () => string): void {
  const timeout = 4 * LONG;
  const same = (name: string, options: readonly string[] = []) =>
    expectSame(name, { options, spark: onSpark(connect()), input: at(`${name}.jsonl`) });

  test('200,000 documents give what they give here', { timeout }, async () => {
    makeCorpus(at('large.jsonl'), { documents: 200_000, copies: 0.4, script: 'latin', seed: 7 });
    await same('large');
  });

  test('a million copies of two texts are decided in 1 GB', { timeout }, async () => {
    const texts = [words(0, 12), words(0, 14)];
    const line = (id: number) => `${JSON.stringify({ id, text: texts[id % 2] })}\n`;
    writeFileSync(at('copies.jsonl'), Array.from({ length: 1_000_000 }, (_, id) => line(id)).join(''));
    await same('copies', ['--memory', '1GB']);
  });

  test('100,000 documents in one component are decided in 1 GB', { timeout }, async () => {
    writeBoilerplate(at('templated.jsonl'), 'boil79', 100_000);
    await same('templated', ['--memory', '1GB']);
  });

  test('boilerplate is compared less often than there are documents', { timeout }, async () => {
    writeBoilerplate(at('boilerplate.jsonl'), 'boil75', 100_000);
    const { stderr } = await same('boilerplate', ['--memory', '1GB']);
    const comparisons = Number(/([\d,]+) comparisons/.exec(stderr)![1]!.replaceAll(',', ''));
    expect(comparisons).toBeLessThan(100_000);
  });
}
