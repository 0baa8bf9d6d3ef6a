/** A command line → what it printed and its exit code, in this process; data on standard output needs a real one. */
import { PassThrough } from 'node:stream';
import type { Io } from '../../src/cli/app/io.ts';
import type { CommandSet } from '../../src/cli/app/program.ts';
import { run } from '../../src/cli/app/run.ts';
import { commands, groups } from '../../src/cli/commands/index.ts';

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function call(...args: string[]): Promise<Called> {
  return callWith({ version: '0.0.0', commands, groups }, args);
}

/** The same with other commands. */
export async function callWith(set: CommandSet, args: readonly string[]): Promise<Called> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const io: Io = {
    stdin: new PassThrough(),
    stdout,
    stderr,
    color: false,
    quiet: false,
    write: line => void stdout.write(`${line}\n`),
    note: line => void stderr.write(`${line}\n`),
    warn: line => void stderr.write(`${line}\n`),
    onInterrupt: () => {},
  };
  const code = await run([...args], set, io);
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}
