/** A folder → gone, while threads of this process may still be writing into it. */
import { existsSync, renameSync, rmSync } from 'node:fs';

/**
 * Under another name no thread can put a new file into it, which would keep it from going.
 * For the end of a process: what its threads write from then on fails.
 */
export function removeAtExit(folder: string): void {
  if (!existsSync(folder)) return;
  const ended = `${folder}-ended-${process.pid}`;
  renameSync(folder, ended);
  rmSync(ended, { recursive: true, force: true });
}
