/** The records of the commands and the table of options → docs/commands.md. `npm run docs:commands` */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Argument, Command, Flag } from '../src/cli/app/command.ts';
import { commands } from '../src/cli/commands/index.ts';
import { flagOf, normaliseLanguages, type Option, type OptionName, options } from '../src/options.ts';

const page = fileURLToPath(new URL('../docs/commands.md', import.meta.url));

const opening = `# Commands

\`neardup <command> [inputs…] [options]\`. \`neardup <command> --help\` shows the same on a terminal. This page is generated. To change it, edit the
records in \`src/cli/commands/\` or the table in \`src/options/table.ts\` and run \`npm run docs:commands\`.

- **Inputs** are files, folders, patterns such as \`crawl-*.warc.gz\`, or \`-\` for standard input (JSON lines). See [formats](formats.md).
- **Data** goes to standard output or to \`-o\`. Progress, warnings and the summary go to standard error.
- **\`--quiet\`**, which every command takes, hides progress and summary. It never hides rejects, skipped files or damage.
- **Which options to choose** for your documents: [choosing options](choosing-options.md). What \`--decisions\` reads: [your decisions](decisions-file.md).
- **Numbers** that neardup computes are printed unrounded. Numbers from your documents come out as they were written.

| exit code | means                                                                              |
| --------: | ---------------------------------------------------------------------------------- |
|         0 | done                                                                               |
|         1 | failed, or the answer is no (\`index check\` found damage, \`index get\` found nothing) |
|         2 | wrong usage                                                                        |
|         3 | stopped by the safety brake (\`--max-removed\`, \`--max-cluster\`)                     |
| 130 / 143 | interrupted / terminated                                                           |
`;

export function commandsPage(): string {
  return [
    opening,
    table(
      ['command', 'does'],
      commands.map(({ name, summary }) => [`[${name}](#${anchor(name)})`, summary]),
    ),
    ...commands.map(section),
    commonOptions(),
    languages(),
  ].join('\n');
}

function section(command: Command): string {
  const { name, summary, flags, examples } = command;
  const usage = ['neardup', name, ...command.arguments.map(written), '[options]'].join(' ');
  const own = [
    ...command.arguments.filter(({ help }) => help !== '').map(one => [`\`${written(one)}\``, cell(one.help)]),
    ...Object.entries(flags).map(([flag, record]) => [`\`${spelled(flag, record)}\``, cell(helpOf(record))]),
  ];
  return [
    `## ${name}\n`,
    `${summary[0]!.toUpperCase()}${summary.slice(1)}. Usage: \`${usage}\`\n`,
    ...(own.length > 0 ? [table(['argument or option', 'meaning'], own)] : []),
    ...sharedBy(command),
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\`\n`,
  ].join('\n');
}

/** Names of the common options a command takes, and where it takes fewer values than the table says. */
function sharedBy({ options: names, optionHelp = {} }: Command): string[] {
  if (names.length === 0) return [];
  const own = Object.entries(optionHelp).filter(([name, help]) => help !== options[name as OptionName].help);
  const list = names.map(name => `\`${flagOf(name)}\``).join(', ');
  return [
    `[Common options](#common-options): ${list}.\n`,
    ...(own.length > 0 ? [`Different for this command:\n\n${own.map(different).join('\n')}\n`] : []),
  ];
}

function different([name, help]: [string, string]): string {
  return `- \`${flagOf(name)}\`: ${help}`;
}

function commonOptions(): string {
  const rows = (Object.keys(options) as OptionName[]).map(name => {
    const option: Option<unknown> = options[name];
    const value = option.placeholder === '' ? '' : ` <${option.placeholder}>`;
    const alias = option.alias === undefined ? '' : ` (also \`${flagOf(option.alias)}\`)`;
    const fallback = option.default === undefined || option.default === '' ? '' : `\`${option.default}\``;
    return [`\`${cell(flagOf(name) + value)}\``, fallback, cell(option.help) + alias];
  });
  return ['## Common options\n', table(['option', 'default', 'meaning'], rows)].join('\n');
}

function languages(): string {
  const lists = Object.entries(normaliseLanguages).map(([kind, codes]) => `- \`${kind}:\` ${codes.join(', ')}`);
  return `## Languages of --normalise\n\n${lists.join('\n')}\n`;
}

function written({ name, optional, many }: Argument): string {
  const inner = `${name}${many ? '…' : ''}`;
  return optional ? `[${inner}]` : `<${inner}>`;
}

function spelled(name: string, { placeholder, short, many, again }: Flag): string {
  const value = placeholder === undefined ? '' : ` <${placeholder}${many || again ? '…' : ''}>`;
  return cell(`${short ? `-${short}, ` : ''}${flagOf(name)}${value}`);
}

function helpOf({ help, default: fallback }: Flag): string {
  return fallback === undefined ? help : `${help} (default: ${fallback})`;
}

/** A bar would end the cell, in code too. */
const cell = (text: string) => text.replaceAll('|', '\\|');
const anchor = (name: string) => name.replaceAll(' ', '-');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, commandsPage());
