/** Command definitions and an argument list → which command was asked for, with what. Nothing is run or opened here. */
import { Argument as CommanderArgument, Option as CommanderOption, Command as Program } from 'commander';
import { flagOf, normaliseLanguages, type Option, type OptionName, options } from '../../options.ts';
import { type Argument, type Command, type Flag, quietHelp } from './command.ts';

export interface Invocation {
  readonly command: Command;
  readonly args: readonly string[];
  /** Flags by their camelCase names, as strings, lists of strings, or true. */
  readonly written: Readonly<Record<string, unknown>>;
}

export interface CommandSet {
  readonly version: string;
  readonly commands: readonly Command[];
  /** Summaries of the first words that several commands share. */
  readonly groups: Readonly<Record<string, string>>;
}

/** Help and version go to `show`, and then, as for every error, a CommanderError is thrown. */
export function parseCommandLine(argv: readonly string[], set: CommandSet, show: (text: string) => void): Invocation {
  let invocation: Invocation | undefined;
  const program = createProgram(set, show);
  const asked = commandsAsked(set.commands, argv);
  for (const command of set.commands) {
    const parser = addCommand(program, command, set.groups);
    if (!asked.includes(command)) continue;
    addOptions(parser, command);
    parser.action(() => {
      invocation = { command, args: parser.args, written: parser.opts() };
    });
  }
  program.parse(withoutHelpOfUnknown(argv, program), { from: 'user' });
  // Commander either calls one action or throws.
  return invocation!;
}

/** `neardup serch --help` is an error about `serch`, not a request for the general help. */
function withoutHelpOfUnknown(argv: readonly string[], program: Program): string[] {
  const [first = '-'] = argv;
  const isKnown =
    first.startsWith('-') || first === 'help' || program.commands.some(command => command.name() === first);
  return isKnown ? [...argv] : [first];
}

function createProgram({ version }: CommandSet, show: (text: string) => void): Program {
  return new Program('neardup')
    .description('Near-duplicate detection for document collections: verified, and with evidence for every removal.')
    .usage('<command> [inputs…] [options]')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .configureOutput({ writeOut: show, writeErr: () => {} })
    .addHelpText('after', '\nneardup <command> --help shows the options of a command, with examples.')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({ minWidthToWrap: 20 })
    .exitOverride();
}

function addCommand(program: Program, command: Command, groups: CommandSet['groups']): Program {
  const [first, second] = command.name.split(' ');
  const parent = second === undefined ? program : findOrAddGroup(program, first!, groups[first!] ?? '');
  return parent
    .command(second ?? first!)
    .description(sentence(command.summary))
    .summary(command.summary);
}

/** All commands together have some hundred options. Only those of the command that was asked for are made. */
function commandsAsked(commands: readonly Command[], [first]: readonly string[]): readonly Command[] {
  if (first === '--version') return [];
  const asked = commands.filter(({ name }) => name.split(' ')[0] === first);
  return asked.length > 0 ? asked : commands;
}

function addOptions(parser: Program, command: Command): void {
  for (const argument of command.arguments) parser.addArgument(argumentOf(argument));
  for (const [name, flag] of Object.entries(command.flags)) parser.addOption(flagOption(name, flag));
  for (const name of command.options)
    for (const option of tableOptions(name, command.optionHelp?.[name])) parser.addOption(option);
  parser.option('--quiet', quietHelp);
  if (command.options.includes('normalise')) parser.addHelpText('after', languagesText());
  parser.addHelpText('after', ['\nExamples:', ...command.examples.map(line => `  $ ${line}`)].join('\n'));
}

function findOrAddGroup(program: Program, name: string, summary: string): Program {
  return program.commands.find(group => group.name() === name) ?? program.command(name).description(summary);
}

function argumentOf({ name, help, optional, many, choices }: Argument): CommanderArgument {
  const dots = many ? '...' : '';
  const argument = new CommanderArgument(optional ? `[${name}${dots}]` : `<${name}${dots}>`, help);
  return choices ? argument.choices(choices) : argument;
}

function flagOption(name: string, { help, placeholder, short, many, again, default: fallback }: Flag): CommanderOption {
  const value = placeholder === undefined ? '' : ` <${placeholder}${many ? '...' : ''}>`;
  const option = new CommanderOption(
    `${short ? `-${short}, ` : ''}${flagOf(name)}${value}`,
    withDefault(help, fallback),
  );
  return again ? option.argParser((given: string, before: string[] = []) => [...before, given]) : option;
}

const MOST_PLACEHOLDER = 20;
/** Of a terminal that nobody has widened. */
const WIDTH = 80;

function languagesText(): string {
  const lists = Object.entries(normaliseLanguages).map(([kind, languages]) =>
    wrapped(`${kind}: ${languages.join(', ')}`),
  );
  return ['\nLanguages of --normalise:', ...lists].join('\n');
}

function wrapped(text: string): string {
  const width = Math.min(WIDTH, process.stdout.columns ?? WIDTH) - 4;
  return text
    .replace(new RegExp(`(.{1,${width}})(?: |$)`, 'g'), '    $1\n')
    .replace(/^ {2}/, '')
    .trimEnd();
}

/** The option, and its other spelling, which the help does not show. */
function tableOptions(name: OptionName, ownHelp?: string): CommanderOption[] {
  const { placeholder, help, default: fallback, alias }: Option<unknown> = options[name];
  // A long list of choices would make the column of every option as wide.
  const isLong = placeholder.length > MOST_PLACEHOLDER;
  const value = placeholder === '' ? '' : ` <${isLong ? name : placeholder}>`;
  const text = isLong ? `${help}: ${placeholder.replaceAll('|', ', ')}` : (ownHelp ?? help);
  const option = new CommanderOption(flagOf(name) + value, withDefault(text, fallback)).helpGroup('Common options:');
  return alias ? [option, new CommanderOption(flagOf(alias) + value).hideHelp()] : [option];
}

/** Commander does not get the defaults: with them, it could not tell a written option from one that was left out. */
function withDefault(help: string, fallback: string | number | undefined): string {
  return fallback === undefined || fallback === '' ? help : `${help} (default: ${fallback})`;
}

function sentence(summary: string): string {
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}.`;
}
