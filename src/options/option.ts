/** What the table knows of an option, and constructors for the usual kinds: numbers, choices, sizes, switches, patterns. */
import { fail } from '../errors.ts';
import { parseBytes, parseChoice, parseInteger, parseNumber } from './parsers.ts';

export interface Option<Value> {
  /** What stands after the flag in `--help`. */
  readonly placeholder: string;
  readonly help: string;
  /** As a user would write it; undefined when there is none. */
  readonly default?: string | number;
  /** Another spelling of the flag. */
  readonly alias?: string;
  /** What a value looks like, as data, for the HTTP schema and the docs. */
  readonly accepts: Accepts;
  /** From a string of the command line or a value of the library; fails with the option's name. */
  readonly parse: (given: unknown, name: string) => Value;
}

/** A subset of JSON Schema. It does not describe everything that the parser refuses, such as a size that a kind of sketch cannot have. */
export type Accepts =
  | { readonly type: 'number' | 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'string'; readonly enum: readonly string[] }
  | { readonly type: 'string'; readonly pattern: string }
  | { readonly type: 'string'; readonly minLength: 1 }
  | { readonly type: 'boolean' }
  | { readonly type: 'array'; readonly items: Accepts }
  | { readonly anyOf: readonly Accepts[] };

/** Lets the compiler tell options with a default from those without. */
type WithDefault<Value, Default> = Option<Value> &
  (undefined extends Default ? unknown : { readonly default: Default });

interface Range<Default> {
  readonly min: number;
  readonly max: number;
  readonly default?: Default;
  readonly help: string;
}

export function numberOption<Default extends number | undefined = undefined>(
  range: Range<Default>,
): WithDefault<number, Default> {
  return rangeOption('number', range, parseNumber);
}

export function integerOption<Default extends number | undefined = undefined>(
  range: Range<Default>,
): WithDefault<number, Default> {
  return rangeOption('integer', range, parseInteger);
}

function rangeOption<Default extends number | undefined>(
  type: 'number' | 'integer',
  { min, max, help, default: value }: Range<Default>,
  parse: typeof parseNumber,
): WithDefault<number, Default> {
  return withDefault(value, {
    placeholder: type,
    help,
    accepts: { type, minimum: min, maximum: max },
    parse: (given, name) => parse(given, name, min, max),
  });
}

export function choiceOption<const Choice extends string, Default extends Choice | undefined = undefined>(choice: {
  readonly choices: readonly Choice[];
  readonly default?: Default;
  readonly help: string;
}): WithDefault<Choice, Default> {
  const { choices, help } = choice;
  return withDefault(choice.default, {
    placeholder: choices.join('|'),
    help,
    accepts: { type: 'string', enum: choices },
    parse: (given, name) => parseChoice(given, name, choices),
  });
}

/** Any string but the empty one, such as a field or a folder. The error says `what` is expected. */
export function textOption<Default extends string | undefined = undefined>(text: {
  readonly placeholder: string;
  readonly what: string;
  readonly default?: Default;
  readonly help: string;
}): WithDefault<string, Default> {
  const { placeholder, what, help } = text;
  return withDefault(text.default, {
    placeholder,
    help,
    accepts: { type: 'string', minLength: 1 },
    parse: (given, name) =>
      typeof given === 'string' && given !== ''
        ? given
        : fail('BAD_OPTION', { option: name, expected: what, got: given }),
  });
}

export function fieldOption<Default extends string | undefined = undefined>(field: {
  readonly default?: Default;
  readonly help: string;
}): WithDefault<string, Default> {
  return textOption({ placeholder: 'field', what: 'a field name', ...field });
}

export function sizeOption(size: { readonly default: string; readonly help: string }) {
  return {
    placeholder: 'size',
    ...size,
    accepts: {
      anyOf: [
        { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        { type: 'string', pattern: '^\\d+(\\.\\d+)?\\s*([KMGTkmgt]?[Bb]?)$' },
      ],
    },
    parse: parseBytes,
  } satisfies Option<number>;
}

export function switchOption({ help }: { readonly help: string }): Option<boolean> {
  return { placeholder: '', help, accepts: { type: 'boolean' }, parse: given => given === true };
}

/** A string of a form of its own, such as `word:5`, and the parser that reads it. */
export function patternOption<Value>(
  pattern: { readonly placeholder: string; readonly pattern: RegExp; readonly default: string; readonly help: string },
  parse: (given: unknown, name: string) => Value,
) {
  const { pattern: form, ...words } = pattern;
  return { ...words, accepts: { type: 'string', pattern: form.source }, parse } satisfies Option<Value>;
}

function withDefault<Value, Default>(
  fallback: Default | undefined,
  option: Option<Value>,
): WithDefault<Value, Default> {
  return { ...option, ...(fallback !== undefined && { default: fallback }) } as WithDefault<Value, Default>;
}
