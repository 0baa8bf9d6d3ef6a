/** An output whose ending names a format that we do not write is refused before anything is read or written. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call } from './support/call.ts';
import { sharedFolder } from './support/folder.ts';

const folder = sharedFolder();
const input = join(folder, 'in.jsonl');
writeFileSync(input, '{"id":"a","text":"one two three"}\n{"id":"b","text":"one two three"}\n');
const at = (name: string) => join(folder, name);

describe('an output ending of a format that we do not write', () => {
  const ok = at('ok.jsonl');
  test.each([
    ['dedup -o', ['dedup', input, '-o']],
    ['dedup --removed', ['dedup', input, '-o', ok, '--removed']],
    ['dedup --clusters', ['dedup', input, '-o', ok, '--clusters']],
    ['dedup --rejects', ['dedup', input, '-o', ok, '--rejects']],
    ['dedup --report', ['dedup', input, '-o', ok, '--report']],
    ['pairs -o', ['pairs', input, '-o']],
    ['pairs --rejects', ['pairs', input, '--rejects']],
    ['clusters -o', ['clusters', input, '-o']],
    ['search -o', ['search', input, '--in', input, '-o']],
    ['sketch -o', ['sketch', input, '-o']],
    ['collapse -o', ['collapse', input, '-o']],
    ['filter -o', ['filter', '--index', at('seen'), input, '-o']],
    ['filter --rejects', ['filter', '--index', at('seen'), input, '--rejects']],
    ['index add -o', ['index', 'add', at('seen'), input, '-o']],
    ['tune --svg', ['tune', '--svg']],
    ['compare --html', ['compare', `${input}#a`, `${input}#b`, '--html']],
  ])('%s', async (_, args) => {
    for (const name of ['x.xlsx', 'x.arrow.gz', 'x.jsonl.bz2', 'X.ZIP', 'x.pdf']) {
      const { code, stdout, stderr } = await call(...args, at(name));
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^neardup: --\S+ must be a name [^\n]*\.(jsonl|html|svg)\b[^\n]*, got "[^\n]+"\n$/);
      expect(stderr).toContain(name);
    }
    expect(readdirSync(folder)).toEqual(['in.jsonl']);
  });

  test('a page or a picture is not called like a list', async () => {
    for (const args of [
      ['tune', '--svg', at('curve.csv')],
      ['dedup', input, '-o', ok, '--report', at('report.jsonl')],
    ])
      expect(await call(...args)).toMatchObject({ code: 2, stdout: '' });
    expect(readdirSync(folder)).toEqual(['in.jsonl']);
  });

  test('an ending that means nothing keeps the format of the input', async () => {
    const [kept, report] = [at('kept.out'), at('report.page')];
    expect((await call('dedup', input, '-o', kept, '--report', report)).code).toBe(0);
    expect(readFileSync(kept, 'utf8')).toBe('{"id":"a","text":"one two three"}\n');
    expect(existsSync(report)).toBe(true);
  });
});

test('an index in memory is called memory:, on the command line, too', async () => {
  for (const args of [
    ['filter', '--index', ':memory:', input],
    ['search', input, '--index', ':memory:'],
    ['index', 'add', ':memory:', input],
    ['index', 'stats', ':memory:'],
  ]) {
    const { code, stderr } = await call(...args);
    expect(code).toBe(2);
    expect(stderr).toBe(`neardup: the index must be a folder, 'memory:' or 'redis://host:port', got ":memory:"\n`);
  }
  expect(existsSync(':memory:')).toBe(false);
});
