/** Code point → its kind (separator, in a word, a word by itself) and its lowercase letter, by the committed table. */
import { UNICODE_RUNS } from './unicode-table.ts';

export const SEPARATOR = 0;
export const WORD = 1;
/** A letter of a script that is written without spaces: a word by itself. */
export const SOLO = 2;

export interface UnicodeRun {
  readonly start: number;
  readonly length: number;
  readonly kind: typeof WORD | typeof SOLO;
  /** Distance to the lowercase letter. */
  readonly shift: number;
}

export const unicodeRuns: readonly UnicodeRun[] = readRuns();

// Kinds and shifts of all code points: 1.1 MB and 4.4 MB, made when the plain TypeScript path is first used.
let kinds: Uint8Array | undefined;
let shifts: Int32Array | undefined;

export function kindOf(codePoint: number): number {
  kinds ??= spread(new Uint8Array(0x110000), 'kind');
  return kinds[codePoint]!;
}

export function lowercaseOf(codePoint: number): number {
  shifts ??= spread(new Int32Array(0x110000), 'shift');
  return codePoint + shifts[codePoint]!;
}

function spread<Table extends Uint8Array | Int32Array>(table: Table, field: 'kind' | 'shift'): Table {
  for (const run of unicodeRuns) table.fill(run[field], run.start, run.start + run.length);
  return table;
}

function readRuns(): UnicodeRun[] {
  let position = 0;
  return UNICODE_RUNS.split(',').map(run => {
    const [gap, length, value] = run.split(' ') as [string, string, string];
    const [kind, shift] = value.split('/') as [string, string | undefined];
    const start = position + Number.parseInt(gap, 36);
    position = start + Number.parseInt(length, 36);
    return {
      start,
      length: position - start,
      kind: Number(kind) as typeof WORD | typeof SOLO,
      shift: shift === undefined ? 0 : Number.parseInt(shift, 36),
    };
  });
}
