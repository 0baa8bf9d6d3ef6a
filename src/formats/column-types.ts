/** Values of a column, as JSON text → the one type that holds them all as they are written, for Parquet. */
import { elementTexts, fieldTexts } from './raw-json.ts';

export type ColumnType =
  | { readonly kind: 'null' | 'boolean' | 'text' | 'json' }
  /** `fits`: which of the number types hold it, as bits. */
  | { readonly kind: 'number'; readonly fits: number }
  | { readonly kind: 'list'; readonly of: ColumnType }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, ColumnType> };

/** In the order in which they are preferred. Parquet has no integer of 128 bits, and a decimal of 38 digits. */
export const numberTypes = { BIGINT: 1, UBIGINT: 2, 'DECIMAL(38, 0)': 4, DOUBLE: 8 } as const;
const { BIGINT, UBIGINT, 'DECIMAL(38, 0)': DECIMAL, DOUBLE } = numberTypes;

/** Deeper values are JSON text: each level is read once more for its type. */
const DEEPEST = 16;

export function typeOf(json: string, depth = 0): ColumnType {
  switch (json[0]) {
    case '"':
      return { kind: 'text' };
    case 't':
    case 'f':
      return { kind: 'boolean' };
    case 'n':
      return { kind: 'null' };
    case '[':
    case '{':
      return depth < DEEPEST ? nestedType(json, depth + 1) : { kind: 'json' };
    default:
      return numberType(fitsOf(json));
  }
}

function nestedType(json: string, depth: number): ColumnType {
  if (json[0] === '[') {
    const types = elementTexts(json).map(text => typeOf(text, depth));
    return { kind: 'list', of: types.reduce(unite, { kind: 'null' }) };
  }
  const fields = new Map(Array.from(fieldTexts(json), ([name, text]) => [name, typeOf(text, depth)]));
  // Parquet has no struct without fields.
  return fields.size === 0 ? { kind: 'json' } : { kind: 'struct', fields };
}

/** Types that do not go together become JSON text, which holds anything. */
export function unite(a: ColumnType, b: ColumnType): ColumnType {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a.kind === 'number' && b.kind === 'number') return numberType(a.fits & b.fits);
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', of: unite(a.of, b.of) };
  if (a.kind === 'struct' && b.kind === 'struct') {
    const fields = new Map(a.fields);
    for (const [name, type] of b.fields) fields.set(name, unite(fields.get(name) ?? { kind: 'null' }, type));
    return { kind: 'struct', fields };
  }
  return a.kind === b.kind ? a : { kind: 'json' };
}

function numberType(fits: number): ColumnType {
  return fits === 0 ? { kind: 'json' } : { kind: 'number', fits };
}

function fitsOf(number: string): number {
  if (number === '-0') return 0; // DuckDB reads an integer, which has no such zero
  const double = isDouble(number) ? DOUBLE : 0;
  if (!/^-?\d{1,38}$/.test(number)) return double;
  const value = BigInt(number);
  return (
    double |
    DECIMAL |
    (BigInt.asIntN(64, value) === value ? BIGINT : 0) |
    (BigInt.asUintN(64, value) === value ? UBIGINT : 0)
  );
}

/** A double gives back this number, if not always the letters it is written with: 1.0 is 1, and 1e400 is none. */
function isDouble(number: string): boolean {
  const shown = String(Number(number));
  return shown === number || decimalOf(shown) === decimalOf(number);
}

/** Two ways to write one number give the same: 1.50 and 15e-1 are both 15e-1. */
function decimalOf(number: string): string {
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  if (whole === undefined) return number;
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  if (end === 0) return '0';
  return `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
