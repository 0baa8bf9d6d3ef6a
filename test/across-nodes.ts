/** Indexes of 10,000 documents, each made by one version of Node → read, searched and added to by every other. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import { sharedFolder } from './support/folder.ts';

/** Versions and their programs, by scripts/test-node-versions.mjs. */
const nodes = Object.entries(JSON.parse(process.env.NEARDUP_NODES!) as Record<string, string>);
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const DOCUMENTS = 10_000;
const MORE = 500;

// Six commands on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const folder = sharedFolder();
const at = (name: string) => join(folder, name);
const indexOf = (maker: string) => at(`made-by-${maker}`);

beforeAll(() => {
  makeCorpus(at('all.jsonl'), { documents: DOCUMENTS + MORE, copies: 0.3, script: 'latin', seed: 24 });
  const lines = readFileSync(at('all.jsonl'), 'utf8').trimEnd().split('\n');
  writeFileSync(at('documents.jsonl'), `${lines.slice(0, DOCUMENTS).join('\n')}\n`);
  writeFileSync(at('more.jsonl'), `${lines.slice(DOCUMENTS).join('\n')}\n`);
  writeFileSync(at('queries.jsonl'), `${lines.filter((_, at) => at % 100 === 0).join('\n')}\n`);
});

/** What a command printed, run by one version. `check` fails when it finds damage. */
function neardup(node: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(node, [main, ...words], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** What the first version said. All others have to say the same. */
const said = new Map<string, string>();
function expectSame(what: string, text: string): void {
  expect(text.length).toBeGreaterThan(0);
  if (!said.has(what)) said.set(what, hashOf(text));
  expect(hashOf(text)).toBe(said.get(what));
}

describe.each(nodes)('an index made by Node %s', (maker, program) => {
  test(`has ${DOCUMENTS} documents with the same verdicts as those of the other versions`, () => {
    expectSame('verdicts', neardup(program, 'index', 'add', indexOf(maker), at('documents.jsonl')));
    neardup(program, 'index', 'check', indexOf(maker));
  });

  test.each(nodes.filter(([reader]) => reader !== maker))(
    'is sound, searched and added to by Node %s',
    (reader, node) => {
      const copy = at(`${maker}-for-${reader}`);
      cpSync(indexOf(maker), copy, { recursive: true });
      neardup(node, 'index', 'check', copy);
      expectSame('found', neardup(node, 'search', at('queries.jsonl'), '--index', copy));
      expectSame('a document', neardup(node, 'index', 'get', copy, 'd0'));
      expectSame('more verdicts', neardup(node, 'index', 'add', copy, at('more.jsonl')));
      neardup(program, 'index', 'check', copy);
      rmSync(copy, { recursive: true });
    },
  );
});
