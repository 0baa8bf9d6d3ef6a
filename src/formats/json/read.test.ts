/** A line is not JSON exactly where JSON.parse says so, also where its ends tell without it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isReject } from '../item.ts';
import { readJsonLine } from './read.ts';

const pieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  ' ',
  '\t',
  '\r',
  '-',
  '1',
  'e',
  'true',
  'null',
  'f',
  'text',
  '\ufeff',
  'ä',
];
const whole = ['{"text":"a"}', '{}', '[]', '"a"', '1', 'null'];
const line = fc
  .array(fc.constantFrom(...pieces, ...whole), { minLength: 1, maxLength: 6 })
  .map(parts => parts.join(''));

test('a line is not JSON where JSON.parse fails', () => {
  const rules = { textField: 'text', idField: 'id', maxDocument: 1000 } as Parameters<typeof readJsonLine>[2];
  fc.assert(
    fc.property(line, text => {
      const item = readJsonLine(Buffer.from(text), { file: 'f', line: 1 }, rules);
      const reason = item && isReject(item) ? item.reject.reason : undefined;
      if (item !== undefined) expect(reason === 'not JSON').toBe(!parses(text.replace(/^\ufeff/, '')));
    }),
    { numRuns: 5000, seed: 1 },
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
