/**
 * `search --in` as a ratio of CPU time to `sketch` on the same file in the same run: one query, a thousand, and a file
 * of a quarter, to show that memory does not grow with the corpus.
 *
 *   npm run bench:search [-- --documents 40000]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeCorpus } from './make-corpus.ts';

const ROUNDS = 3;
const QUERIES = 1000;
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const { values } = parseArgs({ options: { documents: { type: 'string', default: '40000' } } });
const documents = Number(values.documents);

interface Used {
  readonly seconds: number;
  readonly megabytes: number;
}

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
  const best = new Map<string, Used>();
  // Interleaved, best of each: a busy moment of the machine then hits all alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(runs)) {
      const used = usedBy(args);
      const known = best.get(name) ?? used;
      best.set(name, {
        seconds: Math.min(known.seconds, used.seconds),
        megabytes: Math.max(known.megabytes, used.megabytes),
      });
    }
  }
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

/** What the process says of itself when it ends: user and system time of all its threads, and its peak memory. */
function usedBy(args: readonly string[]): Used {
  const report = join(folder, 'used.json');
  const hook = join(folder, 'hook.mjs');
  writeFileSync(
    hook,
    `import { writeFileSync } from 'node:fs';
     process.on('exit', () => writeFileSync(${JSON.stringify(report)}, JSON.stringify(process.resourceUsage())));`,
  );
  execFileSync(process.execPath, ['--import', hook, main, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(report, 'utf8'));
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 };
}
