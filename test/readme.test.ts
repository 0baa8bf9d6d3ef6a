/** README.md is true: its commands and its example are run, and print what it says. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Fenced blocks of one language. */
function blocks(language: string): string[] {
  return Array.from(readme.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm')), match => match[1]!);
}

/** `$ command`, then its output up to the next one. */
const commands = blocks('console').flatMap(block =>
  block
    .split(/^\$ /m)
    .filter(part => part !== '')
    .map(part => {
      const end = part.indexOf('\n');
      return { command: part.slice(0, end), output: part.slice(end + 1) };
    }),
);

describe('the command line tour', () => {
  test.each(commands)('$command', ({ command, output }) => {
    const script = `neardup() { "${process.execPath}" dist/cli/main.js "$@"; }\n${command}`;
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: root, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toMatch(patternOf(output));
  });
});

test('the library example', () => {
  const code = blocks('js').join('\n');
  const expected = Array.from(code.matchAll(/\/\/ → (.*)$/gm), match => `${match[1]}\n`).join('');
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ stdout, stderr }).toEqual({ stdout: expected, stderr: '' });
});

/** A line `…` stands for any lines, `[…]` for any list; every other … is meant. */
function patternOf(output: string): RegExp {
  const pattern = output
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/^…\n/gm, '[\\s\\S]*')
    .replace('\\[…\\]', '\\[[^\\]]*\\]');
  return new RegExp(`^${pattern}$`);
}
