/** Completed commands → a script for fish. */
import type { CompletedCommand, CompletedFlag } from './words.ts';

export function fishScript(commands: readonly CompletedCommand[]): string {
  return [
    '# neardup completion for fish. Save it as ~/.config/fish/completions/neardup.fish',
    'complete -c neardup -f',
    "complete -c neardup -n __fish_use_subcommand -l help -s h -d 'show help'",
    "complete -c neardup -n __fish_use_subcommand -l version -d 'print the version'",
    ...commands.flatMap(commandLines),
    '',
  ].join('\n');
}

function commandLines({ name, summary, flags, operands }: CompletedCommand): string[] {
  const [first, second] = name.split(' ');
  const start =
    second === undefined
      ? '__fish_use_subcommand'
      : quoted(`__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${second}`);
  const inside = quoted(
    [first, second]
      .filter(Boolean)
      .map(word => `__fish_seen_subcommand_from ${word}`)
      .join('; and '),
  );
  return [
    ...(second === undefined ? [] : [`complete -c neardup -n __fish_use_subcommand -a ${first}`]),
    `complete -c neardup -n ${start} -a ${second ?? first} -d ${quoted(summary)}`,
    ...(operands === 'none' ? [] : [`complete -c neardup -n ${inside} ${completionOf(operands)}`]),
    ...flags.map(flag => `complete -c neardup -n ${inside} ${flagOf(flag)} -d ${quoted(flag.help)}`),
  ];
}

function flagOf({ flag, short, value }: CompletedFlag): string {
  const names = `-l ${flag.slice(2)}${short ? ` -s ${short.slice(1)}` : ''}`;
  if (value === 'none') return names;
  return value === 'any' ? `${names} -x` : `${names} -r ${completionOf(value)}`;
}

function completionOf(value: 'path' | readonly string[]): string {
  return value === 'path' ? '-F' : `-f -a ${quoted((value as readonly string[]).join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
