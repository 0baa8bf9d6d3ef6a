/**
 * `search --in` as a ratio of CPU time to `sketch` on the same file in the same run: one query, a thousand, and a file
 * of a quarter, to show that memory does not grow with the corpus.
 *
 *   npm run bench:search [-- --documents 40000]
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCorpus } from './make-corpus.ts';
import { bestOf } from './used-by.ts';

const ROUNDS = 3;
const QUERIES = 1000;
const { values } = parseArgs({ options: { documents: { type: 'string', default: '40000' } } });
const documents = Number(values.documents);

const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
try {
  const [corpus, quarter] = [join(folder, 'corpus.jsonl'), join(folder, 'quarter.jsonl')];
  makeCorpus(corpus, { documents, copies: 0.3, script: 'latin', seed: 1 });
  makeCorpus(quarter, { documents: documents / 4, copies: 0.3, script: 'latin', seed: 1 });
  const [one, thousand] = [queriesOf(corpus, 1), queriesOf(corpus, QUERIES)];
  const runs: Record<string, string[]> = {
    sketch: ['sketch', corpus, '-o', join(folder, 'sketches.jsonl')],
    'search, 1 query': ['search', one, '--in', corpus],
    [`search, ${QUERIES} queries`]: ['search', thousand, '--in', corpus],
    'search, 1 query, a quarter of the file': ['search', one, '--in', quarter],
  };
  const best = bestOf(runs, ROUNDS, folder);
  const size = (statSync(corpus).size / 1e6).toFixed(0);
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; CPU, best of ${ROUNDS}; ${size} MB`);
  const yardstick = best.get('sketch')!.seconds;
  for (const [name, { seconds, megabytes }] of best) {
    const ratio = name.includes('quarter') ? '' : `${(seconds / yardstick).toFixed(2)} × sketch`;
    console.log(`${name.padEnd(40)} ${seconds.toFixed(2)} s  ${megabytes.toFixed(0).padStart(4)} MB peak  ${ratio}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

function queriesOf(corpus: string, count: number): string {
  const path = join(folder, `queries-${count}.jsonl`);
  const lines = readFileSync(corpus, 'utf8').split('\n');
  const step = Math.floor(lines.length / count);
  writeFileSync(path, Array.from({ length: count }, (_, i) => `${lines[i * step]}\n`).join(''));
  return path;
}
