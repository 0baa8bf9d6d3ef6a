/**
 * How long the command takes to begin, beside a Node that does nothing: `npm run bench:start`.
 *
 * CPU time, the least of several runs each, in turns, so that a busy machine slows all of them alike.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRandom } from './random.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const RUNS = 15;
const BYTES = 10 ** 6;

const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
try {
  const [small, large, output] = ['small', 'large', 'output'].map(name => join(folder, `${name}.jsonl`)) as [
    string,
    string,
    string,
  ];
  writeFileSync(small, lines(BYTES));
  writeFileSync(large, lines(10 * BYTES));
  const dedup = (input: string, ...more: string[]) => [main, 'dedup', input, '-o', output, '--quiet', ...more];
  const asked: Readonly<Record<string, readonly string[]>> = {
    'node -e 0': ['-e', '0'],
    '--version': [main, '--version'],
    '--help': [main, '--help'],
    'dedup, 1 MB': dedup(small),
    'dedup, 10 MB, --jobs 2': dedup(large, '--jobs', '2'),
    'dedup, 10 MB, --jobs 16': dedup(large, '--jobs', '16'),
  };
  const best = new Map<string, { cpu: number; wall: number }>();
  for (let run = 0; run < RUNS; run++)
    for (const [name, args] of Object.entries(asked)) {
      const taken = timeOf(args);
      const before = best.get(name) ?? taken;
      best.set(name, { cpu: Math.min(before.cpu, taken.cpu), wall: Math.min(before.wall, taken.wall) });
    }
  const base = best.get('node -e 0')!;
  console.log('| | CPU ms | × node | wall ms | × node |\n| --- | ---: | ---: | ---: | ---: |');
  for (const [name, { cpu, wall }] of best)
    console.log(
      `| ${name} | ${cpu.toFixed(0)} | ${(cpu / base.cpu).toFixed(2)} | ${wall.toFixed(0)} | ${(wall / base.wall).toFixed(2)} |`,
    );
} finally {
  rmSync(folder, { recursive: true });
}

/** The shell knows what its children took; the last line is theirs: `0m0.05s 0m0.01s`. */
function timeOf(args: readonly string[]): { cpu: number; wall: number } {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', '"$@" >/dev/null && times', 'sh', process.execPath, ...args],
    {
      encoding: 'utf8',
    },
  );
  const wall = performance.now() - started;
  if (status !== 0) throw new Error(stderr);
  const [, children] = stdout.trim().split('\n');
  const cpu = [...children!.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60 + Number(s),
    0,
  );
  return { cpu: cpu * 1000, wall };
}

function lines(bytes: number): string {
  const random = createRandom(1);
  const found: string[] = [];
  for (let length = 0, id = 0; length < bytes; id++) {
    const text = Array.from({ length: 300 }, () => `w${random.below(50_000)}`).join(' ');
    const line = `${JSON.stringify({ id: String(id), text })}\n`;
    found.push(line);
    length += line.length;
  }
  return found.join('');
}
