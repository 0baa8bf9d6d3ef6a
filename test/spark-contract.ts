/** The engine on Spark and the one in memory must give the same, for any options. Part of spark.test.ts in `npm run test:spark`: each run takes some 20 s. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import { createRandom } from '../bench/random.ts';
import type { Decision } from '../src/decisions/decision.ts';
import { contractOptions } from './support/contract-options.ts';
import { type RunSetting, runRequest } from './support/run-request.ts';
import { LONG } from './support/spark-runs.ts';

// As built: worker threads cannot run TypeScript.
type Files = typeof import('../src/engine/choose-engine.ts');
const built = '../dist/engine/choose-engine.js';
const { decideFiles, findPairsOfFiles }: Files = await import(built);

const oddLines = [
  '',
  ' \t\r',
  '{"id":"cut off","text":"no en',
  '[1,2]',
  '{"id":"no text"}',
  '{"id":"number","text":5}',
  '{"id":-7.50,"text":"the id is a number"}',
  '{"id":"w1","text":"…"}',
  '{"id":"w2","text":"…"}',
  '{"id":"é","text":"\\u0416изнь прожить — не поле перейти","more":[[{"deep":[]}]]}\r',
  '{"id":"zh","text":"天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏"}',
];

function withFields(line: string, i: number): string {
  const rank = i % 7 === 0 ? undefined : i % 5 === 0 ? `r${i % 3}` : (i * 37) % 11;
  return JSON.stringify({ ...JSON.parse(line), site: ['a', 'b', 'c'][i % 3], rank });
}

/** `connect`: asked for when the tests run. */
export function contractOnSpark(folder: string, connect: () => string): void {
  const at = (name: string) => join(folder, name);
  let decisions: Decision[] = [];

  function prepare(): void {
    makeCorpus(at('contract-plain.jsonl'), { documents: 250, copies: 0.4, script: 'latin', seed: 7 });
    const documents = readFileSync(at('contract-plain.jsonl'), 'utf8').trimEnd().split('\n').map(withFields);
    const copies = documents
      .slice(0, 40)
      .map(line => JSON.stringify({ ...JSON.parse(line), id: `copy of ${JSON.parse(line).id}` }));
    writeFileSync(at('contract.jsonl'), `\ufeff${[...documents, ...oddLines, ...copies].join('\n')}`);
    writeFileSync(at('contract-reference.jsonl'), `${documents.slice(0, 30).join('\n')}\n`);
    const random = createRandom(4);
    const ids = [...documents, ...copies].map(line => String(JSON.parse(line).id));
    decisions = Array.from({ length: 60 }, (): Decision => {
      const verdict = random.pick(['same', 'different'] as const);
      const place = random.below(ids.length - 1);
      const [a, b] = [ids[place]!, random.below(2) ? ids[place + 1]! : random.pick(ids)];
      return { a, b, verdict, ...(verdict === 'same' && random.below(2) && { keep: b }) };
    }).filter(({ a, b }) => a !== b);
  }

  async function decided(setting: RunSetting) {
    const run = await decideFiles(await runRequest([at('contract.jsonl')], setting));
    const { removed, clusters, decisions: counts, read } = run;
    // Items are lines on Spark.
    const { largest, ...totals } = run.totals;
    const told = {
      totals,
      largest: largest && [run.idOf(largest.representative), largest.size],
      removed: [...removed],
      clusters: [...clusters],
      counts,
      documents: read.documents,
      rejects: [...read.rejects],
      unknownFields: [...read.unknownFields],
    };
    await run.release(true);
    return told;
  }

  async function listed(setting: RunSetting) {
    const request = await runRequest([at('contract.jsonl')], setting);
    const run = await findPairsOfFiles(request, { exact: false, maxPairs: 1e6 });
    const told = { pairs: [...run.pairs], counts: run.decisions };
    await run.release(true);
    return told;
  }

  describe('gives what memory gives', () => {
    const here = { threadsFrom: Number.POSITIVE_INFINITY };
    const there = () => ({ spark: { master: connect(), conf: [] }, giant: 2 });

    beforeAll(prepare, LONG);

    test.each(contractOptions)('with %j', { timeout: LONG }, async given => {
      const setting = { given, reference: [at('contract-reference.jsonl')], decisions };
      const expected = await decided({ ...setting, ...here });
      expect(expected.removed.length).toBeGreaterThan(10);
      expect(await decided({ ...setting, ...there() })).toEqual(expected);
    });

    const ofPairs = contractOptions.filter(({ cluster, keep }) => !cluster && !keep);
    test.each(ofPairs)('in pairs with %j', { timeout: LONG }, async given => {
      const expected = await listed({ given, decisions, ...here });
      expect(expected.pairs.length).toBeGreaterThan(20);
      expect(await listed({ given, decisions, ...there() })).toEqual(expected);
    });
  });
}
