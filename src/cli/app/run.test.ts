import { afterEach, describe, expect, test, vi } from 'vitest';
import { callWith } from '../../../test/support/call.ts';
import { fail } from '../../errors.ts';
import { command } from './command.ts';
import { fileFlag, filesFlag, jsonFlag, valueFlag } from './flags.ts';
import type { CommandSet } from './program.ts';

const seen = vi.fn();
const probe = command({
  name: 'probe',
  summary: 'show what a command receives',
  arguments: [{ name: 'inputs', help: 'files', optional: true, many: true }],
  options: ['threshold', 'textField', 'normalise', 'setField'],
  flags: {
    output: fileFlag('where to', 'o'),
    protect: filesFlag('never removed'),
    port: { ...valueFlag('number', 'port', Number), choices: ['1', '2'] },
    json: jsonFlag,
  },
  examples: ['neardup probe a.jsonl'],
  async run(args, options, io, given) {
    seen({ args, options, given });
    io.note('a note');
    io.write('a result');
    const { threshold, output } = options;
    if (threshold === 0) throw new Error('an accident\nin two lines');
    if (output === 'bad') fail('CANNOT_WRITE', { file: output, reason: 'full' });
    if (output === 'three') return 3;
  },
});
const member = command({ ...probe, name: 'index add', summary: 'add documents', run: async () => {} });
const set: CommandSet = { version: '1.2.3', commands: [probe, member], groups: { index: 'the persistent index' } };

afterEach(() => {
  seen.mockClear();
  vi.unstubAllEnvs();
});

describe('a command', () => {
  test('receives its arguments, its options with defaults, and what was given as it was written', async () => {
    await call('probe a b --text-field body -o out --json');
    expect(seen).toHaveBeenCalledWith({
      args: ['a', 'b'],
      options: { threshold: 0.8, textField: 'body', normalise: [], output: 'out', json: true },
      given: { textField: 'body' },
    });
  });

  test('takes several values of one flag, at once or again', async () => {
    await call('probe --protect a b --protect c');
    expect(seen.mock.lastCall![0].options.protect).toEqual(['a', 'b', 'c']);
  });

  test('writes its result to standard output and the rest to standard error', async () => {
    expect(await call('probe')).toEqual({ code: 0, stdout: 'a result\n', stderr: 'a note\n' });
  });

  test('leaves out the rest when it is to be quiet', async () => {
    expect(await call('probe --quiet')).toMatchObject({ stdout: 'a result\n', stderr: '' });
  });

  test('says with which code to end', async () => {
    expect(await call('probe -o three')).toMatchObject({ code: 3 });
  });

  test('may have a name of two words', async () => {
    expect(await call('index add')).toMatchObject({ code: 0 });
    expect((await call('--help')).stdout).toMatch(/index +the persistent index/);
    expect((await call('index --help')).stdout).toMatch(/add .* add documents/);
  });
});

describe('both spellings of an option', () => {
  test('mean the same', async () => {
    await call('probe --normalise nfc');
    await call('probe --normalize nfc');
    expect(seen.mock.calls[0]).toEqual(seen.mock.calls[1]);
    expect(seen.mock.lastCall![0].given).toEqual({ normalise: 'nfc' });
  });

  test('are named in an error as they were written', async () => {
    expect((await call('probe --normalise x')).stderr).toMatch(/^neardup: --normalise must be/);
    expect((await call('probe --normalize x')).stderr).toMatch(/^neardup: --normalize must be/);
  });

  test('are refused together', async () => {
    expect(await call('probe --normalise nfc --normalize nfkc')).toMatchObject({ code: 2 });
  });
});

describe('wrong usage', () => {
  test.each([
    ['', 'missing command; see neardup --help'],
    ['prove', "unknown command 'prove' (Did you mean probe?)"],
    ['index', 'missing command; see neardup --help'],
    ['index ad', "unknown command 'ad' (Did you mean add?)"],
    ['probe --treshold 1', "unknown option '--treshold' (Did you mean --threshold?)"],
    ['probe --threshold', "option '--threshold <number>' argument missing"],
    ['probe --threshold 8', '--threshold must be a number between 0 and 1, got 8'],
    ['probe --threshold -1', '--threshold must be a number between 0 and 1, got -1'],
    ['probe --text-field=', '--text-field must be a field name, got ""'],
    ['probe --output=', '--output must be a path, got ""'],
    ['probe --port 3', '--port must be one of 1, 2, got "3"'],
  ])('neardup %s → one line, code 2, and nothing is run', async (line, message) => {
    expect(await call(line)).toEqual({ code: 2, stdout: '', stderr: `neardup: ${message}\n` });
    expect(seen).not.toHaveBeenCalled();
  });
});

describe('a failure', () => {
  test('ends with the code of the error', async () => {
    expect(await call('probe --quiet -o bad')).toMatchObject({ code: 1, stderr: 'neardup: cannot write bad: full\n' });
  });

  test('that nobody foresaw is one line too', async () => {
    vi.stubEnv('NEARDUP_DEBUG', '');
    expect(await call('probe --quiet --threshold 0')).toMatchObject({
      code: 1,
      stderr: 'neardup: an accident in two lines\n',
    });
  });

  test('shows where it happened when NEARDUP_DEBUG is set', async () => {
    vi.stubEnv('NEARDUP_DEBUG', '1');
    expect((await call('probe --quiet --threshold 0')).stderr).toContain('run.test.ts');
  });
});

describe('help', () => {
  test('shows options with their defaults, and examples, and ends with 0', async () => {
    const { code, stdout, stderr } = await call('probe --help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/--threshold <number> .*\n?.*\(default: 0\.8\)/);
    expect(stdout).toContain('-o, --output <file>');
    expect(stdout).toContain('Examples:\n  $ neardup probe a.jsonl');
    expect(stdout).not.toContain('--normalize');
  });

  test('and version go to standard output', async () => {
    expect(await call('--version')).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' });
  });
});

function call(line: string) {
  return callWith(set, line.split(' ').filter(Boolean));
}
