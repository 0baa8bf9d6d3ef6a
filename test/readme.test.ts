/** README.md and that of the examples are true: their commands and the library example are run, and print what they say. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Fenced blocks of one language. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../${page}`, import.meta.url), 'utf8');
  return Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm')), match => match[1]!);
}

/** `$ command`, then its output up to the next one. */
const commandsOf = (page: string) =>
  blocks(page, 'console').flatMap(block =>
    block
      .split(/^\$ /m)
      .filter(part => part !== '')
      .map(part => {
        const end = part.indexOf('\n');
        return { command: part.slice(0, end), output: part.slice(end + 1) };
      }),
  );

describe.each(['README.md', 'examples/README.md'])('the commands of %s', page => {
  test.each(commandsOf(page))('$command', ({ command, output }) => {
    const script = `node() { "${process.execPath}" "$@"; }\nneardup() { node dist/cli/main.js "$@"; }\n${command}`;
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: root, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toMatch(patternOf(output));
  });
});

test('the library example', () => {
  const code = blocks('README.md', 'js').join('\n');
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
