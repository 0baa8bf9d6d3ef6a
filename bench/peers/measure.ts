/** A command → how long it took, how much memory, and whether it worked. The measuring is done by measure.py. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Measurement {
  readonly seconds: number;
  /** User and system time of all its processes: what a busy machine hardly changes. */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  /** Why there is no result, if there is none. */
  readonly failure?: string;
}

const script = fileURLToPath(new URL('./measure.py', import.meta.url));

export function measure(command: readonly string[], limitSeconds: number, log: string): Measurement {
  // Standard Python without the environment's packages: the measuring process stays small.
  const line = execFileSync('python3', [script, String(limitSeconds), log, ...command], {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const { status, timedOut, ...measurement } = JSON.parse(line.toString());
  if (timedOut) return { ...measurement, failure: `over ${limitSeconds} s` };
  if (status !== 0) return { ...measurement, failure: `failed: ${lastLine(log) ?? `exit ${status}`}` };
  return measurement;
}

function lastLine(log: string): string | undefined {
  return readFileSync(log, 'utf8').trim().split('\n').at(-1)?.slice(0, 200);
}
