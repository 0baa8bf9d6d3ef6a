/** The built command on a terminal of its own (util-linux `script`) → everything that it showed there, and its exit code. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from './command.ts';

export interface Shown {
  readonly code: number | null;
  /** Standard output and standard error, as they came, with escape sequences; lines end in CR LF. */
  readonly screen: string;
}

export function onTerminal(args: readonly string[], env: Record<string, string> = {}): Promise<Shown> {
  const folder = mkdtempSync(join(tmpdir(), 'neardup-terminal-'));
  const log = join(folder, 'log');
  const line = [process.execPath, main, ...args].map(quoted).join(' ');
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qefc', line, log], {
      env: { ...process.env, TERM: 'xterm', SHELL: '/bin/sh', ...env },
      // A closed standard input would hang up the terminal.
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.on('error', reject);
    child.on('close', code => {
      const typescript = readFileSync(log, 'utf8');
      rmSync(folder, { recursive: true });
      resolve({
        code,
        screen: typescript.replace(/^Script started[^\n]*\n/, '').replace(/\n?Script done[^\n]*\n?$/, ''),
      });
    });
  });
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}
