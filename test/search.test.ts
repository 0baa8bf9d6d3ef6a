/** `neardup search --in`, through the built command: the documents pass by the queries, and are not kept. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lines, neardup, parsed, words } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { onTerminal } from './support/terminal.ts';

function written(name: string, ...records: object[]): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, lines(...records));
  return path;
}

describe('neardup search --in', () => {
  it('finds all documents at or above a threshold of any size, without LSH', async () => {
    const query = written('query.jsonl', { id: 'q', text: words(0, 100) });
    // 4 of the 96 shingles of the query.
    const corpus = written('corpus.jsonl', { id: 'few', text: words(92, 200) }, { id: 'none', text: words(200, 300) });
    const { code, stdout } = await neardup(['search', query, '--in', corpus, '--threshold', '0.01']);
    expect(code).toBe(0);
    expect(parsed(stdout)).toEqual([{ query: 'q', id: 'few', resemblance: 4 / 196, containment: 4 / 96 }]);
  });

  it('answers many queries in their order, equal ones alike', async () => {
    const queries = Array.from({ length: 200 }, (_, i) => ({
      id: `q${i}`,
      text: words(100 * (i % 50), 100 * (i % 50) + 50),
    }));
    const corpus = Array.from({ length: 50 }, (_, i) => ({ id: `d${i}`, text: words(100 * i, 100 * i + 51) }));
    const { stdout } = await neardup([
      'search',
      written('queries.jsonl', ...queries),
      '--in',
      written('corpus.jsonl', ...corpus),
    ]);
    expect(parsed(stdout)).toEqual(
      queries.map(({ id }, i) => ({ query: id, id: `d${i % 50}`, resemblance: 46 / 47, containment: 1 })),
    );
  });

  it('takes no more memory for 60 MB than for 6 MB', { timeout: 60_000 }, async () => {
    const query = written('query.jsonl', { id: 'q', text: words(0, 1000) });
    const peakOf = async (documents: number) => {
      const path = join(temporaryFolder(), 'corpus.jsonl');
      const records = Array.from({ length: documents }, (_, i) => ({ id: i, text: `${i} ${words(2000, 4000)}` }));
      writeFileSync(path, lines(...records));
      const { stderr, code } = await neardup(['search', query, '--in', path], '', {
        NODE_OPTIONS: `--import=data:text/javascript,process.on('exit',()=>process.stderr.write('peak'+process.resourceUsage().maxRSS))`,
      });
      expect(code).toBe(0);
      return Number(/peak(\d+)/.exec(stderr)![1]) / 1024;
    };
    const [small, large] = [await peakOf(500), await peakOf(5000)];
    // Of 54 MB more of text none is kept; what grows is what the garbage collector lets lie.
    expect(large - small).toBeLessThan(50);
  });

  it('shows on a terminal how far it is, and nothing of it elsewhere', async () => {
    const query = written('query.jsonl', { id: 'q', text: words(0, 100) });
    const corpus = written(
      'corpus.jsonl',
      ...Array.from({ length: 3000 }, (_, id) => ({ id, text: words(id, id + 200) })),
    );
    const args = ['search', query, '--in', corpus, '--threshold', '0.5'];
    const { code, screen } = await onTerminal(args);
    expect(code).toBe(0);
    expect(screen).toMatch(/search \[[#-]+\] \d+%/);
    const piped = await neardup(args);
    expect(piped.stderr).toBe('');
    // The bar is cleared before the results come.
    expect(screen.replaceAll('\r', '').endsWith(piped.stdout)).toBe(true);
    expect((await onTerminal([...args, '--quiet'])).screen.replaceAll('\r', '')).toBe(piped.stdout);
  });

  it('refuses what it cannot search by, before it reads', async () => {
    const query = written('query.jsonl', { id: 'q', text: 'a' });
    const byEdit = await neardup(['search', query, '--in', query, '--measure', 'edit']);
    expect(byEdit).toMatchObject({ code: 2, stdout: '' });
    expect(byEdit.stderr).toContain('--measure edit');
    for (const [flag, value] of [
      ['--sketch', 'oph:64'],
      ['--lsh', 'bands:16x8'],
      ['--recall', '0.9'],
    ] as const) {
      const { code, stderr } = await neardup(['search', query, '--in', query, flag, value]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `neardup: ${flag} with --in: files are searched exactly, without sketches\n`,
      });
    }
    expect(await neardup(['search', query, '--in', query, '-o', query])).toMatchObject({ code: 2, stdout: '' });
  });
});
