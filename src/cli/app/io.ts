/** The process → what a command may touch of it: streams, colour, quiet, signals. */
import type { OnInterrupt } from './signals.ts';

export interface Io {
  readonly stdin: NodeJS.ReadableStream;
  /** For data that flows; a line at a time is `write`. */
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Whether standard output takes colour. */
  readonly color: boolean;
  readonly quiet: boolean;
  /** A line of the result, on standard output. */
  write(line: string): void;
  /** A line beside the result (progress, summary, advice), on standard error; silent with --quiet. */
  note(line: string): void;
  /** A line about something that was lost (rejects, skipped files, damage), on standard error, with --quiet too. */
  warn(line: string): void;
  /**
   * Without it, a signal ends the process at once, SIGINT with 130 and SIGTERM with 143. With it, the first SIGINT or
   * SIGTERM calls `stop`, and the command ends by itself, its `run` saying with which exit code; a second one ends it at once.
   */
  readonly onInterrupt: OnInterrupt;
}

export function createIo(process: NodeJS.Process, onInterrupt: OnInterrupt): Io {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    color: takesColor(process),
    quiet: false,
    write: line => void process.stdout.write(`${line}\n`),
    note: line => void process.stderr.write(`${line}\n`),
    warn: line => void process.stderr.write(`${line}\n`),
    onInterrupt,
  };
}

export function quietly(io: Io): Io {
  return { ...io, quiet: true, note: () => {} };
}

/** https://no-color.org: any value but the empty one counts. */
function takesColor({ stdout, env }: NodeJS.Process): boolean {
  return Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
}
