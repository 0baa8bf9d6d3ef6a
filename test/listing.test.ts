/** `pairs` and `clusters` on a terminal: a listing for people. Piped, or with --json: JSON lines. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lines, neardup, parsed, words } from './support/command.ts';
import { sharedFolder } from './support/folder.ts';
import { onTerminal } from './support/terminal.ts';

const folder = sharedFolder();
const input = join(folder, 'in.jsonl');
writeFileSync(
  input,
  lines(
    { id: 'first', text: words(0, 100) },
    { id: 'other', text: words(200, 300) },
    { id: 'copy', text: words(0, 100) },
    { id: 'near', text: words(0, 95) },
    { id: 'capitals', text: words(0, 100).toUpperCase() },
    { id: 'alone', text: words(400, 500) },
    { id: 'other again', text: words(201, 300) },
  ),
);
const plain = { NO_COLOR: '1' };
const shown = ({ screen }: { readonly screen: string }) => screen.replaceAll('\r', '');
const withoutEffort = (text: string) => text.replace(/\n[\d.]+ s, [^\n]+/, '');

describe('clusters on a terminal', () => {
  test('are groups of ids, the representative first, with their resemblance to it', async () => {
    const screen = shown(await onTerminal(['clusters', input], plain));
    expect(withoutEffort(screen)).toBe(`first
  exact   copy
  0.9479  near
  1       capitals

other
  0.9896  other again

values: resemblance to the first document of each group
7 documents: 6 in 2 clusters, 0 rejected
`);
  });

  test('are coloured unless NO_COLOR is set, and quiet with --quiet', async () => {
    const screen = shown(await onTerminal(['clusters', input, '--quiet'], { NO_COLOR: '' }));
    expect(screen.startsWith('\u001b[1mfirst\u001b[22m\n  exact   copy\n')).toBe(true);
    expect(screen.endsWith('  0.9896  other again\n')).toBe(true);
  });

  test('do not let a path or id speak to the terminal, and keep its spaces', async () => {
    const files = join(folder, 'files');
    mkdirSync(files);
    for (const name of ['a  b.txt', 'c\u001b[31m\nd.txt']) writeFileSync(join(files, name), words(0, 20));
    const screen = shown(await onTerminal(['clusters', files, '--quiet'], plain));
    expect(screen).toBe(`${join(files, 'a  b.txt')}\n  exact   ${join(files, 'c\ufffd[31m\ufffdd.txt')}\n`);
  });

  test('show the measure that was asked for', async () => {
    const whole = join(folder, 'whole.jsonl');
    writeFileSync(whole, lines({ id: 'whole', text: words(0, 200) }, { id: 'part', text: words(0, 104) }));
    const contained = shown(await onTerminal(['clusters', whole, '--measure', 'containment'], plain));
    expect(contained).toContain(
      'whole\n  0.5102  part  (1)\n\nvalues: resemblance to the first document of each group (in brackets: containment)\n',
    );
    const edit = shown(await onTerminal(['clusters', input, '--measure', 'edit'], plain));
    expect(edit).toContain('values: edit similarity to the first');
    const estimated = shown(await onTerminal(['pairs', input, '--verify', 'sketch'], plain));
    expect(estimated).toContain('values: estimated resemblance to the first');
  });
});

describe('pairs on a terminal', () => {
  test('are grouped by their first document', async () => {
    const screen = shown(await onTerminal(['pairs', input], plain));
    expect(withoutEffort(screen)).toBe(`first
  1       copy
  0.9479  near
  1       capitals

other
  0.9896  other again

copy
  0.9479  near
  1       capitals

near
  0.9479  capitals

values: resemblance to the first document of each group
7 documents: 7 pairs, 0 rejected
`);
  });

  test('without any pair only the summary is shown', async () => {
    const screen = shown(await onTerminal(['pairs', input, '--threshold', '1', '--shingle', 'word:99'], plain));
    expect(screen).toContain('values:');
    const none = join(folder, 'none.jsonl');
    writeFileSync(none, lines({ id: 'a', text: words(0, 50) }));
    expect(shown(await onTerminal(['pairs', none], plain))).toMatch(/^1 document: 0 pairs, 0 rejected\n/);
  });
});

describe.each(['pairs', 'clusters'])('%s as JSON', command => {
  test('are JSON lines when piped, with --json, and with -o - on a terminal', async () => {
    const piped = await neardup([command, input, '--quiet']);
    expect(parsed(piped.stdout).length).toBeGreaterThan(1);
    const wanted = { code: 0, stdout: piped.stdout };
    expect(await neardup([command, input, '--json', '--quiet'])).toMatchObject(wanted);
    for (const flag of [['--json'], ['-o', '-']])
      expect(shown(await onTerminal([command, input, '--quiet', ...flag]))).toBe(piped.stdout);
  });

  test('go to a file with -o, and --json prints the summary', async () => {
    const file = join(folder, `${command}.jsonl`);
    const { code, stdout } = await neardup([command, input, '-o', file, '--json', '--quiet']);
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject([{ documents: 7, rejected: 0 }]);
    expect(parsed(readFileSync(file, 'utf8')).length).toBe(parsed(stdout)[0][command]);
    const both = await neardup([command, input, '-o', '-', '--json']);
    expect(both).toMatchObject({ code: 2, stdout: '' });
    expect(both.stderr).toContain('both would go to standard output');
  });
});
