/** Completed commands → a script for zsh. */
import type { CompletedCommand, CompletedFlag } from './words.ts';

export function zshScript(commands: readonly CompletedCommand[]): string {
  const groups = [...new Set(commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ')[0]!))];
  return `#compdef neardup
# neardup completion for zsh. Load it with: source <(neardup completion zsh), after compinit
_neardup() {
  local -a commands
  if ((CURRENT == 2)); then
    commands=(${firstWords(commands)})
    _describe command commands
    _values flag --help --version
    return
  fi
  case "$words[2]" in
${commands
  .filter(({ name }) => !name.includes(' '))
  .map(simpleCase)
  .join('\n')}
${groups.map(group => groupCase(group, commands)).join('\n')}
  esac
}
# Autoloaded from a folder of $fpath, this file is itself the function, and the first call must already complete.
if [[ "$funcstack[1]" == _neardup ]]; then _neardup "$@"; else compdef _neardup neardup; fi
`;
}

function simpleCase(command: CompletedCommand): string {
  return `    ${command.name}) shift words; ((CURRENT--)); ${argumentsOf(command)} ;;`;
}

function groupCase(group: string, commands: readonly CompletedCommand[]): string {
  const members = commands.filter(({ name }) => name.startsWith(`${group} `));
  const second = ({ name }: CompletedCommand) => name.split(' ')[1]!;
  return `    ${group})
      if ((CURRENT == 3)); then
        commands=(${members.map(member => quoted(`${second(member)}:${member.summary}`)).join(' ')})
        _describe command commands
        return
      fi
      case "$words[3]" in
${members.map(member => `        ${second(member)}) shift 2 words; ((CURRENT -= 2)); ${argumentsOf(member)} ;;`).join('\n')}
      esac ;;`;
}

function argumentsOf({ flags, operands }: CompletedCommand): string {
  const specs = flags.flatMap(flagSpecs);
  const rest = operands === 'none' ? [] : [quoted(`*:argument:${actionOf(operands)}`)];
  return ['_arguments', ...specs, ...rest].join(' ');
}

function flagSpecs({ flag, short, help, value }: CompletedFlag): string[] {
  const explained = `[${help.replace(/[[\]:]/g, '\\$&')}]`;
  const argument = value === 'none' ? '' : `:value:${actionOf(value)}`;
  return [flag, short].flatMap(name => (name ? [quoted(name + explained + argument)] : []));
}

function actionOf(value: 'any' | 'path' | readonly string[]): string {
  if (value === 'any') return ' ';
  return value === 'path' ? '_files' : `(${(value as readonly string[]).join(' ')})`;
}

function firstWords(commands: readonly CompletedCommand[]): string {
  const seen = new Map<string, string>();
  for (const { name, summary } of commands) {
    const first = name.split(' ')[0]!;
    if (!seen.has(first)) seen.set(first, name === first ? `${first}:${summary}` : first);
  }
  return [...seen.values()].map(quoted).join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
