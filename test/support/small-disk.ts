/** A script and a folder → what it says when the folder is a file system of a few megabytes. */

import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { outsideProgram } from './outside.ts';

export const unshare = outsideProgram('unshare', 'what meets a full disk');

/** In a namespace of its own: it is there for the script alone, as `$0`, and gone with it. */
export function onSmallDisk(
  folder: string,
  size: string,
  script: string,
  ...args: readonly string[]
): SpawnSyncReturns<string> {
  return spawnSync(unshare!, mounted(folder, size, script, args), { encoding: 'utf8' });
}

/** The same for a command that takes long. */
export function onSmallDiskSoon(
  folder: string,
  size: string,
  command: readonly string[],
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  return new Promise(resolve => {
    const child = spawn(unshare!, mounted(folder, size, 'exec "$@"', command), { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', data => {
      stderr += data;
    });
    child.on('close', code => resolve({ code, stderr }));
  });
}

function mounted(folder: string, size: string, script: string, args: readonly string[]): string[] {
  mkdirSync(folder, { recursive: true });
  return ['-rm', 'sh', '-c', `mount -t tmpfs -o size=${size} none "$0" || exit 99\n${script}`, folder, ...args];
}
