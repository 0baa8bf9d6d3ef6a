/** The built command with arguments and standard input → its output, standard error and exit code; and small texts for it. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function neardup(
  args: readonly string[],
  input = '',
  env: Record<string, string> = {},
  cwd?: string,
): Promise<Ran> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env }, ...(cwd && { cwd }) });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', data => {
      stdout += data;
    });
    child.stderr.on('data', data => {
      stderr += data;
    });
    child.on('close', code => resolve({ code, stdout, stderr }));
    child.stdin.end(input);
  });
}

export const words = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `w${from + i}`).join(' ');
export const lines = (...records: object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('');
export const parsed = (text: string) =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
