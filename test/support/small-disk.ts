/** A script and a folder → what it says when the folder is a file system of a few megabytes. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
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
  mkdirSync(folder, { recursive: true });
  const mounted = `mount -t tmpfs -o size=${size} none "$0" || exit 99\n${script}`;
  return spawnSync(unshare!, ['-rm', 'sh', '-c', mounted, folder, ...args], { encoding: 'utf8' });
}
