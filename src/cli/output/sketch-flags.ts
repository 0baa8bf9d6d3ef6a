/** What is written after the flags of `sketch` → orderings, permutation tables, output names; and what goes together. */
import { fail } from '../../errors.ts';

export function parseOrdering(given: string, option: string): readonly string[] {
  const ordering = given.split(',').map(element => element.trim());
  if (new Set(ordering).size === ordering.length && !ordering.includes('')) return ordering;
  return fail('BAD_OPTION', { option, expected: 'a list that names each element once, such as cat,dog', got: given });
}

/** `2,0,1`: 0 goes to 2, 1 to 0, 2 to 1. */
export function parseTable(given: string, option: string): readonly number[] {
  const table = given.split(',').map(image => (/^\s*\d+\s*$/.test(image) ? Number(image) : Number.NaN));
  const last = table.length - 1;
  if (new Set(table).size === table.length && table.every(image => image <= last)) return table;
  const expected = `each of 0 to ${last} once, as there are ${table.length} numbers`;
  return fail('BAD_OPTION', { option, expected: last < 1 ? 'a list of numbers such as 2,0,1' : expected, got: given });
}

export function parseSketchFile(given: unknown, option: string): string {
  if (/\.(jsonl|ndjson)(\.gz|\.zst)?$|\.parquet$/i.test(String(given))) return String(given);
  const expected = 'a name that ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet';
  return fail('BAD_OPTION', { option, expected, got: given });
}

export interface SketchFlags {
  readonly sketch: { readonly kind: string };
  readonly setField?: string;
  readonly binary?: boolean;
  readonly meta?: number;
  readonly ordering?: readonly (readonly string[])[];
  readonly permutation?: readonly (readonly number[])[];
  readonly blackBox?: number;
}

export function requireTogether(options: SketchFlags, given: { readonly sketch?: unknown }): void {
  const permuting = (['ordering', 'permutation', 'blackBox'] as const).filter(name => options[name] !== undefined);
  const [first, second] = permuting.map(name => (name === 'blackBox' ? '--black-box' : `--${name}`));
  const refuse = (what: string, why: string) => fail('BAD_COMBINATION', { what, why });
  if (options.meta !== undefined && options.sketch.kind !== 'super')
    refuse('--meta without --sketch super', 'a meta-sketch is made of super shingles');
  if (first === undefined) return;
  if (second !== undefined) refuse(`${first} with ${second}`, 'one kind of permutation at a time');
  if (options.setField === undefined) refuse(`${first} without --set-field`, 'it permutes the elements of sets');
  if (given.sketch !== undefined) refuse(`${first} with --sketch`, 'the permutation takes the place of the sketch');
  if (options.binary) refuse(`${first} with --binary`, 'only sketches have a binary form');
}
