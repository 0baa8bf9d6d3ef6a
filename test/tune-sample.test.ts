/** `neardup tune --sample`: what a user sees of LSH measured on documents, and what is refused. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import { call } from './support/call.ts';
import { sharedFolder } from './support/folder.ts';

const folder = sharedFolder();
const corpus = join(folder, 'corpus.jsonl');
beforeAll(() => void makeCorpus(corpus, { documents: 800, copies: 0.5, script: 'latin', seed: 5 }));

describe('tune --sample', () => {
  test('adds a sample to the fields that tune prints, with the very pairs that pairs --exact finds', async () => {
    const { code, stdout, stderr } = await call('tune', '--threshold', '0.7', '--sample', corpus, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { sample, ...tuning } = JSON.parse(stdout);
    expect(tuning).toEqual(JSON.parse((await call('tune', '--threshold', '0.7', '--json')).stdout));
    // Equal documents are taken once: of the copies the first stays.
    const clean = join(folder, 'distinct.jsonl');
    await call('dedup', corpus, '--threshold', '1', '-o', clean);
    const { stdout: exact } = await call('pairs', clean, '--exact', '--threshold', '0.7', '--json', '-o', '/dev/null');
    const { documents, pairs } = JSON.parse(exact);
    expect(pairs).toBeGreaterThan(50);
    expect(sample).toMatchObject({ documents, read: 800, schemes: [{ bands: 32, rows: 4, pairs }, {}, {}, {}, {}] });
    const { found, measuredRecall, expectedRecall } = sample.schemes[0];
    expect(measuredRecall).toBe(found / pairs);
    expect(expectedRecall).toBeGreaterThan(0.999);
  });

  test('shows resemblances and schemes below the curve', async () => {
    const { stdout } = await call('tune', '--sample', corpus);
    expect(stdout).toMatch(/^25 bands of 5 rows\n/);
    expect(stdout).toMatch(/\n\nMeasured on \d{3} of 800 documents: every pair of resemblance 0\.1 or more/);
    expect(stdout).toMatch(/^0\.90 – 0\.95 +\d+ {2}█+$/m);
    expect(stdout).toMatch(/^→ 25 × 5 +0\.999951( +[\d,.]+){7}$/m);
    expect(stdout).toMatch(/^ {2}42 × 3 /m);
  });

  test('reads fields, and notes what cannot be read', async () => {
    const sets = join(folder, 'sets.jsonl');
    writeFileSync(sets, '{"id":1,"s":["a","b","c"]}\n{"id":2,"s":["b","c","d"]}\nnot json\n');
    const { stdout, stderr } = await call('tune', '--sample', sets, '--set-field', 's', '--threshold', '0.5', '--json');
    expect(JSON.parse(stdout).sample.schemes[0]).toMatchObject({ pairs: 1, found: 1, measuredRecall: 1 });
    expect(stderr).toBe(`${sets}:3: not JSON\n`);
  });

  test.each([
    [['--shingle', 'word:3'], '--shingle without --sample: no document is read'],
    [['--text-field', 'body'], '--text-field without --sample: no document is read'],
    [['--matches', '9', '--of', '10', '--sample', corpus], '--sample with --matches: '],
    [['--threshold', '0', '--bands', '2', '--rows', '2', '--sample', corpus], '--threshold 0 with a sample: '],
  ])('refuses %j', async (args, message) => {
    expect(await call('tune', ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  test('fails on inputs that are not there or hold no document', async () => {
    const empty = join(folder, 'empty.jsonl');
    writeFileSync(empty, '');
    expect(await call('tune', '--sample', join(folder, 'no.jsonl'))).toMatchObject({ code: 1, stdout: '' });
    expect((await call('tune', '--sample', empty)).stderr).toContain('no document in it');
  });
});
