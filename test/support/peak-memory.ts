/** A program of Node → the most memory it had, told when it ends. */
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes a script for `node --require`: each process adds the kilobytes to the file `peaks`. Of its own memory, since what
 * `resourceUsage` says is no less than what the process had that started it: a JVM, where Spark does.
 */
export function tellPeak(script: string, peaks: string): void {
  writeFileSync(
    script,
    `const { appendFileSync, readFileSync } = require('node:fs');
const own = () => /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1];
if (require('node:worker_threads').isMainThread)
  process.on('exit', () => appendFileSync(${JSON.stringify(peaks)}, own() + '\\n'));
`,
  );
}

/** In bytes, of all processes that told. */
export function largestPeak(peaks: string): number {
  return 1024 * Math.max(...readFileSync(peaks, 'utf8').trim().split('\n').map(Number));
}
