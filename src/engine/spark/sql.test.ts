import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { identifier, literal, shellWord } from './sql.ts';

it('quotes what would end a literal or a name', () => {
  expect(literal(`it's a \\ and\na line`)).toBe(`'it\\'s a \\\\ and\\na line'`);
  expect(identifier('a`b')).toBe('`a``b`');
});

it('hands every word to a shell as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), word => {
      fc.pre(!word.includes('\0'));
      expect(execFileSync('bash', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' })).toBe(word);
    }),
    { seed: 3, numRuns: 50 },
  );
});
