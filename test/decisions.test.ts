/** `--decisions`, end to end: the built command, and the log that an index keeps. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openIndex, readDecisions } from '../src/index.ts';
import { lines, neardup, parsed, words } from './support/command.ts';
import { sharedFolder } from './support/folder.ts';

const folder = sharedFolder();
const at = (name: string) => join(folder, name);
const [corpus, log] = [at('corpus.jsonl'), at('decisions.jsonl')];

const documents = [
  { id: 'a', text: words(0, 60) },
  { id: 'a2', text: words(0, 61) },
  { id: 'b', text: words(100, 160) },
  { id: 'c', text: words(200, 260) },
  { id: 'c2', text: words(200, 260) },
  { text: words(300, 360) },
];
writeFileSync(corpus, lines(...documents));
const location = `${corpus}:6`;

const run = (command: string, ...args: string[]) => neardup([command, corpus, ...args]);

async function dedup(decisions: string, ...args: string[]) {
  writeFileSync(log, decisions);
  const files = ['-o', at('kept.jsonl'), '--removed', at('removed.jsonl'), '--report', at('report.html'), '--json'];
  const { code, stdout, stderr } = await run('dedup', '--decisions', log, ...files, ...args);
  expect(code, stderr).toBe(0);
  return {
    summary: JSON.parse(stdout),
    stderr,
    kept: parsed(readFileSync(at('kept.jsonl'), 'utf8')).map(({ id }) => id),
    removed: parsed(readFileSync(at('removed.jsonl'), 'utf8')),
  };
}

const same = { a: 'a', b: 'b', verdict: 'same', keep: 'b' };
const different = { a: 'c', b: 'c2', verdict: 'different' };
const located = { a: location, b: 'c', verdict: 'same' };

describe('dedup --decisions', () => {
  test('goes by the log, and says so in evidence, summary and report', async () => {
    const { summary, stderr, kept, removed } = await dedup(lines(same, different, located));
    expect(kept).toEqual(['a2', 'b', 'c', 'c2']);
    expect(removed).toEqual([
      { id: 'a', keptId: 'b', relation: 'decided', resemblance: 0, containment: 0, cluster: 'b' },
      { id: location, keptId: 'c', relation: 'decided', resemblance: 0, containment: 0, cluster: 'c' },
    ]);
    expect(summary).toMatchObject({ kept: 4, removed: 2, exact: 0, near: 0, contained: 0, decided: 2 });
    expect(summary.decisions).toEqual({ applied: 3, stale: 0, unknown: 0, apart: 0 });
    expect(stderr).toContain('2 removed (0 exact, 0 near, 2 decided)');
    expect(stderr).toContain('3 decisions applied');
    expect(stderr).not.toContain('warning');
    const page = readFileSync(at('report.html'), 'utf8');
    expect(page).toContain('<dt>decided</dt><dd>2</dd>');
    expect(page).toContain('<span class="relation decided">decided</span>');
  });

  test('gives back what there was when each line is undone', async () => {
    await run('dedup', '-o', at('before.jsonl'), '--removed', at('before-removed.jsonl'));
    const undone = [same, different, located].map(({ a, b }) => ({ a, b, verdict: 'undecided' }));
    const { summary } = await dedup(lines(same, different, located, ...undone));
    expect(summary.decided).toBe(0);
    for (const [name, before] of [
      ['kept.jsonl', 'before.jsonl'],
      ['removed.jsonl', 'before-removed.jsonl'],
    ] as const)
      expect(readFileSync(at(name), 'utf8')).toBe(readFileSync(at(before), 'utf8'));
  });

  test('without the option has no count of decisions', async () => {
    const { stdout } = await run('dedup', '--dry-run', '--json');
    expect(JSON.parse(stdout)).not.toHaveProperty('decided');
    expect(JSON.parse(stdout)).not.toHaveProperty('decisions');
  });

  test('warns of what it ignores, also when quiet', async () => {
    const stale = { ...same, contents: ['0'.repeat(32), null] };
    const unknown = { a: 'nobody', b: 'b', verdict: 'different' };
    const { summary, stderr } = await dedup(
      `${lines(stale, unknown)}{"a":"c","b":"c2","verd\n${lines(different).trim()}`,
      '--quiet',
    );
    expect(summary.decisions).toEqual({ applied: 1, stale: 1, unknown: 1, apart: 0 });
    expect(stderr).toBe(
      `warning: ${log}:3: not JSON; 1 such line ignored\n` +
        `warning: ${log}: ignored 1 line about a text that has changed since, 1 pair with an id that no document has\n`,
    );
  });

  test.each([
    [
      'a line that is no decision, with --strict',
      lines(same, { a: 'x' }),
      ['--strict'],
      1,
      'decisions.jsonl:2: not a decision: b must be',
    ],
    ['another file', lines(...documents), [], 1, 'decisions.jsonl:1: not a decision'],
    ['an output of the same name', lines(same), ['--removed', log], 2, 'it would write over'],
  ])('refuses %s', async (_, content, args, expected, message) => {
    writeFileSync(log, content);
    const { code, stderr } = await run('dedup', '-o', at('none.jsonl'), '--decisions', log, ...args);
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringContaining(message) });
    expect(readFileSync(log, 'utf8')).toBe(content);
  });

  test('refuses a log that is not there', async () => {
    const { code, stderr } = await run('dedup', '-o', at('none.jsonl'), '--decisions', at('nowhere.jsonl'));
    expect(code).toBe(1);
    expect(stderr).toContain('nowhere.jsonl');
  });
});

test('pairs and clusters go by the log', async () => {
  writeFileSync(log, lines(same, different));
  const pairs = await run('pairs', '--decisions', log);
  expect(parsed(pairs.stdout)).toMatchObject([
    { a: 'a', b: 'a2' },
    { a: 'a', b: 'b', resemblance: 0, relation: 'decided' },
  ]);
  const clusters = await run('clusters', '--decisions', log, '--cluster', 'connected');
  expect(parsed(clusters.stdout)).toMatchObject([{ representative: 'b', members: ['a', 'a2', 'b'] }]);
  expect(clusters.stderr).toContain('2 decisions applied');
});

test('the log that an index keeps can be given to dedup, and lines by hand added to it', async () => {
  const index = await openIndex(at('index'), {});
  for (const document of documents.slice(0, 5)) await index.add({ ...document, id: document.id! });
  await index.decisions.add({ a: 'a', b: 'a2', verdict: 'different', by: 'me' });
  await index.close();
  const kept = join(at('index'), 'decisions.jsonl');
  expect((await readDecisions(kept))[0]).toMatchObject({
    a: 'a',
    b: 'a2',
    contents: [expect.any(String), expect.any(String)],
  });
  appendFileSync(kept, lines(different));
  const { code, stdout, stderr } = await run('dedup', '--decisions', kept, '--dry-run', '--json');
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ removed: 0, decisions: { applied: 2, stale: 0 } });
  writeFileSync(at('changed.jsonl'), lines(documents[0]!, { id: 'a2', text: words(0, 62) }));
  const changed = await neardup(['dedup', at('changed.jsonl'), '--decisions', kept, '--dry-run', '--json']);
  expect(JSON.parse(changed.stdout)).toMatchObject({ removed: 1, decisions: { applied: 0, stale: 1, unknown: 1 } });
});
