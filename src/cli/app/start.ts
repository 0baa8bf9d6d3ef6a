/** The arguments and streams of the process → its exit code. */

import { readVersion } from '../../files/package.ts';
import { reasonOf } from '../../files/system-errors.ts';
import { commands, groups } from '../commands/index.ts';
import { createIo } from './io.ts';
import { reportError, run } from './run.ts';
import type { OnInterrupt } from './signals.ts';

export async function start(onInterrupt: OnInterrupt): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `neardup pairs … | head` closed the pipe: whoever asked has seen enough.
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`neardup: cannot write standard output: ${reasonOf(error)}\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => {}); // nobody is left to be told
  console.error = () => {}; // LMDB prints errors that it also throws
  process.on('uncaughtException', error => process.exit(reportError(error, process.stderr)));

  const set = { version: readVersion(), commands, groups };
  process.exitCode = await run(process.argv.slice(2), set, createIo(process, onInterrupt));
  // A run that failed does not wait for what might still come.
  if (process.exitCode !== 0) process.stdin.destroy();
}
