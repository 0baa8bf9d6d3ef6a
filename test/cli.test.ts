/** The built command, as a user's shell meets it: streams, exit codes, and `tune`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sharedFolder } from './support/folder.ts';
import { outsideFile, outsideProgram } from './support/outside.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'dist/cli/main.js');
const folder = sharedFolder();

describe('tune', () => {
  test('prints the choice for the defaults as one JSON object, unrounded', () => {
    const { status, stdout, stderr } = neardup('tune', '--json');
    const tuning = JSON.parse(stdout);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(Object.keys(tuning)).toEqual(['threshold', 'hashes', 'bands', 'rows', 'recall', 'curve']);
    expect(tuning).toMatchObject({ threshold: 0.8, hashes: 128, bands: 25, rows: 5 });
    expect(tuning.recall).toBeCloseTo(1 - (1 - 0.8 ** 5) ** 25, 14);
    expect(tuning.curve).toHaveLength(21);
    expect(tuning.curve[3].similarity).toBe(0.15);
  });

  test('prints the curve of given bands and rows', () => {
    const tuning = JSON.parse(neardup('tune', '--bands', '20', '--rows', '5', '--json').stdout);
    expect(tuning).toMatchObject({ hashes: 100, bands: 20, rows: 5 });
    const rounded = [4, 6, 8, 10, 12, 14].map(step => Number(tuning.curve[step].probability.toFixed(3)));
    expect(rounded).toEqual([0.006, 0.047, 0.186, 0.47, 0.802, 0.975]);
    expect(tuning.curve[16].probability.toFixed(4)).toBe('0.9996');
  });

  test('prints p(r) for so many equal minima of so many', () => {
    const tuning = JSON.parse(neardup('tune', '--matches', '90', '--of', '100', '--json').stdout);
    expect(Object.keys(tuning)).toEqual(['matches', 'of', 'curve']);
    expect(tuning.curve[18].probability.toFixed(3)).toBe('0.583');
    expect(tuning.curve[19].probability.toFixed(4)).toBe('0.9885');
  });

  test('shows a table and a plot to people', () => {
    const { stdout } = neardup('tune');
    expect(stdout).toContain('25 bands of 5 rows');
    expect(stdout).toContain('0.80  0.999951');
    expect(stdout).toMatch(/threshold 0\.8 ▲/);
  });

  test('writes the picture, says where, and keeps standard output for the result', () => {
    const svg = join(folder, 'curve.svg');
    const { stdout, stderr } = neardup('tune', '--svg', svg, '--json');
    expect(readFileSync(svg, 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    expect(stderr).toBe(`curve written to ${svg}\n`);
    expect(() => JSON.parse(stdout)).not.toThrow();
  });

  test.each([
    [['--bands', '20'], /^neardup: --bands without --rows: .+\n$/],
    [['--matches', '90'], /^neardup: --matches without --of: .+\n$/],
    [['--matches', '9', '--of', '8'], /^neardup: --matches 9 with --of 8: .+\n$/],
    [['--threshold', '0.1', '--hashes', '8'], /^neardup: --hashes 8 cannot reach .+ 66 hashes would be needed\n$/],
    [['--threshold', '8'], /^neardup: --threshold must be a number between 0 and 1, got 8\n$/],
  ])('refuses %j in one line, with code 2', (args, line) => {
    const { status, stdout, stderr } = neardup('tune', ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(line);
  });
});

describe('the process', () => {
  test('prints the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(neardup('--version')).toMatchObject({ status: 0, stdout: `${version}\n` });
  });

  test('ends quietly when the reader of its output has left', async () => {
    const child = spawn(process.execPath, [main, 'tune'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let complaints = '';
    child.stderr.on('data', chunk => {
      complaints += chunk;
    });
    const [status] = await once(child, 'close');
    expect({ status, complaints }).toEqual({ status: 0, complaints: '' });
  });

  const full = outsideFile('/dev/full', 'a full disk behind standard output');
  test.skipIf(!full)('fails with one line when its output cannot be written', () => {
    const stdio = ['ignore', openSync(full!, 'w'), 'pipe'] as const;
    expect(spawnSync(process.execPath, [main, 'tune'], { stdio: [...stdio], encoding: 'utf8' })).toMatchObject({
      status: 1,
      stderr: 'neardup: cannot write standard output: the disk is full\n',
    });
  });

  test('names the file that it cannot write', () => {
    const file = join(folder, 'nowhere/curve.svg');
    expect(neardup('tune', '--svg', file)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `neardup: cannot write ${file}: no such file or folder\n`,
    });
  });

  const bash = outsideProgram('bash', 'the completion script in bash');
  test.skipIf(!bash)('prints a completion script that bash can read', () => {
    const { stdout } = neardup('completion', 'bash');
    expect(spawnSync(bash!, ['-n'], { input: stdout, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  test('prints completion scripts for zsh and fish', () => {
    expect(neardup('completion', 'zsh').stdout).toMatch(/^#compdef neardup\n/);
    expect(neardup('completion', 'fish').stdout).toContain('complete -c neardup');
  });
});

function neardup(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('help of a command that is not there is an error, not the general help', () => {
  const { status, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', 'serch', '--help'], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^neardup: unknown command 'serch'[^\n]*\n$/);
});

test.each(['dedup', 'pairs', 'clusters'])('%s fails with one line when no document has the field', verb => {
  const args = [verb, 'docs/examples/notices.jsonl', '--text-field', 'body', '--quiet'];
  const { status, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', ...args], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toBe(`neardup: ${args[1]}: no document has a field "body"; fields seen: id, text\n`);
});
