/**
 * The pages are true: every command on them is run, in order, in a folder with the files they name. A `console` block
 * says what a command prints, line by line; the commands of a `sh` block must end well. The `js` blocks of a page are
 * one program, and `// →` is what it prints.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { commandsPage } from '../scripts/make-commands-page.ts';
import { putExampleFiles } from './support/example-files.ts';
import { sharedFolder } from './support/folder.ts';
import { outsideProgram } from './support/outside.ts';
import { redisForTests, redisServer } from './support/redis.ts';
import { blocksOf, commandsOf, Reader, readPage, root } from './support/shown-commands.ts';

const reference = readdirSync(join(root, 'docs'))
  .filter(name => name.endsWith('.md'))
  .map(name => `docs/${name}`);
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...reference];
const files = sharedFolder();
beforeAll(() => putExampleFiles(files), 60_000);
const redis = redisForTests();
const isThere = {
  curl: outsideProgram('curl', 'commands of the docs that ask the service') !== undefined,
  redis: redisServer !== undefined,
};

describe.each(pages.filter(page => commandsOf(page).length > 0))('the commands of %s', page => {
  const folder = sharedFolder();
  const reader = new Reader(folder, redis.single);
  beforeAll(() => cpSync(files, folder, { recursive: true }));
  afterAll(() => reader.leave());
  const commands = commandsOf(page).filter(
    ({ command }) => (isThere.curl || !/^curl /.test(command)) && (isThere.redis || !command.includes('redis://')),
  );
  test.each(commands)('$command', shown => reader.try(shown), 30_000);
});

describe('the commands of examples/README.md', () => {
  const reader = new Reader(root, redis.single);
  test.each(commandsOf('examples/README.md'))('$command', shown => reader.try(shown), 30_000);
});

test.each(pages.filter(page => blocksOf(page, 'js').length > 0))('the program of %s', { timeout: 30_000 }, page => {
  const code = blocksOf(page, 'js')
    .map(({ text }) => text)
    .join('\n');
  const expected = Array.from(code.matchAll(/\/\/ → (.*)$/gm), match => `${match[1]}\n`).join('');
  // A file of the package, so that `neardup` is this one.
  const file = join(root, 'dist', `${page.replaceAll('/', '-')}.mjs`);
  writeFileSync(file, code);
  onTestFinished(() => rmSync(file));
  const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: root, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: expected, stderr: '' });
});

test.each(pages)('%s shows commands only where they are run', page => {
  const elsewhere = blocksOf(page, '', 'text', 'bash', 'shell').filter(({ text }) => /^\$? ?neardup [a-z]/m.test(text));
  expect(elsewhere).toEqual([]);
});

test('docs/commands.md is what `npm run docs:commands` writes', () => {
  expect(readPage('docs/commands.md')).toBe(commandsPage());
});
