/** A command line → the CPU time of all its threads and its peak memory, as the process says when it ends. */
import { execFileSync, type StdioOptions } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

export interface Used {
  readonly seconds: number;
  readonly megabytes: number;
}

/** A run that takes longer is a failure. */
const LONGEST = 600_000; // ms

/** `folder` is for files of its own; `printed`: where to write what the command prints; `given`: what it reads. */
export function usedBy(args: readonly string[], folder: string, printed = '/dev/null', given = '/dev/null'): Used {
  const report = join(folder, 'used.json');
  const hook = join(folder, 'hook.mjs');
  writeFileSync(
    hook,
    `import { writeFileSync } from 'node:fs';
     process.on('exit', () => writeFileSync(${JSON.stringify(report)}, JSON.stringify(process.resourceUsage())));`,
  );
  const output = openSync(printed, 'w');
  const input = openSync(given, 'r');
  const stdio: StdioOptions = [input, output, 'inherit'];
  execFileSync(process.execPath, ['--import', hook, main, ...args], { stdio, timeout: LONGEST });
  closeSync(output);
  closeSync(input);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(report, 'utf8'));
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 };
}

/** The least time and the most memory of several rounds. Interleaved: a busy moment of the machine then hits all alike. */
export function bestOf(runs: Readonly<Record<string, readonly string[]>>, rounds: number, folder: string) {
  const best = new Map<string, Used>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of Object.entries(runs)) {
      const used = usedBy(args, folder);
      const known = best.get(name) ?? used;
      best.set(name, {
        seconds: Math.min(known.seconds, used.seconds),
        megabytes: Math.max(known.megabytes, used.megabytes),
      });
    }
  }
  return best;
}
