/** The engine on threads and the one in memory must give the same, for any options, formats, number of threads, memory, files and chunks. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import { createRandom } from '../bench/random.ts';
import type { DecidedFiles, RunRequest } from '../src/engine/engine.ts';
import { readExactOptions } from '../src/engine/run-options.ts';
import { contractOptions as options } from './support/contract-options.ts';
import { sharedFolder } from './support/folder.ts';
import { type RunSetting, runRequest } from './support/run-request.ts';

// As built: worker threads cannot run TypeScript.
type Files = typeof import('../src/engine/choose-engine.ts');
const built = '../dist/engine/choose-engine.js';
const { decideFiles, findPairsOfFiles }: Files = await import(built);

const folder = sharedFolder();
const at = (name: string) => join(folder, name);

beforeAll(() => {
  makeCorpus(at('small.jsonl'), { documents: 250, copies: 0.4, script: 'latin', seed: 7 });
  const small = linesOf('small.jsonl').map(withFields);
  writeFileSync(at('corpus.jsonl'), `\ufeff${disturbed(small).join('\n')}`);
  writeFileSync(at('reference.jsonl'), `${small.slice(0, 30).join('\n')}\n`);
  const compressed = gzipSync(readFileSync(at('corpus.jsonl')));
  writeFileSync(at('packed.jsonl.gz'), compressed);
  writeFileSync(at('cut.jsonl.gz'), compressed.subarray(0, compressed.length / 2));
  writeFileSync(at('array.json'), `[${small.join(',')}]`);
  writeFileSync(at('table.csv'), `id,text,site,rank\n${small.map(asCsv).join('\n')}\n,no id,a,1\n`);
  mkdirSync(at('folder'));
  for (const [i, line] of small.slice(0, 60).entries())
    writeFileSync(at(`folder/${String(i).padStart(3, '0')}.txt`), JSON.parse(line).text);
  writeFileSync(at('sets.jsonl'), small.map(asSet).join('\n'));
});

function linesOf(name: string): string[] {
  return readFileSync(at(name), 'utf8').trimEnd().split('\n');
}

function withFields(line: string, i: number): string {
  const rank = i % 7 === 0 ? undefined : i % 5 === 0 ? `r${i % 3}` : (i * 37) % 11;
  return JSON.stringify({ ...JSON.parse(line), site: ['a', 'b', 'c'][i % 3], rank });
}

function asCsv(line: string): string {
  const { id, text, site, rank = '' } = JSON.parse(line);
  return `${id},"${text.replaceAll('"', '""')}",${site},${rank}`;
}

function asSet(line: string): string {
  const { id, text } = JSON.parse(line);
  return JSON.stringify({ id, tags: text.split(' ').slice(0, 40) });
}

/** Everything a line can be, spread over a corpus: bad, blank, repeated, with odd ids, escapes, other scripts. */
function disturbed(documents: readonly string[]): string[] {
  const random = createRandom(3);
  const oddities = [
    () => '',
    () => ' \t\r',
    () => '{"id":"cut off","text":"no en',
    () => '[1,2]',
    () => 'null',
    () => '{"id":"no text"}',
    () => '{"id":"number","text":5}',
    () => '{"id":"null","text":null}',
    () => '{"text":false}',
    () => '{"text":["a"]}',
    () => '\ufeff{"id":"marked","text":"a line with a mark"}',
    () => '\ufeff5',
    () => '\u00a0{}',
    () => '{"id":{},"text":"the id is an object"}',
    () => `{"id":${random.below(30)},"text":"the id is a number and may come again"}`,
    () => `{"id":-${random.below(1000)}.50,"text":"the id is another number"}`,
    () => `{"id":"\\u0064${random.below(300)}","text":"an id spelt with an escape, which may be there already"}`,
    () => '{"id":"","text":"an id that is empty, which may come again"}',
    () => `{"text":"no id, ${random.below(5)} of these are equal"}`,
    () => `{"id":"w${random.below(9999)}","text":"…"}`,
    () =>
      `{"id":"é${random.below(9999)}","text":"\\u0416изнь прожить — не поле перейти, ${random.below(3)} раз","more":[[{"deep":[]}]]}\r`,
    () =>
      `{"id":"zh${random.below(9999)}","text":"天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏${random.below(3)}"}`,
  ];
  return documents.flatMap(document => (random.below(3) === 0 ? [random.pick(oddities)(), document] : [document]));
}

