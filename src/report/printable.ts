/** Text from a document → text that a terminal shows on one line and does not obey. */
import { withCommas } from './with-commas.ts';

export function printable(text: string): string {
  return visible(text.replace(/\s+/g, ' '));
}

/** The same with every space as it is, for paths and ids that are copied from the screen. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]|\p{Surrogate}/gu, '\ufffd');
}

/** Four digits, but never 1 or 0 by rounding: a reader takes those for all and nothing. */
export function rounded(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const short = value.toFixed(4);
  return Number.isInteger(Number(short)) ? value.toPrecision(2) : short;
}

/** The first `length` code points, on one line. */
export function excerpt(text: string, length: number): string {
  const shown = Array.from(printable(text.slice(0, 4 * length)).trim());
  return shown.length > length || text.length > 4 * length ? `${shown.slice(0, length - 1).join('')}…` : shown.join('');
}

/** Rows → lines with the columns aligned; the last column is left as long as it is. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, at) => Math.max(widest[at] ?? 0, cell.length)),
    [],
  );
  return rows.map(row =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd(),
  );
}

export function count(number: number, thing: string): string {
  const many = /(s|sh|ch|x)$/.test(thing) ? `${thing}es` : `${thing}s`;
  return `${number} ${number === 1 ? thing : many}`;
}

/** The same, of a number that may be large. */
export function many(number: number, thing: string): string {
  return count(number, thing).replace(String(number), withCommas(number));
}

/** There may be millions, made as they are gone through: only the first ones are made. */
export function firstOf<Item>(items: Iterable<Item>, count: number): Item[] {
  const first: Item[] = [];
  for (const item of items) if (first.push(item) === count) break;
  return first;
}
