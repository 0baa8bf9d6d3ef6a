/** One line that names what was expected and what was given, a code, a place, a cause, and the exit code. */
import { describe, expect, it } from 'vitest';
import { type ErrorCode, fail, NeardupError } from './errors.ts';

function errorOf(action: () => unknown): NeardupError {
  try {
    action();
  } catch (error) {
    return error as NeardupError;
  }
  throw new Error('nothing was thrown');
}

const bad = (got: unknown) => errorOf(() => fail('BAD_OPTION', { option: 'x', expected: 'a word', got })).message;

describe('an error', () => {
  it.each<[ErrorCode, object, string, 1 | 2]>([
    ['BAD_OPTION', { option: 'x', expected: 'a word', got: 8 }, 'x must be a word, got 8', 2],
    ['BAD_COMBINATION', { what: 'a with b', why: 'they differ' }, 'a with b: they differ', 2],
    ['BAD_INPUT', { file: 'a.csv', reason: 'no header' }, 'a.csv: no header', 1],
    ['BAD_LINE', { file: 'a.jsonl', line: 3, reason: 'not JSON' }, 'a.jsonl:3: not JSON', 1],
    ['BAD_DOCUMENT', { reason: 'no text' }, 'no text', 1],
    ['BAD_DOCUMENT', { id: 'a"b', reason: 'no text' }, 'document "a\\"b": no text', 1],
    ['BAD_SKETCH', { reason: 'cut off' }, 'not a sketch this version can read: cut off', 1],
    ['SKETCH_MISMATCH', { differences: ['a', 'b'] }, 'these sketches cannot be compared: a; b', 1],
    ['NO_ESTIMATE', { reason: 'none' }, 'no estimate: none', 1],
    ['MISSING_PACKAGE', { name: 'p', need: 'Parquet' }, 'Parquet needs the package p: npm install p', 1],
    ['CANNOT_READ', { file: 'a', reason: 'no such file' }, 'cannot read a: no such file', 1],
    ['CANNOT_WRITE', { file: 'a', reason: 'disk full' }, 'cannot write a: disk full', 1],
    ['INDEX_UNREACHABLE', { index: 'a', reason: 'gone' }, 'the index a cannot be reached: gone', 1],
  ])('%s %j', (code, place, message, exitCode) => {
    const error = errorOf(() => fail(code, place as never));
    expect(error).toBeInstanceOf(NeardupError);
    expect(error).toMatchObject({ name: 'NeardupError', code, message, place, exitCode });
  });

  it('shows what was given so that 8 and "8" differ, and cuts what is long', () => {
    expect([8, '8', null, undefined, true, [1], { a: 1 }, 5n, Number.NaN].map(bad)).toEqual(
      ['8', '"8"', 'null', 'undefined', 'true', '[1]', '{"a":1}', '5n', 'NaN'].map(
        got => `x must be a word, got ${got}`,
      ),
    );
    expect(bad('y'.repeat(1000))).toHaveLength('x must be a word, got '.length + 78);
    expect(bad('y'.repeat(1000))).toMatch(/y…$/);
  });

  it('keeps its cause, and its place as it was', () => {
    const cause = new Error('ENOENT');
    const place = { file: 'a', reason: 'gone' };
    const error = errorOf(() => fail('CANNOT_READ', place, cause));
    place.file = 'b';
    expect(error.cause).toBe(cause);
    expect(error.place).toEqual({ file: 'a', reason: 'gone' });
    expect(Object.isFrozen(error.place)).toBe(true);
    expect('cause' in errorOf(() => fail('CANNOT_READ', place))).toBe(false);
  });
});
