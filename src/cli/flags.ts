/** The usual kinds of command-only flags. */
import { fail } from '../errors.ts';
import { parseInteger } from '../options.ts';
import type { Flag } from './command.ts';

export function switchFlag(help: string): Flag<boolean> {
  return { help, parse: given => given === true };
}

export function fileFlag(help: string, short?: string): Flag<string> {
  return { help, placeholder: 'file', ...(short && { short }), parse: parsePath };
}

export function filesFlag(help: string): Flag<readonly string[]> {
  return {
    help,
    placeholder: 'files',
    many: true,
    parse: (given, name) => (Array.isArray(given) ? given : [given]).map(path => parsePath(path, name)),
  };
}

/** A flag whose value takes some reading: `parse` is that of an option (see src/options.ts). */
export function valueFlag<Value>(placeholder: string, help: string, parse: Flag<Value>['parse']): Flag<Value> {
  return { help, placeholder, parse };
}

export function integerFlag(placeholder: string, help: string, min: number, max: number): Flag<number> {
  return { help, placeholder, parse: (given, name) => parseInteger(given, name, min, max) };
}

/** A flag that may stand several times; `parse` reads one of its values. */
export function repeatedFlag<Value>(
  placeholder: string,
  help: string,
  parse: (given: string, name: string) => Value,
): Flag<readonly Value[]> {
  return { help, placeholder, again: true, parse: (given, name) => (given as string[]).map(one => parse(one, name)) };
}

export const rejectsFlag = fileFlag('write which lines could not be used, and why');
/** Of commands that print nothing else. */
export const jsonLinesFlag = switchFlag('print JSON lines, as is done without it, too');
export const jsonFlag = switchFlag('print the result as one JSON object on standard output');

function parsePath(given: unknown, option: string): string {
  return typeof given === 'string' && given !== ''
    ? given
    : fail('BAD_OPTION', { option, expected: 'a path', got: given });
}
