/** The parallel engine and the in-memory one must give the same bytes, for any number of threads, files and chunks. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import { createRandom } from '../bench/random.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** The built command, since worker threads cannot run TypeScript. */
function call(args: readonly string[]): { code: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  return { code: status, stderr };
}

let folder: string;
let lines: string[];
const at = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'neardup-local-'));
  makeCorpus(at('clean.jsonl'), { documents: 5000, copies: 0.4, script: 'latin', seed: 7 });
  lines = disturbed(readFileSync(at('clean.jsonl'), 'utf8').trimEnd().split('\n'));
  writeFileSync(at('corpus.jsonl'), `\ufeff${lines.join('\n')}`);
  writeFileSync(at('corpus.jsonl.gz'), gzipSync(readFileSync(at('corpus.jsonl')), { level: 1 }));
  writeFileSync(at('reference.jsonl'), `${lines.slice(0, 800).join('\n')}\n`);
  writeFileSync(at('reference.jsonl.gz'), gzipSync(readFileSync(at('reference.jsonl')), { level: 1 }));
});
afterAll(() => rmSync(folder, { recursive: true }));

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
    () => '{"id":{},"text":"the id is an object"}',
    () => `{"id":${random.below(1000)},"text":"the id is a number and may come again"}`,
    () => `{"id":-${random.below(1000)}.50,"text":"the id is another number"}`,
    () => `{"id":"\\u0064${random.below(4000)}","text":"an id spelt with an escape, which may be there already"}`,
    () => '{"id":"","text":"an id that is empty, which may come again"}',
    () => `{"text":"no id, ${random.below(50)} of these are equal"}`,
    () => `{"id":"w${random.below(9999)}","text":"…"}`,
    () =>
      `{"id":"é${random.below(9999)}","text":"\\u0416изнь прожить — не поле перейти, ${random.below(9)} раз","more":[[{"deep":[]}]]}\r`,
    () =>
      `{"id":"zh${random.below(9999)}","text":"天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏${random.below(3)}"}`,
  ];
  return documents.flatMap(document => (random.below(6) === 0 ? [random.pick(oddities)(), document] : [document]));
}

/** Runs dedup and returns all that it wrote. */
function outputs(inputs: readonly string[], options: readonly string[] = []): Record<string, string> {
  const names = ['kept', 'removed', 'clusters', 'rejects'] as const;
  const path = Object.fromEntries(names.map(name => [name, at(`${name}-${Math.random()}.jsonl`)]));
  const flags = [
    '-o',
    path.kept!,
    '--removed',
    path.removed!,
    '--clusters',
    path.clusters!,
    '--rejects',
    path.rejects!,
  ];
  const { code, stderr } = call(['dedup', ...inputs, ...flags, '--quiet', ...options]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return Object.fromEntries(names.map(name => [name, withoutFolder(readFileSync(path[name]!, 'utf8'))]));
}

/** Names of files stand in ids and rejects; they are not what is compared. */
function withoutFolder(text: string): string {
  return text.replaceAll(`${folder}/`, '').replaceAll('.jsonl.gz', '.jsonl');
}

describe('the parallel engine gives the same bytes', () => {
  test('is what runs here: the input is large enough', () => {
    expect(statSync(at('corpus.jsonl')).size).toBeGreaterThan(8 * 2 ** 20);
  });

  test.each([
    [[]],
    [['--keep', 'longest']],
    [['--keep', 'shortest', '--threshold', '0.6']],
    [['--cluster', 'connected', '--threshold', '0.5']],
    [['--sketch', 'oph:64', '--lsh', 'bands:16x4']],
    [['--lsh', 'random:40x4', '--seed', '9']],
    [['--shingle', 'char:9', '--normalise', 'keep-case']],
    [['--max-document', '2KB']],
  ])('as the in-memory engine, with %j', options => {
    const fast = outputs([at('corpus.jsonl')], options);
    expect(fast.removed).not.toBe('');
    expect(fast.rejects).not.toBe('');
    expect(fast).toEqual(outputs([at('corpus.jsonl.gz')], options));
  });

  test('with a reference set', () => {
    const fast = outputs([at('corpus.jsonl')], ['--protect', at('reference.jsonl')]);
    const slow = outputs([at('corpus.jsonl.gz')], ['--protect', at('reference.jsonl.gz')]);
    expect(fast.kept).toBe(slow.kept);
    expect(fast.removed).toBe(slow.removed);
    expect(fast.clusters).toBe(slow.clusters);
  });

  test('for any number of threads', () => {
    const one = outputs([at('corpus.jsonl')], ['--jobs', '1']);
    expect(outputs([at('corpus.jsonl')], ['--jobs', '2'])).toEqual(one);
    expect(outputs([at('corpus.jsonl')], ['--jobs', '5'])).toEqual(one);
  });

  test('for one file and for the same lines in ten', () => {
    const whole = outputs([at('clean.jsonl')]);
    const clean = readFileSync(at('clean.jsonl'), 'utf8').trimEnd().split('\n');
    const shards = Array.from({ length: 10 }, (_, i) => at(`shard-${i}.jsonl`));
    for (const [i, shard] of shards.entries())
      writeFileSync(shard, `${clean.slice(i * 500, (i + 1) * 500).join('\n')}\n`);
    expect(outputs(shards)).toEqual(whole);
  });
});

test('the first reject fails a strict run, and nothing is written', () => {
  const { code, stderr } = call(['dedup', at('corpus.jsonl'), '-o', at('never.jsonl'), '--strict']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^neardup: .*corpus\.jsonl:\d+: [^\n]+\n$/);
  expect(() => statSync(at('never.jsonl'))).toThrow();
});

test('lines longer than a chunk of the file, and longer than the limit, are read or rejected', () => {
  const long = (id: string, words: number) => JSON.stringify({ id, text: `${id} word `.repeat(words) });
  const source = [long('a', 1_200_000), long('b', 10), long('c', 2_500_000), long('d', 10), long('a2', 1_200_000)];
  writeFileSync(at('long.jsonl'), source.join('\n'));
  const { code } = call([
    'dedup',
    at('long.jsonl'),
    '-o',
    at('long-out.jsonl'),
    '--rejects',
    at('long-rejects.jsonl'),
    '--max-document',
    '16MB',
    '--quiet',
  ]);
  expect(code).toBe(0);
  expect(readFileSync(at('long-out.jsonl'), 'utf8')).toBe(
    `${[source[0], source[1], source[3], source[4]].join('\n')}\n`,
  );
  expect(readFileSync(at('long-rejects.jsonl'), 'utf8')).toContain('"line":3,"reason":"too large');
});
