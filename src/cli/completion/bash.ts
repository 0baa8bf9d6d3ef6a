/** Completed commands → a script for bash (3.2 and later, with or without bash-completion). */
import type { CompletedCommand, CompletedFlag } from './words.ts';

export function bashScript(commands: readonly CompletedCommand[]): string {
  return `# neardup completion for bash. Load it with: source <(neardup completion bash)
_neardup() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" word index flags="" operands=""
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$command$word" in
      -*) ;;
      ${firstWords(commands).join('|')}) command="$word" ;;
      *) case "$command $word" in ${twoWordNames(commands)}) command="$command $word" ;; esac ;;
    esac
  done
  case "$command $previous" in
${valueCases(commands).join('\n')}
  esac
  case "$command" in
    "") operands="${firstWords(commands).join(' ')} help" flags="--help --version" ;;
${groupCases(commands).join('\n')}
${commands.map(commandCase).join('\n')}
  esac
  if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ "$operands" == @path ]]; then _neardup_paths
  else COMPREPLY=($(compgen -W "$operands" -- "$current")); fi
}
_neardup_paths() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _neardup neardup
`;
}

function commandCase({ name, flags, operands }: CompletedCommand): string {
  const words = flags.flatMap(({ flag, short }) => (short ? [flag, short] : [flag])).join(' ');
  return `    ${quoted(name)}) operands="${operandWords(operands)}" flags="${words}" ;;`;
}

function operandWords(operands: CompletedCommand['operands']): string {
  return operands === 'none' ? '' : operands === 'path' ? '@path' : operands.join(' ');
}

/** After a flag that takes a value comes the value, not a flag or an operand. */
function valueCases(commands: readonly CompletedCommand[]): string[] {
  return commands.flatMap(({ name, flags }) =>
    flags
      .filter(({ value }) => value !== 'none')
      .map(flag => `    ${spellings(name, flag)}) ${valueAction(flag.value)}return ;;`),
  );
}

function spellings(name: string, { flag, short }: CompletedFlag): string {
  return [flag, short].flatMap(spelling => (spelling ? [quoted(`${name} ${spelling}`)] : [])).join('|');
}

function valueAction(value: CompletedFlag['value']): string {
  if (value === 'path') return '_neardup_paths; ';
  return typeof value === 'string' ? '' : `COMPREPLY=($(compgen -W "${value.join(' ')}" -- "$current")); `;
}

function groupCases(commands: readonly CompletedCommand[]): string[] {
  const groups = new Set(commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ')[0]!));
  return [...groups].map(group => {
    const seconds = commands.filter(({ name }) => name.startsWith(`${group} `)).map(({ name }) => name.split(' ')[1]);
    return `    ${group}) operands="${seconds.join(' ')}" flags="--help" ;;`;
  });
}

function firstWords(commands: readonly CompletedCommand[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0]!))];
}

function twoWordNames(commands: readonly CompletedCommand[]): string {
  const names = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => quoted(name));
  return names.length > 0 ? names.join('|') : '"# none"';
}

function quoted(text: string): string {
  return `"${text}"`;
}