function requestOf(inputs: readonly string[], setting: RunSetting, threadsFrom: number): Promise<RunRequest> {
  const { reference = [], ...rest } = setting;
  return runRequest(inputs.map(at), { ...rest, reference: reference.map(at), threadsFrom });
}

const [THREADS, MEMORY] = [0, Number.POSITIVE_INFINITY];

async function decided(inputs: readonly string[], setting: RunSetting, threadsFrom: number) {
  const run = await decideFiles(await requestOf(inputs, setting, threadsFrom));
  const told = toldOf(run);
  run.release(true);
  return told;
}

function toldOf({ protectedCount, keptBy, totals, removed, clusters, read }: DecidedFiles) {
  const { documents, rejects, damages, unknownFields } = read;
  return {
    protectedCount,
    keptBy: [...keptBy],
    totals,
    removed: [...removed],
    clusters: [...clusters],
    documents,
    rejects: [...rejects],
    rejected: rejects.length,
    damages,
    repeatedIds: read.repeatedIds,
    contentBytes: read.contentBytes,
    unknownFields: [...unknownFields],
  };
}

async function pairsOf(inputs: readonly string[], setting: RunSetting, threadsFrom: number, exact = false) {
  const request = await requestOf(inputs, setting, threadsFrom);
  const options = exact ? readExactOptions(setting.given ?? {}) : request.options;
  const run = await findPairsOfFiles({ ...request, options }, { exact, maxPairs: 1e6 });
  const told = { pairs: [...run.pairs], rejects: [...run.read.rejects] };
  run.release(true);
  return told;
}

