/** Command definitions → what may be typed after each command, for any shell. */
import { flagOf, type Option, options } from '../../options.ts';
import { type Command, quietHelp } from '../app/command.ts';

export interface CompletedFlag {
  readonly flag: string;
  readonly short?: string;
  readonly help: string;
  /** `none` is a switch; `any` takes a value that cannot be guessed. */
  readonly value: 'none' | 'any' | 'path' | readonly string[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** What its arguments may be. */
  readonly operands: 'none' | 'path' | readonly string[];
}

export function completedCommands(commands: readonly Command[]): CompletedCommand[] {
  return commands.map(command => ({
    name: command.name,
    summary: command.summary,
    flags: flagsOf(command),
    operands: operandsOf(command),
  }));
}

function flagsOf(command: Command): CompletedFlag[] {
  const own = Object.entries(command.flags).map(([name, { help, short, placeholder, choices }]) => ({
    flag: flagOf(name),
    ...(short && { short: `-${short}` }),
    help,
    value: choices ?? completionOf(placeholder ?? ''),
  }));
  const common = command.options.map(name => {
    const { help, placeholder }: Option<unknown> = options[name];
    return { flag: flagOf(name), help, value: completionOf(placeholder) };
  });
  return [
    ...own,
    ...common,
    { flag: '--quiet', help: quietHelp, value: 'none' },
    { flag: '--help', short: '-h', help: 'show help', value: 'none' },
  ];
}

/** A placeholder tells what it stands for: `auto|always|never` lists the values, `file` is a path. */
function completionOf(placeholder: string): CompletedFlag['value'] {
  if (placeholder === '') return 'none';
  if (/^[\w:-]+(\|[\w:-]+)+$/.test(placeholder)) return placeholder.split('|');
  return /^(files?|folder|dir|inputs?)$/i.test(placeholder) ? 'path' : 'any';
}

function operandsOf({ arguments: list }: Command): CompletedCommand['operands'] {
  return list[0]?.choices ?? (list.length > 0 ? 'path' : 'none');
}
