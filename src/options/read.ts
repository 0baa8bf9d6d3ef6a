/** Options as they were given → options as a call works with them, defaults filled in. */
import { fail } from '../errors.ts';
import type { GivenOptions, OptionName, OptionValue } from './given.ts';
import { nearestName } from './nearest-name.ts';
import type { Option } from './option.ts';
import { options } from './table.ts';

type OptionTable = typeof options;

type HasDefault = {
  [Name in OptionName]: OptionTable[Name] extends { default: string | number } ? Name : never;
}[OptionName];

/** Options once they are read. Those with a default are always present. */
export type Options<Names extends OptionName = OptionName> = {
  readonly [Name in Names & HasDefault]: OptionValue<Name>;
} & { readonly [Name in Exclude<Names, HasDefault>]?: OptionValue<Name> };

/** How errors name an option: `threshold` in the library, `--threshold` on the command line. */
export type NameOf = (name: string) => string;
export const plainName: NameOf = name => name;

/** Reads the named options out of what was given; unknown names and impossible values are errors. */
export function readOptions<Name extends OptionName>(
  names: readonly Name[],
  given: GivenOptions<Name>,
  nameOf: NameOf = plainName,
): Options<Name> {
  const spelled: Readonly<Record<string, unknown>> = withoutAliases(given);
  requireNames(spelled, names);
  const read: Record<string, unknown> = {};
  for (const name of names) {
    const option: Option<unknown> = options[name];
    const value = spelled[name] ?? option.default;
    if (value !== undefined) read[name] = option.parse(value, nameOf(name));
  }
  return read as Options<Name>;
}

/** An unknown name is an error that suggests the nearest known one. */
export function requireNames(given: object, known: readonly string[], what = 'option name'): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const expected = `one of ${known.join(', ')}`;
    fail('BAD_OPTION', { option: what, expected, got: name, nearest: nearestName(name, known) });
  }
}

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries<Option<unknown>>(options).flatMap(([name, { alias }]) => (alias === undefined ? [] : [[alias, name]])),
);

/** The same under the names of the table: `normalize` → `normalise`. */
export function withoutAliases<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [aliases.get(name) ?? name, value])) as Given;
}

/** `textField` → `--text-field` */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

/** The named properties of `given`. Calls refuse options that they do not know, so others have to be left out before. */
export function pick<Given extends object, const Name extends string>(
  given: Given,
  names: readonly Name[],
): Pick<Given, Name & keyof Given> {
  const wanted: ReadonlySet<string> = new Set(names);
  return Object.fromEntries(Object.entries(given).filter(([name]) => wanted.has(name))) as Pick<
    Given,
    Name & keyof Given
  >;
}