describe('threads give what memory gives', () => {
  test.each(options)('with %j', async given => {
    const inputs = ['array.json', 'corpus.jsonl', 'table.csv', 'packed.jsonl.gz', 'folder', 'cut.jsonl.gz'];
    const brokenLinks = [{ file: 'nowhere', line: 1, reason: 'broken link' }];
    const reading = { damaged: 'skip' } as const;
    const setting = { given, reading, reference: ['reference.jsonl'], brokenLinks };
    const expected = await decided(inputs, setting, MEMORY);
    expect(expected.removed.length).toBeGreaterThan(10);
    expect(expected.rejected).toBeGreaterThan(20);
    expect(expected.damages).toEqual([expect.objectContaining({ file: at('cut.jsonl.gz') })]);
    expect(await decided(inputs, setting, THREADS)).toEqual(expected);
  });

  test.each(options.filter(({ cluster, keep }) => !cluster && !keep))('in pairs with %j', async given => {
    // Edit distance takes as long as all the others together.
    const inputs = given?.measure === 'edit' ? ['corpus.jsonl'] : ['corpus.jsonl', 'table.csv'];
    const expected = await pairsOf(inputs, { given }, MEMORY);
    expect(expected.pairs.length).toBeGreaterThan(20);
    expect(await pairsOf(inputs, { given }, THREADS)).toEqual(expected);
  });

  const exactOptions = [
    {},
    { threshold: 0.3 },
    { threshold: 1 },
    { sketch: 'bottom:64' },
    { normalise: 'nfkc,stem:en' },
    { shingle: 'char:9' },
    { by: 'site' },
    { by: 'rank', threshold: 0.3 },
    { measure: 'containment' },
  ] as const;
  test.each(exactOptions)('in all pairs, without LSH, with %j', async given => {
    const inputs = ['corpus.jsonl', 'table.csv', 'packed.jsonl.gz'];
    const expected = await pairsOf(inputs, { given }, MEMORY, true);
    expect(expected.pairs.length).toBeGreaterThan(100);
    expect(await pairsOf(inputs, { given }, THREADS, true)).toEqual(expected);
  });

  test('in all pairs of sets', async () => {
    const setting = { given: { threshold: 0.5 }, reading: { setField: 'tags' } };
    const expected = await pairsOf(['sets.jsonl'], setting, MEMORY, true);
    expect(expected.pairs.length).toBeGreaterThan(20);
    expect(await pairsOf(['sets.jsonl'], setting, THREADS, true)).toEqual(expected);
  });

  test.each([{}, { cluster: 'connected' }, { measure: 'containment' }] as const)('of sets with %j', async given => {
    const setting = { given: { threshold: 0.5, ...given }, reading: { setField: 'tags' } };
    const expected = await decided(['sets.jsonl'], setting, MEMORY);
    expect(expected.removed.length).toBeGreaterThan(10);
    expect(await decided(['sets.jsonl'], setting, THREADS)).toEqual(expected);
  });

  test('of lines that only JavaScript can read: with a mark in the middle of a file, or nested deeply', async () => {
    const edited = (text: string) => text.replace(/\w+(?= \w+$)/, 'changed');
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const lines = linesOf('small.jsonl').flatMap((line, i) => {
      const { text } = JSON.parse(line);
      const copy = JSON.stringify({ id: `copy ${i}`, text: edited(text) });
      return [
        line,
        ...(i % 3 === 0 ? [`\ufeff${copy}`] : []),
        ...(i % 7 === 0 ? [`{"more":${deep},${copy.slice(1)}`] : []),
      ];
    });
    writeFileSync(at('odd.jsonl'), lines.join('\n'));
    const expected = await decided(['odd.jsonl'], {}, MEMORY);
    expect(expected.removed.filter(({ id }) => id.startsWith('copy')).length).toBeGreaterThan(80);
    expect(await decided(['odd.jsonl'], {}, THREADS)).toEqual(expected);
  });

  test('of HTML in text fields, with names of fields and small limits', async () => {
    writeFileSync(at('html.jsonl'), linesOf('small.jsonl').map(asHtml).join('\n'));
    const setting = {
      reading: { html: 'always' as const, textField: 'body', idField: 'url', maxDocument: 3000 },
    };
    const expected = await decided(['html.jsonl'], setting, MEMORY);
    expect(expected.rejected).toBeGreaterThan(0);
    expect(await decided(['html.jsonl'], setting, THREADS)).toEqual(expected);
  });

  test('of files that are damaged, or of which nothing can be read', async () => {
    const error = (inputs: string[], threadsFrom: number, reading = {}) =>
      decided(inputs, { reading }, threadsFrom).then(
        () => undefined,
        ({ message }) => message,
      );
    const packed = gzipSync(readFileSync(at('small.jsonl')));
    writeFileSync(at('garbage.jsonl.gz'), Buffer.concat([packed, Buffer.from('garbage')]));
    writeFileSync(at('noise.jsonl'), Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) >> 4)));
    writeFileSync(at('packed.jsonl'), packed);
    writeFileSync(at('fields.jsonl'), '{"body":"x"}\n{}\n'.repeat(99));
    writeFileSync(at('columns.csv'), 'a,b\n1,2\n');
    writeFileSync(at('open.json'), `[${linesOf('small.jsonl').join(',')},{"id`);
    writeFileSync(at('open.csv'), 'id,text\n1,a b c\n2,"never closed\n3,x\n');
    const bad = ['cut.jsonl.gz', 'garbage.jsonl.gz', 'noise.jsonl', 'packed.jsonl', 'fields.jsonl', 'columns.csv'];
    for (const name of [...bad, 'open.json', 'open.csv']) {
      const expected = await error(['small.jsonl', name], MEMORY);
      expect(expected).toContain(at(name));
      expect(await error(['small.jsonl', name], THREADS)).toBe(expected);
    }
    const all = [...bad, 'open.json', 'open.csv', 'small.jsonl'];
    const skipping = { reading: { damaged: 'skip' } as const };
    const expected = await decided(all, skipping, MEMORY);
    expect(expected.damages.map(({ file, readable }) => [file, readable > 0])).toEqual(
      ['cut.jsonl.gz', 'garbage.jsonl.gz', 'open.json', 'open.csv'].map(name => [at(name), true]),
    );
    expect(await decided(all, skipping, THREADS)).toEqual(expected);
  });

  test.each(['jsonl', 'csv'])('of a small %s.gz that holds much', async ending => {
    const name = `grown.${ending}.gz`;
    const lines = linesOf('corpus.jsonl').slice(1, 9).concat(linesOf('small.jsonl').slice(0, 4).map(withFields));
    const rows = linesOf('table.csv').slice(0, 9);
    const repeated = (ending === 'csv' ? rows : lines).join('\n').concat('\n').repeat(300);
    writeFileSync(at(name), gzipSync(repeated));
    expect(statSync(at(name)).size * 20).toBeLessThan(repeated.length);
    const { contentBytes, ...expected } = await decided([name], {}, MEMORY);
    let stages = 0;
    const watch = { estimate() {}, stage: () => void stages++, many() {} };
    const run = await decideFiles(await requestOf([name], { watch }, Math.ceil(contentBytes / 4) - 1));
    expect(toldOf(run)).toEqual({ ...expected, contentBytes });
    // Only threads have stages.
    expect(stages).toBeGreaterThan(0);
    run.release(true);
  });

  test('copying ends with its signal, and leaves no thread behind', async () => {
    const stopping = new AbortController();
    const stage = (name: string) => name === 'write' && stopping.abort(new Error('enough'));
    const watch = { estimate() {}, stage, many() {} };
    const request = await requestOf(['corpus.jsonl'], { watch, signal: stopping.signal }, THREADS);
    const run = await decideFiles(request);
    await expect(run.copyKept!(at('stopped.jsonl'))).rejects.toThrow('enough');
    const found = () => process.getActiveResourcesInfo().filter(name => name === 'MessagePort').length;
    const threads = found();
    await run.release(false);
    expect(found()).toBe(threads);
  });

  test('of nothing', async () => {
    writeFileSync(at('nothing.jsonl'), '');
    expect(await decided(['nothing.jsonl'], {}, THREADS)).toEqual(await decided(['nothing.jsonl'], {}, MEMORY));
  });
});

