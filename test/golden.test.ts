/** The same bytes out, on every machine and however a run works: outputs of a seeded corpus, by their hashes. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import { sharedFolder } from './support/folder.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = sharedFolder();
const at = (name: string) => join(folder, name);

beforeAll(() => {
  makeCorpus(at('corpus.jsonl'), { documents: 5000, copies: 0.3, script: 'latin', seed: 42 });
});

/** First 16 digits of SHA-256. */
function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
}

function dedup(inputs: readonly string[], ...options: string[]) {
  const [kept, removed, clusters] = ['kept.jsonl', 'removed.jsonl', 'clusters.jsonl'].map(at);
  const outputs = ['-o', kept!, '--removed', removed!, '--clusters', clusters!];
  execFileSync(process.execPath, [main, 'dedup', ...inputs, ...outputs, '--quiet', ...options]);
  return { kept: hashOf(kept!), removed: hashOf(removed!), clusters: hashOf(clusters!) };
}

test('the corpus is the one the hashes are of', () => {
  expect(hashOf(at('corpus.jsonl'))).toBe('9c552aeccd1338d3');
});

const golden = { kept: 'c4298bdc702d7c45', removed: '0664e431336f6111', clusters: '9eeab8fe39581891' };

test.each([[[]], [['--jobs', '1']], [['--jobs', '2', '--memory', '256MB']], [['--jobs', '3', '--memory', '8GB']]])(
  'dedup with %j',
  options => {
    expect(dedup([at('corpus.jsonl')], ...options)).toEqual(golden);
  },
);

test('dedup of the same lines in ten files, and compressed', () => {
  const lines = readFileSync(at('corpus.jsonl'), 'utf8').trimEnd().split('\n');
  const shards = Array.from({ length: 10 }, (_, i) => at(`shard-${i}.jsonl${i % 2 ? '.gz' : ''}`));
  for (const [i, shard] of shards.entries()) {
    const part = `${lines.slice(i * 500, (i + 1) * 500).join('\n')}\n`;
    writeFileSync(shard, i % 2 ? gzipSync(part) : part);
  }
  expect(dedup(shards)).toEqual(golden);
});

test.each([
  [
    ['--threshold', '0.5', '--cluster', 'connected', '--keep', 'longest'],
    { kept: 'e75a193576cfd5e0', removed: 'ac6dd28a51dfa17c', clusters: '4e3aac84eb72bcc8' },
  ],
  [
    ['--measure', 'containment', '--threshold', '0.7'],
    { kept: '2d87312b674381f4', removed: '36813ee6beea93de', clusters: 'a10cb58e2b8a5323' },
  ],
  [
    ['--sketch', 'oph:64', '--shingle', 'char:9'],
    { kept: 'c264cf8bc6e87d03', removed: 'c3ecb65725cc5a33', clusters: 'c20ea1264f3216f1' },
  ],
])('dedup with %j', (options, expected) => {
  expect(dedup([at('corpus.jsonl')], ...options)).toEqual(expected);
});
