/** What the commands of the index read and write: formats, files to write to, lines that cannot be used. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lines, neardup, parsed, words } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

let folder: string;
const at = (name: string) => join(folder, name);
const put = (name: string, content: string) => {
  writeFileSync(at(name), content);
  return at(name);
};
beforeEach(() => {
  folder = temporaryFolder();
});

const [one, two] = [words(0, 40), words(100, 140)];

describe('neardup filter passes on', () => {
  it('rows of a table under their header, which comes even without a row', async () => {
    const table = put('day.csv', `id,text,n\na,"${one}",1\nb,"${one}",2\nc,"${two}",3\n`);
    const filter = () => neardup(['filter', '--index', at('seen'), table]);
    expect(await filter()).toMatchObject({ code: 0, stdout: `id,text,n\na,"${one}",1\nc,"${two}",3\n` });
    expect(await filter()).toMatchObject({ code: 0, stdout: 'id,text,n\n' });
  });

  it('records of WARC as they came', async () => {
    const recordOf = (text: string, n: number) =>
      `WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://x/${n}\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${text.length}\r\n\r\n${text}\r\n\r\n`;
    const crawl = put('crawl.warc', [one, one, two].map(recordOf).join(''));
    const { code, stdout } = await neardup(['filter', '--index', at('seen'), crawl]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: recordOf(one, 0) + recordOf(two, 2) });
  });

  it('documents of an array as an array, and those of several formats or of Parquet as JSON lines', async () => {
    const documents = [
      { id: 'a', text: one, n: [1] },
      { id: 'b', text: one },
      { id: 'c', text: two },
    ];
    const [a, , c] = documents;
    const array = put('day.json', JSON.stringify(documents));
    const passed = (index: string, ...inputs: string[]) => neardup(['filter', '--index', at(index), ...inputs]);
    expect(JSON.parse((await passed('one', array)).stdout)).toEqual([a, c]);
    const other = put('other.tsv', `id\ttext\nd\t${words(200, 240)}\n`);
    const both = await passed('two', array, other);
    expect(parsed(both.stdout)).toEqual([a, c, { id: 'd', text: words(200, 240) }]);
    await neardup(['dedup', array, '-o', at('day.parquet'), '--threshold', '1']);
    expect(parsed((await passed('three', at('day.parquet'))).stdout).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('to a file that is not there yet, as they are or as JSON lines', async () => {
    const table = put('day.csv', `id,text\na,"${one}"\nb,"${one}"\n`);
    const filter = (index: string, output: string) =>
      neardup(['filter', '--index', at(index), table, '-o', at(output)]);
    expect(await filter('one', 'new.csv')).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(at('new.csv'), 'utf8')).toBe(`id,text\na,"${one}"\n`);
    expect((await filter('two', 'new.jsonl')).code).toBe(0);
    expect(parsed(readFileSync(at('new.jsonl'), 'utf8'))).toEqual([{ id: 'a', text: one }]);
    expect(await filter('three', 'new.csv')).toMatchObject({ code: 1 });
    expect(readFileSync(at('new.csv'), 'utf8')).toBe(`id,text\na,"${one}"\n`);
    for (const name of ['new.jsonl.gz', 'new.parquet', 'new.tsv', 'new/', 'day.csv'])
      expect(await filter('four', name)).toMatchObject({ code: 2 });
    expect(existsSync(at('four'))).toBe(false);
  });
});

describe('a line that cannot be used', () => {
  const day = `${JSON.stringify({ id: 'a', text: one })}\nno JSON\n{"id":"a","text":"another"}\n{"id":"","text":"x"}\n{"id":"c","text":"${two}"}\n`;
  const told = [
    { line: 2, reason: 'not JSON' },
    { line: 3, reason: 'document "a": its id is known with another text' },
  ];

  it.each([
    ['index', 'add', 'SEEN'],
    ['filter', '--index', 'SEEN'],
  ])('is told with its place by %s %s, or listed, and the others are taken', async (...start) => {
    const file = put('day.jsonl', day);
    const command = (index: string) => [...start.map(word => (word === 'SEEN' ? at(index) : word)), file];
    const { code, stdout, stderr } = await neardup(command('one'));
    expect(code).toBe(1);
    // A line without an id is known by its location; filter passes it on as it came.
    expect(parsed(stdout).map(({ id }) => id)).toEqual(['a', start[0] === 'index' ? `${file}:4` : '', 'c']);
    for (const { line, reason } of told) expect(stderr).toContain(`${file}:${line}: ${reason}\n`);
    expect(stderr).toMatch(/1 refused, 1 rejected/);

    const listed = await neardup([...command('two'), '--rejects', at('rejects.jsonl')]);
    expect(listed).toMatchObject({ code: 1, stdout });
    expect(listed.stderr).not.toContain('not JSON');
    // What the index refuses is known after lines that could not be read.
    const rejects = parsed(readFileSync(at('rejects.jsonl'), 'utf8')).sort((a, b) => a.line - b.line);
    expect(rejects).toEqual(told.map(reject => ({ file, ...reject })));

    expect(await neardup([...command('three'), '--strict'])).toMatchObject({
      code: 1,
      stderr: `neardup: ${file}:2: not JSON\n`,
    });
    const documents = lines({ id: 'a', text: one }, { id: 'a', text: two }, { id: 'c', text: words(300, 340) });
    const repeated = put('repeated.jsonl', documents);
    const strictly = await neardup([...command('four').slice(0, -1), repeated, '--strict']);
    expect(strictly).toMatchObject({ code: 1, stderr: `neardup: ${repeated}:2: ${told[1]!.reason}\n` });
    expect(strictly.stdout).not.toContain('"c"');
    expect((await neardup(['index', 'get', at('four'), 'c'])).code).toBe(1);
  });

  it('says why the place of a line is no good id', async () => {
    const add = (text: string) => neardup(['index', 'add', at('seen'), '-'], lines({ text }));
    expect((await add(one)).code).toBe(0);
    expect((await add(two)).stderr).toContain('(a line without the field id: its place is its id)');
  });

  it('leaves search and collapse to go on', async () => {
    await neardup(['index', 'add', at('seen'), '-'], lines({ id: 'a', text: one }));
    const queries = `no JSON\n${lines({ id: '', text: one }, { id: 'q', text: one })}`;
    const searched = await neardup(['search', '-', '--index', at('seen')], queries);
    expect(searched.code).toBe(0);
    expect(parsed(searched.stdout).map(({ query, id }) => [query, id])).toEqual([
      ['-:2', 'a'],
      ['q', 'a'],
    ]);
    expect(searched.stderr).toContain('-:1: not JSON');
    const results = `[1]\n${lines({ id: 1, text: one })}`;
    const collapsed = await neardup(['collapse'], results);
    expect(collapsed).toMatchObject({ code: 0, stderr: '-:1: not an object\n' });
    expect(parsed(collapsed.stdout)).toEqual([{ id: 1, text: one, similar: [] }]);
    expect((await neardup(['collapse', '--strict'], results)).code).toBe(1);
  });
});

it('a field that no document has fails the run', async () => {
  const file = put('day.jsonl', lines({ id: 'a', body: one }));
  for (const args of [
    ['index', 'add', at('seen'), file],
    ['filter', '--index', at('seen'), file],
  ])
    expect(await neardup(args)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `neardup: ${file}: no document has a field "text"; fields seen: id, body\n`,
    });
});

it('an empty file is a damaged index, or an unfinished one where it was being made', async () => {
  mkdirSync(at('seen'));
  put('seen/data.mdb', '');
  const query = put('day.jsonl', lines({ id: 'a', text: one }));
  const expectAll = async (what: string) => {
    for (const args of [
      ['index', 'stats', at('seen')],
      ['index', 'compact', at('seen')],
      ['index', 'remove', at('seen'), 'a'],
      ['search', query, '--index', at('seen')],
    ]) {
      const { code, stderr } = await neardup(args);
      expect(code).toBe(1);
      expect(stderr.startsWith(`neardup: the index ${at('seen')} is ${what}: `), stderr).toBe(true);
    }
  };
  await expectAll('damaged');
  put('seen/unfinished', '');
  await expectAll('unfinished');
  expect((await neardup(['index', 'add', at('seen'), query])).code).toBe(0);
});

it('a wrong option makes no index', async () => {
  const file = put('day.jsonl', lines({ id: 'a', text: one }));
  for (const [option, value] of [
    ['--threshold', '0'],
    ['--lsh', 'bands:200x5'],
    ['--measure', 'edit'],
    ['--seed', 'secret:NOT_SET'],
    ['-o', 'out.warc'],
  ])
    expect((await neardup(['index', 'add', at('seen'), file, option!, value!])).code).toBe(2);
  expect(readdirSync(folder)).toEqual(['day.jsonl']);
});

it('verdicts, results and collapsed lists go to a file', async () => {
  const file = put('day.jsonl', lines({ id: 'a', text: one }, { id: 'b', text: one }));
  const args = ['index', 'add', at('seen'), file, '--store', 'all', '-o', at('verdicts.csv')];
  expect(await neardup(args)).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(at('verdicts.csv'), 'utf8')).toBe(
    'id,status,of,resemblance,containment\na,new,,,\nb,exact,a,1,1\n',
  );
  expect(await neardup(['search', file, '--index', at('seen'), '--limit', '1', '-o', at('found.jsonl')])).toMatchObject(
    { code: 0, stdout: '' },
  );
  expect(parsed(readFileSync(at('found.jsonl'), 'utf8')).map(({ query, id }) => [query, id])).toEqual([
    ['a', 'a'],
    ['b', 'a'],
  ]);
  expect(await neardup(['collapse', file, '-o', at('list.json')])).toMatchObject({ code: 0, stdout: '' });
  expect(JSON.parse(readFileSync(at('list.json'), 'utf8'))).toEqual([
    { id: 'a', text: one, similar: [{ id: 'b', text: one }] },
  ]);
  expect(await neardup(['search', file, '--index', at('seen'), '-o', file])).toMatchObject({ code: 2 });
  expect(await neardup(['search', '-', '--in', '-'])).toMatchObject({ code: 2 });
});

it('an index by containment states its expected recall', async () => {
  const text = /containment candidates: expected recall 0\.9\d+ for parts of 66 shingles and more/;
  const added = await neardup(
    ['index', 'add', at('seen'), '-', '--measure', 'containment'],
    lines({ id: 1, text: one }),
  );
  expect(added.stderr).toMatch(text);
  expect((await neardup(['filter', '--index', at('seen')])).stderr).toMatch(text);
  expect((await neardup(['index', 'stats', at('seen')])).stdout).toMatch(text);
});

describe('neardup collapse', () => {
  const [whole, part] = [words(0, 100), words(0, 60)];

  it('folds by what its index was made with, unless told otherwise', async () => {
    const made = ['--threshold', '0.5', '--shingle', 'word:3', '--store', 'all'];
    await neardup(['index', 'add', at('seen'), '-', ...made], lines({ id: 'a', text: whole }, { id: 'b', text: part }));
    const ranked = lines({ id: 'a' }, { id: 'b' });
    const collapse = async (...more: string[]) =>
      parsed((await neardup(['collapse', '--index', at('seen'), ...more], ranked)).stdout);
    expect(await collapse()).toEqual([{ id: 'a', similar: [{ id: 'b' }] }]);
    expect(await collapse('--threshold', '0.8')).toHaveLength(2);
    // 58 shingles of 98: a share of the minima close to that is equal, and never all of them.
    expect(await collapse('--matches', '100')).toHaveLength(2);
    expect(await collapse('--matches', '30')).toHaveLength(1);
  });

  it('counts a duplicate that is stored without its text as what it duplicates', async () => {
    await neardup(['index', 'add', at('seen'), '-'], lines({ id: 'a', text: whole }, { id: 'b', text: whole }));
    const collapse = (...ids: string[]) =>
      neardup(['collapse', '--index', at('seen')], lines(...ids.map(id => ({ id }))));
    expect(parsed((await collapse('b', 'a')).stdout)).toEqual([{ id: 'b', similar: [{ id: 'a' }] }]);
  });

  it('leaves what cannot be compared in its place, untouched, and counts it', async () => {
    const texts = [
      '{"rank": 1.0}',
      `{"id":"a","text":"${whole}"}`,
      '{"id":"x", "text":null}',
      `{"id":"b","text":"${whole}"}`,
      '{"id":"y","set":[{}]}',
      `{"id":"c","text":"${whole}","similar":7}`,
    ];
    const [rank, a, x, b, y, c] = texts;
    const collapsed = `${rank}\n${a!.slice(0, -1)},"similar":[${b}]}\n${x}\n${y}\n${c}\n`;
    for (const quiet of [[], ['--quiet']])
      expect(await neardup(['collapse', ...quiet], texts.join('\n'))).toEqual({
        code: 0,
        stdout: collapsed,
        stderr: 'warning: 4 results without a text or set left in place, not compared\n',
      });
    await neardup(['index', 'add', at('seen'), '-'], `${a}\n`);
    const listed = await neardup(['collapse', '--index', at('seen')], '{"id":"nobody"}\n{"id":"a"}\n{"id":"a"}\n');
    expect(listed).toEqual({
      code: 0,
      stdout: '{"id":"nobody"}\n{"id":"a","similar":[{"id":"a"}]}\n',
      stderr: expect.stringMatching(/^warning: 1 result without a text, set or id that the index knows left in place/),
    });
  });

  it('prints results as they came, and knows ids by all their digits', async () => {
    const [first, second] = ['1790000000000000001', '1790000000000000002'];
    const document = (id: string, text: string) => `{"id": ${id},"text":"${text}", "n":1e400}\n`;
    await neardup(['index', 'add', at('seen'), '-'], document(first, whole) + document(second, words(500, 600)));
    const collapse = (list: string) => neardup(['collapse', '--index', at('seen')], list);
    expect((await collapse(`{"id":${first}, "n":1.0}\r\n{"id":${second}}\n`)).stdout).toBe(
      `{"id":${first}, "n":1.0,"similar":[]}\n{"id":${second},"similar":[]}\n`,
    );
    const kept = `{"similar" : [1.0,{"id":7}], "text":"${whole}", "score":1.0, "\\u0061":"\xff"}`;
    const folded = `{ "text":"${whole}","n":[ 1e400 ]}`;
    writeFileSync(at('list.jsonl'), `${kept}\n${folded}\n`, 'latin1');
    await neardup(['collapse', at('list.jsonl'), '-o', at('collapsed.jsonl')]);
    expect(readFileSync(at('collapsed.jsonl'), 'latin1')).toBe(
      `${kept.replace('[1.0,{"id":7}]', `[1.0,{"id":7},${folded}]`)}\n`,
    );
    await neardup(['collapse', '-', '-o', at('list.csv')], `{"n":1.0,"text":"${whole}"}\n`);
    expect(readFileSync(at('list.csv'), 'utf8')).toBe(`n,text,similar\n1.0,${whole},[]\n`);
  });

  it('does not write over its input', async () => {
    const file = put('results.jsonl', lines({ id: 'a', text: whole }, { id: 'b', text: whole }));
    expect((await neardup(['collapse', file, '-o', file])).code).toBe(2);
  });

  it('keeps what was folded before', async () => {
    const before = lines({ id: 'a', text: whole, similar: [{ id: 'x' }] }, { id: 'b', text: whole });
    expect(parsed((await neardup(['collapse'], before)).stdout)).toEqual([
      { id: 'a', text: whole, similar: [{ id: 'x' }, { id: 'b', text: whole }] },
    ]);
  });

  it.each([
    ['--matches', '0'],
    ['--matches', '90', '--measure', 'containment'],
    ['--matches', '90', '--threshold', '0.8'],
    ['--of', '100'],
    ['--measure', 'edit'],
  ])('has one rule that means something, not %s %s %s %s', async (...rule) => {
    expect(await neardup(['collapse', ...rule], lines({ id: 'a', text: whole }))).toMatchObject({ code: 2 });
  });
});