function asHtml(line: string): string {
  const { id, text } = JSON.parse(line);
  return JSON.stringify({ url: `x/${id}`, body: `<p>${text.replaceAll('. ', '.</p><p>')}</p>` });
}

describe('of several chunks', () => {
  beforeAll(() => {
    makeCorpus(at('clean.jsonl'), { documents: 8000, copies: 0.4, script: 'latin', seed: 7 });
    writeFileSync(at('large.jsonl'), disturbed(linesOf('clean.jsonl')).join('\n'));
  });

  test('threads give what memory gives', async () => {
    expect(statSync(at('large.jsonl')).size).toBeGreaterThan(16 * 2 ** 20);
    const expected = await decided(['large.jsonl'], {}, MEMORY);
    expect(await decided(['large.jsonl'], {}, THREADS)).toEqual(expected);
    expect(await decided(['large.jsonl'], { jobs: 1, memory: 2 ** 20 }, THREADS)).toEqual(expected);
    expect(await decided(['large.jsonl'], { jobs: 5, memory: 2 ** 34 }, THREADS)).toEqual(expected);
  });

  test('lines in ten files are the same as in one', async () => {
    const whole = await decided(['clean.jsonl'], {}, THREADS);
    const clean = linesOf('clean.jsonl');
    const shards = Array.from({ length: 10 }, (_, i) => `shard-${i}.jsonl`);
    for (const [i, shard] of shards.entries())
      writeFileSync(at(shard), `${clean.slice(i * 800, (i + 1) * 800).join('\n')}\n`);
    expect(await decided(shards, {}, THREADS)).toEqual(whole);
  });

  test('lines longer than a chunk, and longer than the limit, are read or rejected', async () => {
    const long = (id: string, words: number) => JSON.stringify({ id, text: `${id} word `.repeat(words) });
    const lines = [long('a', 1_200_000), long('b', 10), long('c', 2_500_000), long('d', 10), long('a2', 1_200_000)];
    writeFileSync(at('long.jsonl'), lines.join('\n'));
    const setting = { reading: { maxDocument: 2 ** 24 } };
    const found = await decided(['long.jsonl'], setting, THREADS);
    expect(found.rejects).toEqual([{ file: at('long.jsonl'), line: 3, reason: expect.stringContaining('too large') }]);
    expect(found).toEqual(await decided(['long.jsonl'], setting, MEMORY));
  });
});
