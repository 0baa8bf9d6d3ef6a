/** Arguments → an exit code: parse, validate, run, and one line for whatever went wrong. */
import { CommanderError } from 'commander';
import { fail, NeardupError } from '../../errors.ts';
import { flagOf, type GivenOptions, type Option, type OptionName, options, readOptions } from '../../options.ts';
import { type Io, quietly } from './io.ts';
import { type CommandSet, type Invocation, parseCommandLine } from './program.ts';
import { exitCodeOf, Interrupted } from './signals.ts';

export async function run(argv: readonly string[], set: CommandSet, io: Io): Promise<number> {
  try {
    const invocation = parseCommandLine(argv, set, text => io.stdout.write(text));
    const { given, values } = readWritten(invocation);
    const { command, args, written } = invocation;
    return (await command.run(args, values, written.quiet ? quietly(io) : io, given)) ?? 0;
  } catch (error) {
    return reportError(error, io.stderr);
  }
}

/** Says what went wrong in one line, and returns the exit code that goes with it. */
export function reportError(error: unknown, stderr: NodeJS.WritableStream): number {
  if (error instanceof CommanderError) return reportParseError(error, stderr);
  if (error instanceof Interrupted) return exitCodeOf(error.signal);
  const debug = Boolean(process.env.NEARDUP_DEBUG);
  const message = error instanceof Error ? error.message || error.name : String(error);
  stderr.write(debug && error instanceof Error ? `neardup: ${error.stack}\n` : `neardup: ${oneLine(message)}\n`);
  return error instanceof NeardupError ? error.exitCode : 1;
}

function reportParseError(error: CommanderError, stderr: NodeJS.WritableStream): number {
  if (error.exitCode === 0) return 0; // help or version, already shown
  const message =
    error.code === 'commander.help' ? 'missing command; see neardup --help' : error.message.replace(/^error: /, '');
  stderr.write(`neardup: ${oneLine(message)}\n`);
  return 2;
}

/** A file name may hold line breaks and escape sequences; an error line may not. */
function oneLine(message: string): string {
  return message
    .trim()
    .replace(/\s*[\r\n]\s*/g, ' ')
    .replace(/\p{Cc}/gu, '?');
}

function readWritten({ command, written }: Invocation) {
  const { given, nameOf } = gatherOptions(command.options, written);
  const values: Record<string, unknown> = { ...readOptions(command.options, given, nameOf) };
  for (const [name, flag] of Object.entries(command.flags)) {
    if (written[name] === undefined) continue;
    const { choices } = flag;
    if (choices && !choices.includes(String(written[name])))
      fail('BAD_OPTION', { option: flagOf(name), expected: `one of ${choices.join(', ')}`, got: written[name] });
    values[name] = flag.parse(written[name], flagOf(name));
  }
  return { given, values: values as Parameters<Invocation['command']['run']>[1] };
}

/** Both spellings of an option end up under its one name; errors use the spelling that was written. */
function gatherOptions(names: readonly OptionName[], written: Invocation['written']) {
  const given: Record<string, unknown> = {};
  const spelling = new Map<string, string>();
  for (const name of names) {
    const { alias }: Option<unknown> = options[name];
    if (alias !== undefined && written[alias] !== undefined) {
      if (written[name] !== undefined)
        fail('BAD_COMBINATION', { what: `${flagOf(name)} and ${flagOf(alias)}`, why: 'two spellings of one option' });
      given[name] = written[alias];
      spelling.set(name, alias);
    } else if (written[name] !== undefined) given[name] = written[name];
  }
  return { given: given as GivenOptions, nameOf: (name: string) => flagOf(spelling.get(name) ?? name) };
}
