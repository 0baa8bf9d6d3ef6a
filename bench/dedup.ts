/**
 * A whole verified dedup as a ratio to `wc -w` on the same file in the same run: JSON lines in, JSON lines and evidence out.
 *
 *   npm run bench:dedup [-- --documents 500000]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeCorpus } from './make-corpus.ts';

const ROUNDS = 3;
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const { values } = parseArgs({ options: { documents: { type: 'string', default: '500000' } } });

const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
try {
  const corpus = join(folder, 'corpus.jsonl');
  makeCorpus(corpus, { documents: Number(values.documents), copies: 0.3, script: 'latin', seed: 1 });
  const outputs = ['-o', join(folder, 'kept.jsonl'), '--removed', join(folder, 'removed.jsonl')];
  const runs = {
    'wc -w': () => execFileSync('wc', ['-w', corpus]),
    'dedup --dry-run': () => execFileSync(process.execPath, [main, 'dedup', corpus, '--dry-run', '--quiet']),
    dedup: () => execFileSync(process.execPath, [main, 'dedup', corpus, ...outputs, '--quiet']),
  };
  const best = new Map(Object.keys(runs).map(name => [name, Number.POSITIVE_INFINITY]));
  // Interleaved, best of each: a busy moment of the machine then hits all alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(runs)) best.set(name, Math.min(best.get(name)!, secondsOf(run)));
  }
  const megabytes = statSync(corpus).size / 1e6;
  const yardstick = best.get('wc -w')!;
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; best of ${ROUNDS}; ${values.documents} documents, ${megabytes.toFixed(0)} MB`,
  );
  for (const [name, seconds] of best) {
    const rate = (megabytes / seconds).toFixed(0);
    console.log(
      `${name.padEnd(16)} ${seconds.toFixed(2).padStart(6)} s  ${rate.padStart(4)} MB/s  ${(seconds / yardstick).toFixed(2)} × wc -w`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}

function secondsOf(run: () => void): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1000;
}
