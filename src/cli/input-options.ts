/** The options of every command that reads documents. */
export const inputOptions = [
  'format',
  'textField',
  'idField',
  'setField',
  'html',
  'maxDocument',
  'strict',
  'damaged',
] as const;

/** Those of `given` that are named: library calls refuse options that are none of theirs. */
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
