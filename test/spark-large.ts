/** Licences, many documents, many copies of one, many that share most of their words: the same as here, in bounded memory. Part of spark.test.ts in `npm run test:spark`. */
import { writeFileSync } from 'node:fs';
import licences from 'spdx-license-list/full.js';
import { expect, test } from 'vitest';
import { writeBoilerplate } from '../bench/boilerplate.ts';
import { makeCorpus } from '../bench/make-corpus.ts';
import { lines, words } from './support/command.ts';
import { largestPeak, tellPeak } from './support/peak-memory.ts';
import { QUICK_SPARK } from './support/spark.ts';
import { LONG, onSpark, type sparkRuns } from './support/spark-runs.ts';

/** `connect`: asked for when the tests run. */
export function largeOnSpark(
  { at, results, expectSame, standIn }: ReturnType<typeof sparkRuns>,
  connect: () => string,
): void {
  const timeout = 2 * LONG;
  const masters = [
    ['a standalone cluster', () => onSpark(connect())],
    ['one machine', () => [...onSpark('local[2]'), ...QUICK_SPARK]],
  ] as const;
  const same = (name: string, spark: readonly string[], options: readonly string[] = []) =>
    expectSame(name, { options, spark, input: at(`${name}.jsonl`) });

  /** Most bytes that a worker of the run had in memory, with what the run said. */
  async function measured(name: string, options: readonly string[]) {
    const peaks = at(`${name}-peaks`);
    tellPeak(at('peak.cjs'), peaks);
    const node = standIn('node-measured', `exec ${process.execPath} --require ${at('peak.cjs')} "$@"`);
    const { stderr } = await same(name, [...onSpark(connect()), ...node], options);
    const most = largestPeak(peaks);
    console.log(`${name}: the largest worker took ${Math.round(most / 2 ** 20)} MB`);
    return { stderr, most };
  }

  test.each(masters)('licences give on %s what they give here', { timeout }, async (_, spark) => {
    const documents = Object.entries(licences).map(([id, { licenseText, osiApproved }]) => ({
      id,
      text: licenseText,
      osiApproved,
      length: licenseText.length,
    }));
    writeFileSync(at('licences.jsonl'), lines(...documents));
    writeFileSync(at('approved.jsonl'), lines(...documents.filter(({ osiApproved }) => osiApproved).slice(0, 20)));
    await same('licences', spark());
    const many = ['--protect', at('approved.jsonl'), '--keep', 'max:length', '--measure', 'containment', '--mark'];
    await same('licences', spark(), [...many, '--by', 'osiApproved', '--cluster', 'connected']);
  });

  test.each(masters)('200,000 documents give on %s what they give here', { timeout }, async (_, spark) => {
    makeCorpus(at('large.jsonl'), { documents: 200_000, copies: 0.4, script: 'latin', seed: 7 });
    await same('large', spark());
  });

  test('a million copies of two texts are decided in 768 MB', { timeout }, async () => {
    const texts = [words(0, 12), words(0, 14)];
    const line = (id: number) => `${JSON.stringify({ id, text: texts[id % 2] })}\n`;
    writeFileSync(at('copies.jsonl'), Array.from({ length: 1_000_000 }, (_, id) => line(id)).join(''));
    const { most } = await measured('copies', ['--memory', '1GB']);
    expect(most).toBeLessThan(768 * 2 ** 20);
    const run = { spark: onSpark(connect()), input: at('copies.jsonl'), options: ['--memory', '256MB'] };
    const { code, stderr } = await results('copies-small', run);
    expect(stderr).toMatch(/^neardup: 1000000 documents are linked .* raise --memory to 1GB/m);
    expect(code).toBe(1);
  });

  test('100,000 documents in one component are decided in 768 MB', { timeout }, async () => {
    writeBoilerplate(at('templated.jsonl'), 'boil79', 100_000);
    const { most } = await measured('templated', ['--memory', '1GB']);
    expect(most).toBeLessThan(768 * 2 ** 20);
  });

  test('boilerplate is compared less often than there are documents', { timeout }, async () => {
    writeBoilerplate(at('boilerplate.jsonl'), 'boil75', 100_000);
    const { stderr } = await measured('boilerplate', ['--memory', '1GB']);
    const comparisons = Number(/([\d,]+) comparisons/.exec(stderr)![1]!.replaceAll(',', ''));
    expect(comparisons).toBeLessThan(100_000);
  });
}
