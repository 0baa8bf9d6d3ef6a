/** The usual kinds of command-only flags. */
import { fail } from '../../errors.ts';
import { foreignEnding, readName } from '../../formats/name.ts';
import { parseInteger } from '../../options.ts';
import type { Flag } from './command.ts';

export function switchFlag(help: string): Flag<boolean> {
  return { help, parse: given => given === true };
}

export function fileFlag(help: string, short?: string): Flag<string> {
  return { help, placeholder: 'file', ...(short && { short }), parse: parsePath };
}

/** For records: an ending that means nothing is fine, one that names a format we do not write is not. */
export function outputFlag(help: string, short?: string): Flag<string> {
  return {
    ...fileFlag(help, short),
    parse(given, name) {
      const path = parsePath(given, name);
      if (foreignEnding(path) === undefined) return path;
      const expected =
        'a name with an ending that we write (.jsonl, .json, .csv, .tsv, .parquet or .warc, most with .gz or .zst)';
      return fail('BAD_OPTION', { option: name, expected, got: path });
    },
  };
}

/** For a page or a picture, which is of one format. */
export function pageFlag(help: string, endings: readonly string[]): Flag<string> {
  return { ...fileFlag(help), parse: (given, name) => parsePage(given, name, endings) };
}

export function parsePage(given: unknown, name: string, endings: readonly string[]): string {
  const path = parsePath(given, name);
  if (endings.some(ending => path.toLowerCase().endsWith(ending))) return path;
  if (foreignEnding(path) === undefined && readName(path).format === undefined) return path;
  return fail('BAD_OPTION', { option: name, expected: `a name that ends in ${endings.join(' or ')}`, got: path });
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

export const rejectsFlag = outputFlag('write the lines that could not be used, and why');
/** Of commands that remove, group or list pairs. */
export const decisionsFlag = fileFlag('follow the decisions in this file: lines of { a, b, verdict, keep? }');
/** Of commands that write CSV. */
export const csvSafeFlag = switchFlag("put ' before cells of CSV output that a spreadsheet takes for a formula");
/** Of commands that print nothing else. */
export const jsonLinesFlag = switchFlag('print JSON lines (the default)');
/** Of commands that print a listing on a terminal. */
export const listJsonFlag = switchFlag(
  'print JSON lines on a terminal, too; with -o, print the summary as one JSON object',
);
export const jsonFlag = switchFlag('print the result as one JSON object on standard output');

function parsePath(given: unknown, option: string): string {
  return typeof given === 'string' && given !== ''
    ? given
    : fail('BAD_OPTION', { option, expected: 'a path', got: given });
}
