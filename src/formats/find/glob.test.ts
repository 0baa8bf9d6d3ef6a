/** Patterns of files against tinyglobby, which reads them as shells do, and against the patterns that are hard for it. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { glob } from 'tinyglobby';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedFolder } from '../../../test/support/folder.ts';
import { expandBraces } from './expand-braces.ts';
import { filesMatching } from './glob.ts';
import { matchesName, parseName } from './match-name.ts';

const folder = sharedFolder();
const failOnLink = ({ file }: { file: string }) => expect.fail(`broken link ${file}`);
const below = async (pattern: string) =>
  (await filesMatching(join(folder, pattern), failOnLink)).map(path => path.slice(folder.length + 1)).sort();

const names = ['a', 'b', 'ab', 'ba', 'aab', 'abab', '.a', '.ab', 'a.b', 'b.a', 'a-b', 'A'];
const folders = ['', 'a', 'd', 'd/a', 'd/ab', 'd/a/b', '.d', '.d/a', 'd/.a'];

beforeAll(() => {
  for (const parent of folders.map(name => (name === '' ? '' : name.replaceAll(/[^/]+/g, '$&.d')))) {
    mkdirSync(join(folder, parent), { recursive: true });
    for (const name of names) writeFileSync(join(folder, parent, name), '');
  }
  // Round and round.
  symlinkSync(join(folder, 'd.d'), join(folder, 'd.d/a.d/up.d'));
});

const piece = fc.constantFrom(
  'a',
  'b',
  '.',
  'd',
  '*',
  '*',
  '?',
  '[ab]',
  '[!a]',
  '[^b]',
  '[a-b]',
  '{a,b}',
  '{a,ab}',
  '-',
);
const part = fc.oneof(
  { weight: 3, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map(pieces => pieces.join('')) },
  { weight: 1, arbitrary: fc.constant('**') },
  { weight: 1, arbitrary: fc.constantFrom('*.d', '?.d', '{a,d}.d', '*') },
);

test('finds the files that tinyglobby finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async parts => {
      const pattern = parts.join('/');
      // With a class in front it finds hidden files, and with `**/.` not all of them; shells do neither.
      fc.pre(!/(^|\/)(\.+(\/|$)|\**\[[!^])|\*\*\/\./.test(pattern));
      // Its `a/**` finds a file a, too, which shells do not.
      const asked = pattern.endsWith('/**') ? `${pattern}/*` : pattern;
      const expected = await glob(asked, { cwd: folder, expandDirectories: false });
      // The two stop at other places where a link leads up.
      const outside = (paths: readonly string[]) => paths.filter(path => !path.includes('up.d')).sort();
      expect(outside(await below(pattern))).toEqual(outside(expected));
    }),
    // Seeded: where the two differ on purpose was found with many seeds, and is left out above.
    { numRuns: 300, seed: 1 },
  );
});

describe('a name', () => {
  test.each([
    ['*.jsonl', 'a.jsonl', true],
    ['*.jsonl', '.jsonl', false],
    ['.*', '.jsonl', true],
    ['a*b*c', 'abbcbc', true],
    ['a*b*c', 'abbcb', false],
    ['[]a]', ']', true],
    ['[!]a]', 'b', true],
    ['[a', '[a', true],
    ['[0-9-]', '-', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['?', '😀', true],
    ['', '', true],
  ])('%j and %j: %s', (pattern, name, isMatch) => {
    expect(matchesName(parseName(pattern), name)).toBe(isMatch);
  });

  test('matches as the slow way of trying everything says', () => {
    const slowly = (pattern: string, name: string): boolean => {
      if (pattern === '') return name === '';
      if (pattern[0] === '*') return slowly(pattern.slice(1), name) || (name !== '' && slowly(pattern, name.slice(1)));
      return name !== '' && (pattern[0] === '?' || pattern[0] === name[0]) && slowly(pattern.slice(1), name.slice(1));
    };
    const text = (letters: string) => fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map(all => all.join(''));
    fc.assert(
      fc.property(text('ab*?'), text('ab'), (pattern, name) => {
        expect(matchesName(parseName(pattern), name)).toBe(slowly(pattern, name));
      }),
    );
  });
});

describe('braces', () => {
  test.each([
    ['{a,b}c{d,}', ['acd', 'ac', 'bcd', 'bc']],
    ['{a,{b,c}}', ['a', 'b', 'c']],
    ['{8..11}', ['8', '9', '10', '11']],
    ['{08..10}', ['08', '09', '10']],
    ['{c..a}', ['c', 'b', 'a']],
    ['{a}{', ['{a}{']],
    ['\\{a,b}', ['\\{a,b}']],
  ])('%j', (pattern, expanded) => {
    expect([...expandBraces(pattern)]).toEqual(expanded);
  });
});

test('hard patterns take no time', async () => {
  writeFileSync(join(folder, 'a'.repeat(250)), '');
  const begun = performance.now();
  expect(await below(`${'a*'.repeat(12)}b`)).toEqual([]);
  expect(await below(`${'*a'.repeat(60)}*`)).toEqual(['a'.repeat(250)]);
  expect(await below(`${'*'.repeat(200)}b.x`)).toEqual([]);
  expect(await below(`${'**/a/'.repeat(30)}b.x`)).toEqual([]);
  expect(await below(`${'{'.repeat(1000)}*`)).toEqual([]);
  await expect(below('{a,b}'.repeat(40))).rejects.toThrow('its braces stand for more than 1024 patterns');
  await expect(below('{1..999999999}')).rejects.toThrow('its braces stand for more than 1024 patterns');
  expect(performance.now() - begun).toBeLessThan(5000);
});

test.each(['+(a|b)', '@(a|b).d', '!(a)', '*(a|b)', 'd.d/?(a)b', '**/+(a|d/b)', '{a,+(b)}'])(
  '%s, which shells may read otherwise, is an error',
  async pattern => {
    await expect(below(pattern)).rejects.toThrow('are not understood; write {a,b}, or \\( for the letter (');
  },
);

test.each([
  ['c*\\(1)', ['copy(1)']],
  ['copy([0-9])', ['copy(1)']],
  ['* (*)', ['copy (2)']],
  ['[!(]*y(1)', ['copy(1)']],
  ['[a!](1)', ['!(1)']],
  ['\\!(?)', ['!(1)']],
])('%j takes parentheses for letters', async (pattern, expected) => {
  const letters = join(folder, 'letters');
  mkdirSync(letters);
  try {
    for (const name of ['copy(1)', 'copy (2)', '!(1)']) writeFileSync(join(letters, name), '');
    expect(await below(`letters/${pattern}`)).toEqual(expected.map(name => `letters/${name}`));
  } finally {
    rmSync(letters, { recursive: true });
  }
});

test('a link that matches and leads nowhere is told of, as in a folder', async () => {
  const linked = join(folder, 'linked');
  mkdirSync(linked);
  symlinkSync('nowhere', join(linked, 'x.txt'));
  symlinkSync('nowhere', join(linked, 'y.csv'));
  const rejects: string[] = [];
  expect(await filesMatching(`${linked}/*.txt`, ({ file, reason }) => rejects.push(`${file}: ${reason}`))).toEqual([]);
  expect(rejects).toEqual([`${linked}/x.txt: broken link: no such file or folder`]);
  rmSync(dirname(join(linked, 'x')), { recursive: true });
});
