import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedFolder } from '../../../test/support/folder.ts';
import { outsideProgram } from '../../../test/support/outside.ts';
import { command } from '../app/command.ts';
import { fileFlag, switchFlag } from '../app/flags.ts';
import { commands } from '../commands/index.ts';
import { completionScript } from './script.ts';

const grouped = command({
  name: 'vault add',
  summary: "add documents, the user's own",
  arguments: [{ name: 'dir', help: 'the vault' }],
  options: ['html'],
  flags: { output: fileFlag('where to [see docs]', 'o'), all: switchFlag('all: of them') },
  examples: [],
  run: async () => {},
});
const all = [...commands, grouped, command({ ...grouped, name: 'vault get' })];

const folder = sharedFolder();
for (const name of ['documents one.jsonl', 'documents-two.jsonl']) writeFileSync(join(folder, name), '');

const shells = { bash: completeInBash, fish: completeInFish };

describe.each(Object.entries(shells))('in %s', (shell, complete) => {
  const program = outsideProgram(shell, `completion in ${shell}`);

  test.skipIf(!program).each([
    ['neardup tu', ['tune']],
    ['neardup vau', ['vault']],
    ['neardup vault ', ['add', 'get']],
    ['neardup vault a', ['add']],
    ['neardup tune --thr', ['--threshold']],
    ['neardup tune --threshold 0.8 --rec', ['--recall']],
    ['neardup tune --threshold ', []],
    ['neardup completion ', ['bash', 'fish', 'zsh']],
    ['neardup completion z', ['zsh']],
    ['neardup vault add --html a', ['always', 'auto']],
    ['neardup vault add docu', ['documents one.jsonl', 'documents-two.jsonl']],
    ['neardup vault add --output documents-', ['documents-two.jsonl']],
    ['neardup vault add -o documents-', ['documents-two.jsonl']],
    ['neardup vault add --al', ['--all']],
  ])('%s is completed by %j', (line, expected) => {
    expect(complete(line)).toEqual(expected);
  });
});

const bash = outsideProgram('bash', 'completion in bash');
test.skipIf(!bash)('bash takes the script without complaint', () => {
  expect(spawnSync('bash', ['-n'], { input: completionScript('bash', all), encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

const zsh = outsideProgram('zsh', 'completion in zsh');
test.skipIf(!zsh)('zsh takes the script without complaint', () => {
  const script = `autoload -U compinit; compinit -u -D; ${completionScript('zsh', all)}\nwhence _neardup`;
  expect(spawnSync('zsh', ['-f'], { input: script, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stdout: '_neardup\n',
    stderr: '',
  });
});

function completeInBash(line: string): string[] {
  const words = line.split(' ');
  const script = `${completionScript('bash', all)}
COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_neardup
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return linesOf(spawnSync('bash', ['--norc', '-c', script], { cwd: folder, encoding: 'utf8' }));
}

/** Each line is a completion, a tab, and what it is. */
function completeInFish(line: string): string[] {
  const script = `${completionScript('fish', all)}\ncomplete -C '${line}'`;
  const result = spawnSync('fish', ['--no-config', '-c', script], { cwd: folder, encoding: 'utf8' });
  return linesOf(result).map(answer => answer.split('\t')[0]!.replaceAll('\\ ', ' '));
}

function linesOf({ stdout, stderr }: { stdout: string; stderr: string }): string[] {
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean).sort();
}
