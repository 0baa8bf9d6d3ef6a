/** The commands of the index, through the built command: output, standard error and exit code. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lines, neardup, parsed, words } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const corpus = lines(
  { id: 'a', text: words(0, 200), lang: 'en' },
  { id: 'b', text: words(0, 200) },
  { id: 'c', text: words(10, 200) },
  { id: 'd', text: words(1000, 1200) },
);

describe('neardup index', () => {
  it('adds, gets, counts, removes, checks, backs up and compacts', async () => {
    const folder = temporaryFolder();
    const index = join(folder, 'seen');
    writeFileSync(join(folder, 'corpus.jsonl'), corpus);
    const added = await neardup(['index', 'add', index, join(folder, 'corpus.jsonl')]);
    expect(added.code).toBe(0);
    expect(parsed(added.stdout)).toEqual([
      { id: 'a', status: 'new' },
      { id: 'b', status: 'exact', of: 'a', resemblance: 1, containment: 1 },
      { id: 'c', status: 'near', of: 'a', resemblance: 186 / 196, containment: 1 },
      { id: 'd', status: 'new' },
    ]);
    const got = await neardup(['index', 'get', index, 'a', 'b']);
    expect(got).toMatchObject({ code: 1, stdout: `${corpus.split('\n')[0]}\n` });
    expect(got.stderr).toContain('"b" is known (exact a), and is not stored');

    const stats = parsed((await neardup(['index', 'stats', index, '--json'])).stdout)[0];
    expect(Object.keys(stats)).toEqual(['documents', 'bytes', 'options']);
    expect(stats).toMatchObject({
      documents: 2,
      options: { threshold: 0.8, measure: 'resemblance', shingle: 'word:5', sketch: 'minhash:128', lsh: 'bands:25x5' },
    });

    expect((await neardup(['index', 'remove', index, 'a', 'nobody'])).stderr).toContain('no document "nobody"');
    expect((await neardup(['index', 'get', index, 'a'])).code).toBe(1);
    expect(await neardup(['index', 'check', index])).toMatchObject({ code: 0, stdout: '' });
    expect((await neardup(['index', 'backup', index, join(folder, 'copy')])).code).toBe(0);
    expect((await neardup(['index', 'compact', index])).code).toBe(0);
    expect((await neardup(['index', 'get', join(folder, 'copy'), 'd'])).code).toBe(0);
    expect((await neardup(['index', 'backup', index, join(folder, 'copy')])).stderr).toContain('something already');
    // A copy is an index of its own.
    expect((await neardup(['index', 'add', join(folder, 'copy'), '-'], corpus)).code).toBe(0);
  });

  it('says what is wrong: no index, other options, an id with another text', async () => {
    const folder = temporaryFolder();
    const index = join(folder, 'seen');
    for (const command of ['remove', 'get'])
      expect(await neardup(['index', command, index, 'a'])).toMatchObject({
        code: 1,
        stderr: `neardup: there is no index in ${index}\n`,
      });
    expect(existsSync(index)).toBe(false);
    await neardup(['index', 'add', index, '-'], corpus);
    expect(
      await neardup(['index', 'add', index, '-', '--threshold', '0.9', '--shingle', 'word:4'], corpus),
    ).toMatchObject({
      code: 1,
      stderr: `neardup: the index ${index} was made with --threshold 0.8, not 0.9; --shingle word:5, not word:4\n`,
    });
    const taken = await neardup(
      ['index', 'add', index, '-'],
      lines({ id: 'a', text: 'other' }, { id: 'e', text: 'e' }),
    );
    expect(taken).toMatchObject({ code: 1, stdout: '{"id":"e","status":"new"}\n' });
    expect(taken.stderr).toContain('document "a": its id is known with another text');
  });

  it('finds every flipped byte of a record, and says of which document', async () => {
    const folder = temporaryFolder();
    const index = join(folder, 'seen');
    const mark = 'Rindfleischetikettierung';
    await neardup(
      ['index', 'add', index, '-'],
      lines({ id: 'good', text: words(0, 30) }, { id: 'bad one', text: mark }),
    );
    const file = join(index, 'data.mdb');
    const bytes = readFileSync(file);
    const place = bytes.indexOf(mark);
    expect(place).toBeGreaterThan(0);
    bytes[place + 3]! ^= 0x20;
    writeFileSync(file, bytes);
    const checked = await neardup(['index', 'check', index]);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain('document "bad one": its checksum is wrong');
    expect((await neardup(['index', 'get', index, 'good'])).code).toBe(0);
  });

  it('keeps a secret seed out of the index, and refuses another one', async () => {
    const index = join(temporaryFolder(), 'seen');
    const secret = 'correct horse battery staple';
    const add = (env: Record<string, string>, ...more: string[]) =>
      neardup(['index', 'add', index, '-', ...more], corpus, env);
    expect((await add({ MY_SEED: secret }, '--seed', 'secret:MY_SEED')).code).toBe(0);
    expect(readFileSync(join(index, 'data.mdb')).includes(secret)).toBe(false);
    expect((await add({ MY_SEED: secret })).code).toBe(0);
    // Another secret is one of the options that the index was not made with; a secret that is not there is wrong usage.
    const other = (stderr: string) => ({ code: 1, stderr: expect.stringContaining(stderr) });
    expect(await add({ MY_SEED: 'wrong' })).toMatchObject(other('another secret seed than MY_SEED holds now'));
    expect(await add({ MY_SEED: secret }, '--seed', '1')).toMatchObject(other('--seed secret:MY_SEED, not 1'));
    expect(await add({ MY_SEED: secret }, '--threshold', '0.9')).toMatchObject(other('--threshold 0.8, not 0.9'));
    const missing = { code: 2, stderr: expect.stringMatching(/^neardup: --seed must be .*MY_SEED is not set/) };
    expect(await add({})).toMatchObject(missing);
    expect(await add({}, '--seed', 'secret:MY_SEED')).toMatchObject(missing);
  });
});

describe('neardup filter', () => {
  it('passes on what is new, byte for byte and in order, and nothing a second time', async () => {
    const index = join(temporaryFolder(), 'seen');
    const odd = `{ "text" : "${words(500, 600)}" , "id":"odd", "n": 1.0 }\n`;
    const first = await neardup(['filter', '--index', index], `${corpus}not json\n${odd}`);
    const [a, , , d] = corpus.split('\n');
    expect(first).toMatchObject({ code: 0, stdout: `${a}\n${d}\n${odd}` });
    expect(first.stderr).toContain('5 documents: 3 new, 0 known, 1 exact, 1 near, 0 contained, 0 refused, 1 rejected');
    expect(await neardup(['filter', '--index', index], corpus + odd)).toMatchObject({ code: 0, stdout: '' });
    const next = lines({ id: 'x', text: words(0, 199) }, { id: 'y', text: words(700, 800) });
    expect((await neardup(['filter', '--index', index, '-'], next)).stdout).toBe(`${next.split('\n')[1]}\n`);
  });

  it('says even with --quiet that it refuses another text by a known id', async () => {
    const index = join(temporaryFolder(), 'index');
    const day = (word: string) =>
      neardup(['filter', '--index', index, '--quiet'], `{"text":"${word} one two three four"}\n`);
    expect(await day('monday')).toMatchObject({ code: 0, stderr: '' });
    expect(await day('tuesday')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'neardup: 1 document refused by the index\n',
    });
  });

  it('needs an index', async () => {
    expect(await neardup(['filter'])).toMatchObject({ code: 2 });
  });
});

describe('neardup search', () => {
  it('finds near-duplicates in files and in an index', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'corpus.jsonl'), corpus);
    writeFileSync(join(folder, 'query.txt'), words(0, 199));
    const query = join(folder, 'query.txt');
    const wanted = [
      { query, id: 'a', resemblance: 195 / 196, containment: 1 },
      { query, id: 'b', resemblance: 195 / 196, containment: 1 },
      { query, id: 'c', resemblance: 185 / 196, containment: 185 / 195 },
    ];
    const inFiles = await neardup(['search', query, '--in', join(folder, 'corpus.jsonl')]);
    expect(parsed(inFiles.stdout)).toEqual(wanted);
    const index = join(folder, 'seen');
    await neardup(['index', 'add', index, join(folder, 'corpus.jsonl'), '--store', 'all']);
    expect(parsed((await neardup(['search', query, '--index', index])).stdout)).toEqual(wanted);
    const strict = await neardup(['search', query, '--index', index, '--threshold', '0.99', '--limit', '1']);
    expect(parsed(strict.stdout)).toEqual(wanted.slice(0, 1));
    expect((await neardup(['search', query])).code).toBe(2);
  });
});

describe('neardup collapse', () => {
  const results = lines(
    { rank: 1, text: words(0, 200) },
    { rank: 2, text: words(900, 1000) },
    { rank: 3, text: words(10, 200) },
    { rank: 4, text: words(0, 200) },
  );

  it('folds near-duplicates under the first of them', async () => {
    const [one, two, three, four] = parsed(results);
    const collapsed = await neardup(['collapse'], results);
    expect(parsed(collapsed.stdout)).toEqual([
      { ...one, similar: [three, four] },
      { ...two, similar: [] },
    ]);
    const strict = await neardup(['collapse', '-', '--threshold', '0.99'], results);
    expect(parsed(strict.stdout)).toEqual([
      { ...one, similar: [four] },
      { ...two, similar: [] },
      { ...three, similar: [] },
    ]);
    const lecture = await neardup(['collapse', '--matches', '90', '--of', '100'], results);
    expect(parsed(lecture.stdout)).toEqual(parsed(collapsed.stdout));
    expect((await neardup(['collapse', '--matches', '90', '--threshold', '0.8'], results)).code).toBe(2);
  });

  it('takes the texts of ids from an index', async () => {
    const index = join(temporaryFolder(), 'seen');
    await neardup(['index', 'add', index, '-', '--store', 'all'], corpus);
    const ranked = lines({ id: 'c', score: 3 }, { id: 'd', score: 2 }, { id: 'a', score: 1 });
    const [c, d, a] = parsed(ranked);
    expect(parsed((await neardup(['collapse', '--index', index], ranked)).stdout)).toEqual([
      { ...c, similar: [a] },
      { ...d, similar: [] },
    ]);
  });
});

it.each(['/proc/none', '/dev/null', '/dev/null/below'])('an index or a copy at %s is one clear line', async place => {
  const folder = temporaryFolder();
  const index = join(folder, 'index');
  await neardup(['index', 'add', index, '-'], corpus);
  for (const args of [
    ['index', 'backup', index, place],
    ['index', 'add', place, '-'],
    ['demo', '--out', place],
  ]) {
    const { code, stderr } = await neardup(args, corpus);
    expect(stderr).toMatch(/^neardup: cannot write [^\n]+\n$/);
    expect(code).toBe(1);
  }
});
