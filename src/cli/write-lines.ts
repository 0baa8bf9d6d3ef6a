/** Lines that come one by one → standard output, no faster than they are taken there. */
import { once } from 'node:events';
import type { Io } from './io.ts';

/** A million documents piped into something slow must not wait in memory. */
export async function writeLines({ stdout }: Pick<Io, 'stdout'>, lines: () => AsyncIterable<string>): Promise<void> {
  for await (const line of lines()) if (!stdout.write(`${line}\n`)) await once(stdout, 'drain');
}
