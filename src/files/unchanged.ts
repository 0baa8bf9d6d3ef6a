/** Input files → the same files, or an error that names the one that is not what it was when the run began. */
import { type BigIntStats, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fail } from '../errors.ts';
import { failReading } from './system-errors.ts';

interface WatchedFile {
  readonly path: string;
  /** What it was when the run began; files without one are copies of ours. */
  readonly identity?: string;
}

/** Size and time of writing can be set to what they were; the time of the last change (ctime) cannot. */
export function identityIn({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** Result of the work, if the files are then as they were. Of a file that is gone or changed, every other error is a consequence. */
export async function whileUnchanged<Result>(
  files: readonly WatchedFile[],
  work: () => Promise<Result>,
): Promise<Result> {
  const result = await work().catch(async error => {
    await requireUnchanged(files);
    throw error;
  });
  await requireUnchanged(files);
  return result;
}

export async function requireUnchanged(files: readonly WatchedFile[]): Promise<void> {
  for (const [i, { path, identity }] of files.entries()) {
    if (identity !== undefined && identity !== presentIdentity(path)) failOnChange(path);
    // A thousand take some 3 ms, in which no signal is heard.
    if (i % 1000 === 999) await setImmediate();
  }
}

function presentIdentity(path: string): string {
  try {
    return identityIn(statSync(path, { bigint: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return failReading(path, error);
    return fail('BAD_INPUT', { file: path, reason: 'it vanished while it was read' });
  }
}

/** A new mode or another hard link is a change as well, which a second run does not meet. */
export function failOnChange(path: string): never {
  return fail('BAD_INPUT', { file: path, reason: 'it changed while it was read; run again' });
}
