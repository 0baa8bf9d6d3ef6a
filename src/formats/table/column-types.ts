/** Values of a column, as JSON text → the one type that holds them all as they are written, for Parquet. */
import { doubleText, plainText } from '../json/number-text.ts';
import { elementTexts, fieldTexts } from '../json/raw-json.ts';

export type ColumnType =
  | { readonly kind: 'null' | 'boolean' | 'text' | 'json' }
  /** `fits`: which of the number types hold it, as bits. */
  | { readonly kind: 'number'; readonly fits: number }
  /** Of CSV. `fits`: which of the cell types give its text back, as bits. */
  | { readonly kind: 'cell'; readonly fits: number }
  | { readonly kind: 'list'; readonly of: ColumnType }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, ColumnType> };

/** In the order in which they are preferred. Parquet has no integer of 128 bits, and a decimal of 38 digits. */
export const numberTypes = { BIGINT: 1, UBIGINT: 2, 'DECIMAL(38, 0)': 4, DOUBLE: 8 } as const;
const { BIGINT, UBIGINT, 'DECIMAL(38, 0)': DECIMAL, DOUBLE } = numberTypes;

/** In the order in which they are preferred. */
export const cellTypes = { BIGINT: 1, DOUBLE: 8, BOOLEAN: 64, DATE: 128, TIMESTAMP: 256 } as const;
/** Of empty cells only, which say nothing about a type. */
export const ALWAYS_EMPTY = 512;
const EMPTY_CELL = 1023;

/** How a double is written, as bits beside its type: 1.0 and 1e-05, or as JavaScript does, 1 and 0.00001. */
const spellings = { pointed: 16, plain: 32 } as const;
const ANY_SPELLING = spellings.pointed | spellings.plain;

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

/** How the doubles of a column are all written; undefined if each is in its own way. */
export function spellingOf(type: ColumnType): keyof typeof spellings | undefined {
  const bits = spellingBits(type);
  if (bits & spellings.pointed) return 'pointed';
  return bits & spellings.plain ? 'plain' : undefined;
}

function spellingBits(type: ColumnType): number {
  switch (type.kind) {
    case 'number':
      return type.fits & (BIGINT | UBIGINT | DECIMAL) ? ANY_SPELLING : type.fits & ANY_SPELLING;
    case 'cell':
      return type.fits & cellTypes.DOUBLE && !(type.fits & cellTypes.BIGINT) ? type.fits & ANY_SPELLING : ANY_SPELLING;
    case 'list':
      return spellingBits(type.of);
    case 'struct':
      return [...type.fields.values()].reduce((bits, field) => bits & spellingBits(field), ANY_SPELLING);
    default:
      return ANY_SPELLING;
  }
}

/** Types that do not go together become JSON text, which holds anything. */
export function unite(a: ColumnType, b: ColumnType): ColumnType {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a.kind === 'cell' && b.kind === 'cell') return cellType(a.fits & b.fits);
  if (a.kind === 'cell') return unite({ kind: 'text' }, b);
  if (b.kind === 'cell') return unite(a, { kind: 'text' });
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
  const double = isDouble(number) ? DOUBLE | spelledAs(number) : 0;
  if (!/^-?\d{1,38}$/.test(number)) return double;
  const value = BigInt(number);
  return (
    double |
    DECIMAL |
    (BigInt.asIntN(64, value) === value ? BIGINT : 0) |
    (BigInt.asUintN(64, value) === value ? UBIGINT : 0)
  );
}

function spelledAs(number: string): number {
  const value = Number(number);
  return (doubleText(value) === number ? spellings.pointed : 0) | (plainText(value) === number ? spellings.plain : 0);
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

/** The types in which a cell of CSV comes back as it is written: of 007, 1.0 and +1 none but a string does. */
export function typeOfCell(cell: string): ColumnType {
  if (cell === '') return { kind: 'cell', fits: EMPTY_CELL };
  return cellType(cell.length > LONGEST_CELL ? 0 : fitsOfCell(cell));
}

/** Letters of the longest number or timestamp. */
const LONGEST_CELL = 32;

/** Doubles that are not all written in one way do not come back as they were. */
function cellType(fits: number): ColumnType {
  const known = fits & ANY_SPELLING ? fits : fits & ~cellTypes.DOUBLE;
  return known & ~ANY_SPELLING ? { kind: 'cell', fits: known } : { kind: 'text' };
}

function fitsOfCell(cell: string): number {
  if (cell === 'true' || cell === 'false') return cellTypes.BOOLEAN;
  if (/^\d{4}-/.test(cell)) return isMoment(cell) ? cellTypes[cell.length === 10 ? 'DATE' : 'TIMESTAMP'] : 0;
  if (!/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]\d+)?$/.test(cell) || cell === '-0') return 0;
  const isWhole = /^-?\d+$/.test(cell) && BigInt.asIntN(64, BigInt(cell)) === BigInt(cell);
  const spelled = spelledAs(cell);
  return (isWhole ? cellTypes.BIGINT : 0) | (spelled ? cellTypes.DOUBLE | spelled : 0);
}

/** A date, or a timestamp as DuckDB writes it: without zeros at the end of the fraction. */
function isMoment(cell: string): boolean {
  if (!/^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{0,5}[1-9])?)?$/.test(cell) || cell < '0001') return false;
  const second = `${cell.slice(0, 10)}T${cell.slice(11, 19) || '00:00:00'}`;
  const time = Date.parse(`${second}Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(second);
}
