/** Help and errors as people read them: what is offered is taken, words stay whole, and options have their dashes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { commands } from '../src/cli/commands/index.ts';
import { normaliseLanguages } from '../src/options.ts';
import { algorithms } from '../src/text/stem.ts';
import { languages } from '../src/text/stop-words.ts';
import { call } from './support/call.ts';
import { sharedFolder } from './support/folder.ts';

const folder = sharedFolder();
const put = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('help', () => {
  test.each(commands.map(({ name }) => name))('of %s fits 80 columns, but for examples', async name => {
    const { code, stdout } = await call(...name.split(' '), '--help');
    expect(code).toBe(0);
    const wide = stdout.split('\n').filter(line => line.length > 80 && !line.startsWith('  $ '));
    expect(wide).toEqual([]);
  });

  test('offers only the measures that a command takes', async () => {
    const input = put('in.jsonl', '{"id":"a","text":"one two three"}\n');
    for (const args of [
      ['search', input, '--in', input],
      ['filter', '--index', join(folder, 'seen'), input],
      ['collapse', input],
      ['index', 'add', join(folder, 'seen'), input],
    ]) {
      const name = args[0] === 'index' ? ['index', 'add'] : [args[0]!];
      expect((await call(...name, '--help')).stdout).toContain('resemblance or containment (default');
      expect(await call(...args, '--measure', 'edit')).toMatchObject({ code: 2, stdout: '' });
    }
    expect((await call('dedup', '--help')).stdout).toContain('resemblance, containment or edit');
  });

  test('names the languages there are', async () => {
    expect(normaliseLanguages.stopwords).toEqual(Object.keys(languages));
    expect(normaliseLanguages.stem).toEqual(['en', ...Object.keys(algorithms)]);
    const help = (await call('dedup', '--help')).stdout.replace(/\n +/g, ' ');
    expect(help).toContain(`stopwords: ${normaliseLanguages.stopwords.join(', ')}`);
    expect(help).toContain(`stem: ${normaliseLanguages.stem.join(', ')}`);
  });
});

describe('errors', () => {
  test.each([
    ['dedup IN --measure dice', '--measure dice cannot be searched by'],
    ['dedup IN --normalise stem:xx', '--normalise must be stem:LANGUAGE, LANGUAGE one of en, ar'],
    ['dedup IN --normalize stopwords:xx', '--normalize must be stopwords:LANGUAGE, LANGUAGE one of af, ar'],
    ['dedup IN --sketch minhash:0', '--sketch minhash:size must be a whole number'],
    ['search IN --in IN --threshold 0', 'search with --threshold 0'],
    ['dedup IN --threshold 8', '--threshold must be a number between 0 and 1, got 8'],
    ['index', 'missing command; see neardup --help'],
  ])('%s', async (line, message) => {
    const { code, stderr } = await call(
      ...line.split(' ').map(word => (word === 'IN' ? join(folder, 'in.jsonl') : word)),
    );
    expect(code).toBe(2);
    expect(stderr).toContain(`neardup: ${message}`);
  });
});

describe('numbers', () => {
  const text = (from: number) => Array.from({ length: 40 }, (_, i) => `w${from + i}`).join(' ');

  test('of a comparison give a bound, or no estimate, where the sketches tell no error', async () => {
    const [a, b, blank] = [put('a.txt', text(0)), put('b.txt', text(100)), put('blank.txt', '…')];
    expect((await call('compare', a, b)).stdout).toMatch(/resemblance +0 +< 0\.0231 \(95 %\)\n/);
    expect((await call('compare', a, a)).stdout).toMatch(/resemblance +1 +> 0\.9769 \(95 %\)\n/);
    expect((await call('compare', a, blank)).stdout).toMatch(/resemblance +0 +no estimate\n/);
    const json = JSON.parse((await call('compare', a, b, '--json')).stdout);
    expect(json.estimated).toEqual({ resemblance: 0, standardError: 0 });
  });

  test('of recall are not printed as if they were exact', async () => {
    const { stdout } = await call('tune', '--bands', '64', '--rows', '2');
    expect(stdout).toContain('with probability > 0.999999\n');
    expect(stdout).not.toMatch(/0\.9999999/);
    const unrounded = JSON.parse((await call('tune', '--bands', '20', '--rows', '2', '--json')).stdout);
    expect(String(unrounded.recall).length).toBeGreaterThan(10);
  });

  test('of compressed input count what it holds', async () => {
    const lines = '{"id":"a","text":"one two three"}\n'.repeat(10_000);
    const summary = async (input: string) => (await call('dedup', input, '--dry-run')).stderr;
    expect(await summary(put('x.jsonl.gz', gzipSync(lines)))).toMatch(
      / s, 0\.0 MB compressed, 0\.3 MB decompressed, [\d.]+ MB\/s,/,
    );
    expect(await summary(put('x.jsonl', lines))).toMatch(/ s, 0\.3 MB, [\d.]+ MB\/s,/);
  });
});
