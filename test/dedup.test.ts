/** `dedup`, `pairs` and `clusters` from inputs to outputs: formats, bad input, limits, what a failed run leaves. Long, as all of it shares the same few documents. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { call } from './support/call.ts';
import { temporaryFolder } from './support/folder.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const fox = 'the quick brown fox jumps over the lazy dog and runs far away into the dark green wood';
const other = 'an entirely different text about the price of fish in the harbour towns of the north';
/** Spaces and field order as nobody would write them, to see that lines are copied and not written anew. */
const rows = [
  `{"text" : "${fox}", "id":1,"n":1.0}`,
  `{"id":2, "text":"${other}"}`,
  `{"id":3,"text":"${fox}"}`,
  `{"id":4,"text":"${fox.toUpperCase()}!","extra":{"deep":[1,2]}}`,
];
const lines = rows.join('\n').concat('\n');
const keptLines = rows.slice(0, 2).join('\n').concat('\n');

describe('dedup', () => {
  test('writes the lines that stay byte for byte, and evidence, clusters and rejects', async () => {
    const input = put(
      'in.jsonl',
      `${rows[0]}\n\nnot json\n[1]\n${rows.slice(1).join('\n')}\n{"id":"2","text":"again"}\n{"id":5}\n{"id":6,"text":7}\n`,
    );
    const lists = ['removed', 'clusters', 'rejects'].flatMap(name => [`--${name}`, path(`${name}.jsonl`)]);
    const { code, stderr, stdout } = await call('dedup', input, '-o', path('out.jsonl'), ...lists);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(get('out.jsonl')).toBe(`${keptLines}{"id":"2","text":"again"}\n`);
    expect(get('removed.jsonl').split('\n')).toEqual([
      '{"id":"3","keptId":"1","relation":"exact","resemblance":1,"containment":1,"cluster":"1"}',
      '{"id":"4","keptId":"1","relation":"near","resemblance":1,"containment":1,"cluster":"1"}',
      '',
    ]);
    expect(get('clusters.jsonl')).toBe(
      '{"cluster":"1","size":3,"representative":"1","members":["1","3","4"],"minResemblance":1}\n',
    );
    expect(records('rejects.jsonl')).toEqual([
      { file: input, line: 3, reason: 'not JSON' },
      { file: input, line: 4, reason: 'not an object' },
      { file: input, line: 9, reason: 'text missing' },
      { file: input, line: 10, reason: 'text is not a string' },
    ]);
    expect(stderr).toContain(
      '5 documents: 3 kept, 2 removed (1 exact, 1 near)\n1 cluster, 4 rejected\n' +
        '1 document with an id that came before: named by file and line\n',
    );
  });

  test('prints the summary as one JSON object with the fields of the contract, and the rest to files', async () => {
    const { stdout } = await call('dedup', put('in.jsonl', lines), '-o', path('out.jsonl'), '--json', '--quiet');
    const summary = JSON.parse(stdout);
    expect(Object.keys(summary)).toEqual(
      'documents kept removed exact near contained clusters rejected seconds bytes options repeatedIds comparisons'.split(
        ' ',
      ),
    );
    expect(summary).toMatchObject({ documents: 4, kept: 2, removed: 2, exact: 1, near: 1, contained: 0, clusters: 1 });
    expect(summary).toMatchObject({ rejected: 0, bytes: lines.length, options: { threshold: 0.8, shingle: 'word:5' } });
  });

  test('with --dry-run only says what would be done', async () => {
    const input = put('in.jsonl', lines);
    const { code, stdout } = await call(
      'dedup',
      input,
      '--dry-run',
      '--json',
      '-o',
      path('out.jsonl'),
      '--removed',
      path('r'),
    );
    expect([code, JSON.parse(stdout).removed, readdirSync(folder)]).toEqual([0, 2, ['in.jsonl']]);
    expect((await call('dedup', input, '--dry-run', '--json')).code).toBe(0);
  });

  test('with --mark removes nothing and adds cluster, size and keep at the end of the line', async () => {
    await call('dedup', put('in.jsonl', lines), '--mark', '-o', path('out.jsonl'));
    const [first, second] = get('out.jsonl').split('\n');
    expect(first).toBe(`{"text" : "${fox}", "id":1,"n":1.0,"neardup":{"cluster":"1","size":3,"keep":true}}`);
    expect(second).toContain(',"neardup":{"cluster":"2","size":1,"keep":true}}');
    expect(
      records('out.jsonl')
        .slice(2)
        .map(({ neardup }) => neardup),
    ).toEqual([
      { cluster: '1', size: 3, keep: false },
      { cluster: '1', size: 3, keep: false },
    ]);
  });

  test('with --protect removes what a reference set has, whatever its ids, and writes none of it', async () => {
    const reference = put('ref.jsonl', `${rows[1]}\n`);
    await call(
      'dedup',
      put('in.jsonl', lines),
      '--protect',
      reference,
      '-o',
      path('out.jsonl'),
      '--removed',
      path('r.jsonl'),
    );
    expect(records('out.jsonl').map(({ id }) => id)).toEqual([1]);
    expect(records('r.jsonl')[0]).toMatchObject({ id: '2', keptId: '2', relation: 'exact', reference: true });
    expect(get('r.jsonl').split('\n')[1]).toMatch(/"cluster":"1"}$/);
  });

  test('with --by and --keep looks at fields, and fails where no document has the field', async () => {
    const input = put(
      'in.jsonl',
      ['en', 'de', 'en'].map((l, at) => `{"id":"${at}","text":"${fox}","l":"${l}","n":${at}}\n`).join(''),
    );
    await call('dedup', input, '--by', 'l', '--keep', 'max:n', '-o', path('out.jsonl'));
    expect(records('out.jsonl').map(({ id }) => id)).toEqual(['1', '2']);
    for (const args of [
      ['dedup', '--by', 'language'],
      ['clusters', '--keep', 'max:language'],
      ['pairs', '--by', 'language'],
    ]) {
      const [command, ...rest] = args as [string, ...string[]];
      expect(await call(command, input, ...rest, '-o', path('none.jsonl'))).toEqual({
        code: 1,
        stdout: '',
        stderr: 'neardup: no document has a field "language"; fields seen: id, text, l, n\n',
      });
    }
    expect(readdirSync(folder)).toEqual(['in.jsonl', 'out.jsonl']);
  });

  test('of sets looks at the set, even where there is a text too', async () => {
    const input = put(
      'in.jsonl',
      '{"id":"a","s":[1,2],"text":"x"}\n{"id":"b","s":["2","1"],"text":"y"}\n{"id":"c","s":[3],"text":"x"}\n',
    );
    await call('dedup', input, '--set-field', 's', '-o', path('out.jsonl'));
    expect(records('out.jsonl').map(({ id }) => id)).toEqual(['a', 'c']);
  });

  test('of no document makes an empty output, and says so', async () => {
    const { code, stderr } = await call('dedup', put('in.jsonl', ''), '-o', path('out.jsonl'));
    expect([code, get('out.jsonl')]).toEqual([0, '']);
    expect(stderr).toContain('warning: there is no document in the input');
  });

  test('of documents without the field fails, and writes nothing', async () => {
    const { code, stderr } = await call('dedup', put('in.jsonl', '{"id":1,"body":"x"}\n'), '-o', path('none.jsonl'));
    expect(code).toBe(1);
    expect(stderr).toContain('no document has a field "text"; fields seen: id, body');
    expect(() => get('none.jsonl')).toThrow();
  });

  test('rejects a link in a folder that leads nowhere; with --strict, or when it is named, it fails the run', async () => {
    mkdirSync(path('texts'));
    put('texts/a.txt', fox);
    put('texts/c.txt', fox);
    symlinkSync(path('nowhere.txt'), path('texts/b.txt'));
    const rejected = { file: path('texts/b.txt'), line: 1, reason: 'broken link: no such file or folder' };
    const { code, stderr } = await call('dedup', path('texts'), '-o', path('kept/'), '--rejects', path('r.jsonl'));
    expect([code, readdirSync(path('kept')), records('r.jsonl')]).toEqual([0, ['a.txt'], [rejected]]);
    expect(stderr).toContain('2 documents: 1 kept, 1 removed (1 exact, 0 near)\n1 cluster, 1 rejected\n');
    await call('pairs', path('texts'), '-o', path('p.jsonl'), '--rejects', path('r2.jsonl'));
    expect([records('p.jsonl').length, records('r2.jsonl')]).toEqual([1, [rejected]]);
    expect((await call('checksum', path('texts'))).stderr).toBe(`${rejected.file}:1: ${rejected.reason}\n`);

    const strict = await call('dedup', path('texts'), '-o', path('none/'), '--strict');
    expect([strict.code, strict.stderr]).toEqual([1, `neardup: ${rejected.file}:1: ${rejected.reason}\n`]);
    const named = await call('dedup', path('texts/a.txt'), path('texts/b.txt'), '-o', path('none/'));
    expect([named.code, named.stderr]).toEqual([1, `neardup: cannot read ${rejected.file}: no such file or folder\n`]);
    expect(readdirSync(folder)).not.toContain('none');
  });

  test('rejects a document over --max-document', async () => {
    await call(
      'dedup',
      put('in.jsonl', lines),
      '--max-document',
      '125B',
      '-o',
      path('o.jsonl'),
      '--rejects',
      path('r.jsonl'),
    );
    expect(records('r.jsonl')).toEqual([{ file: path('in.jsonl'), line: 4, reason: 'too large: over 125 bytes' }]);
  });
});

describe('formats', () => {
  test('CSV comes out as it came, its header included, even when no row stays', async () => {
    const header = 'id,text,"a, b"';
    const input = put('in.csv', `${header}\r\n1,"${fox}",x\r\n2,${other},"y\ny"\r\n3,${fox},z\r\n`);
    await call('dedup', input, '-o', path('out.csv'));
    expect(get('out.csv')).toBe(`${header}\r\n1,"${fox}",x\r\n2,${other},"y\ny"\r\n`);
    await call('dedup', input, '--protect', input, '-o', path('none.csv'));
    expect(get('none.csv')).toBe(`${header}\r\n`);
    await call('dedup', input, '--mark', '-o', path('marked.csv'));
    expect(get('marked.csv').split('\n')[0]).toBe('id,text,"a, b",neardup');
    await call('dedup', put('empty.csv', `${header}\r\n`), '-o', path('still.csv'));
    expect(get('still.csv')).toBe(`${header}\r\n`);
  });

  test('JSON arrays, TSV and compressed lines come out in their own form', async () => {
    await call('dedup', put('in.json', `[${rows.join(', ')}]`), '-o', path('out.json'));
    expect(get('out.json')).toBe(`[\n${rows[0]},\n${rows[1]}\n]\n`);
    await call('dedup', put('in.tsv', `id\ttext\n1\t${fox}\n2\t${fox}\n`), '-o', path('out.tsv'));
    expect(get('out.tsv')).toBe(`id\ttext\n1\t${fox}\n`);
    await call('dedup', put('in.jsonl.gz', gzipSync(lines)), '-o', path('out.jsonl.gz'));
    expect(gunzipSync(readFileSync(path('out.jsonl.gz'))).toString()).toBe(keptLines);
    await call('dedup', path('in.jsonl.gz'), '-o', path('out.jsonl.zst'));
    await call('dedup', path('out.jsonl.zst'), '-o', path('again.jsonl'));
    expect(get('again.jsonl')).toBe(keptLines);
  });

  test('the name of -o decides; with an unknown ending, the input', async () => {
    const input = put('in.csv', `id,text\n1,${fox}\n2,${fox}\n`);
    await call('dedup', input, '-o', path('out.jsonl'));
    expect(get('out.jsonl')).toBe(`{"id":"1","text":"${fox}"}\n`);
    await call('dedup', input, '-o', path('out.data'));
    expect(get('out.data')).toBe(`id,text\n1,${fox}\n`);
  });

  test('files that are one document each become JSON lines, or copies in a folder', async () => {
    mkdirSync(path('texts/deep'), { recursive: true });
    put('texts/a.txt', fox);
    put('texts/deep/b.md', `${fox}\n`);
    put('texts/deep/c.html', `<p>${other}</p>`);
    await call('dedup', path('texts'), '-o', path('out.jsonl'));
    expect(records('out.jsonl')).toEqual([
      { id: path('texts/a.txt'), text: fox },
      { id: path('texts/deep/c.html'), text: other },
    ]);
    await call('dedup', path('texts'), '-o', path('kept/'));
    expect(readdirSync(path('kept'), { recursive: true }).sort()).toEqual(['a.txt', 'deep', join('deep', 'c.html')]);
    expect(get('kept/deep/c.html')).toBe(`<p>${other}</p>`);
  });

  test('Parquet keeps its columns and types, also when marked', async () => {
    const { openDuckDb, quoteText } = await import('../src/formats/parquet/duckdb.ts');
    const { connection, close } = await openDuckDb();
    const values = `(1, '${fox}', DATE '2024-01-02'), (2, '${fox}', NULL), (9007199254740993, '${other}', DATE '2024-01-03')`;
    const table = `(SELECT * FROM (VALUES ${values}) rows(id, text, day))`;
    await connection.run(`COPY ${table} TO ${quoteText(path('in.parquet'))} (FORMAT parquet)`);
    const select = async (file: string, what: string) =>
      (await connection.runAndReadAll(`SELECT ${what} FROM ${quoteText(path(file))}`)).getRowsJson();
    await call('dedup', path('in.parquet'), '-o', path('out.parquet'));
    expect(await select('out.parquet', 'id::VARCHAR, typeof(id), typeof(day)')).toEqual([
      ['1', 'BIGINT', 'DATE'],
      ['9007199254740993', 'BIGINT', 'DATE'],
    ]);
    await call('dedup', path('in.parquet'), '--mark', '-o', path('marked.parquet'));
    expect(await select('marked.parquet', 'neardup.cluster, neardup.keep, typeof(day)')).toEqual([
      ['1', true, 'DATE'],
      ['1', false, 'DATE'],
      ['9007199254740993', true, 'DATE'],
    ]);
    close();
  });

  test('WARC records come out as they were', async () => {
    const record = (at: number, text: string) =>
      `WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://x/${at}\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}\r\n\r\n`;
    await call('dedup', put('in.warc', record(1, fox) + record(2, fox) + record(3, other)), '-o', path('out.warc'));
    expect(get('out.warc')).toBe(record(1, fox) + record(3, other));
  });
});

describe('a run that must not go through', () => {
  test('with --strict fails at the first reject, and no output appears', async () => {
    const input = put('in.jsonl', `${lines}oops\n`);
    expect(await call('dedup', input, '--strict', '-o', path('out.jsonl'), '--removed', path('r.jsonl'))).toEqual({
      code: 1,
      stdout: '',
      stderr: `neardup: ${input}:5: not JSON\n`,
    });
    expect(readdirSync(folder)).toEqual(['in.jsonl']);
    const repeated = await call('dedup', put('in.jsonl', `${lines}${rows[0]}\n`), '--strict', '-o', path('out.jsonl'));
    expect([repeated.code, get('out.jsonl')]).toEqual([0, keptLines]);
  });

  test.each([
    ['--max-removed', '49%', '2 of 4 documents (50.0%) would be removed, more than --max-removed 49%'],
    ['--max-cluster', '2', 'the cluster of "1" has 3 documents, more than --max-cluster 2'],
  ])('is stopped by %s %s with 3, and nothing is written over', async (flag, limit, message) => {
    const input = put('in.jsonl', lines);
    put('out.jsonl', 'as it was');
    const { code, stderr } = await call('dedup', input, '-o', path('out.jsonl'), '--quiet', flag, limit);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `neardup: stopped by the safety brake: ${message}; nothing was written\n`,
    });
    expect([get('out.jsonl'), readdirSync(folder)]).toEqual(['as it was', ['in.jsonl', 'out.jsonl']]);
  });

  test('is let through when the limits are just met', async () => {
    const limits = ['--max-removed', '50%', '--max-cluster', '3'];
    expect((await call('dedup', put('in.jsonl', lines), '--dry-run', ...limits)).code).toBe(0);
  });

  test('leaves no output when one of them cannot be written', async () => {
    const input = put('in.jsonl', lines);
    const missing = path('missing/removed.jsonl');
    const { code, stderr } = await call(
      'dedup',
      input,
      '-o',
      path('out.jsonl'),
      '--clusters',
      path('c.jsonl'),
      '--removed',
      missing,
    );
    expect([code, stderr.trim()]).toEqual([1, `neardup: cannot write ${missing}: no such file or folder`]);
    expect(readdirSync(folder)).toEqual(['in.jsonl']);
    // Columns that differ are found out only in the middle of writing.
    const csv = [put('a.csv', `id,text\n1,${fox}\n`), put('b.csv', `text,id\n${other},2\n`)];
    const differing = await call('dedup', ...csv, '-o', path('out.csv'), '--clusters', path('c.jsonl'));
    expect(differing.stderr).toContain(`cannot write ${path('out.csv')}: the inputs have different columns`);
    expect(readdirSync(folder)).toEqual(['a.csv', 'b.csv', 'in.jsonl']);
  });

  test('interrupted, ends with 130 and leaves nothing behind', async () => {
    const child = spawn(process.execPath, [main, 'dedup', '-', '-o', path('out.jsonl')], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin!.write(lines);
    // It has begun when the copy of its standard input is there, which never ends.
    while (readdirSync(folder).length === 0) await setTimeout(10);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect([code, readdirSync(folder)]).toEqual([130, []]);
  });
});

describe('wrong usage', () => {
  test.each([
    ['-o IN', 'it would write over the input'],
    ['-o LINK', 'it would write over the input'],
    ['-o a.jsonl --removed IN', 'it would write over the input'],
    ['-o a.jsonl --protect REF --removed REF', 'it would write over the input'],
    ['-o a.jsonl --removed ./a.jsonl', '--removed ./a.jsonl: -o goes there too'],
    ['--json', '--json without -o'],
    ['--json -o -', '--json with -o -: both would go to standard output'],
    ['-o folder/', 'only files that are one document each are copied to a folder'],
    ['-o a.warc', 'only unchanged records of WARC files'],
    ['-o a.parquet.gz', 'Parquet compresses by itself'],
    ['-o a.jsonl --measure dice', '1 − dice breaks the triangle inequality'],
    ['-o a.jsonl --measure edit --set-field s', 'a set has no order to edit'],
    ['-o a.jsonl --sketch super --lsh bands:2x2', '--lsh with --sketch super'],
    ['-o a.jsonl --max-removed 30', '--max-removed must be a percentage such as 30%, got "30"'],
    ['-o a.jsonl --keep best', '--keep must be first, longest'],
  ])('dedup IN %s is refused before anything is written', async (given, message) => {
    const input = put('in.jsonl', lines);
    const reference = put('ref.jsonl', lines);
    symlinkSync(input, path('link.jsonl'));
    const named: Record<string, string> = { IN: input, LINK: path('link.jsonl'), REF: reference };
    const { code, stderr } = await call('dedup', input, ...given.split(' ').map(word => named[word] ?? word));
    expect(stderr).toContain(message);
    expect([code, get('in.jsonl'), get('ref.jsonl')]).toEqual([2, lines, lines]);
  });

  test('copies are not made over the files they are copies of', async () => {
    mkdirSync(path('texts'));
    put('texts/a.txt', fox);
    expect((await call('dedup', path('texts'), '-o', `${path('texts')}/`)).code).toBe(2);
  });
});

describe('pairs', () => {
  test('lists pairs in input order, with the fields of the contract in order', async () => {
    const { code, stderr } = await call('pairs', put('in.jsonl', lines), '-o', path('pairs.jsonl'));
    expect(get('pairs.jsonl').split('\n')).toEqual([
      '{"a":"1","b":"3","resemblance":1,"containmentAB":1,"containmentBA":1}',
      '{"a":"1","b":"4","resemblance":1,"containmentAB":1,"containmentBA":1}',
      '{"a":"3","b":"4","resemblance":1,"containmentAB":1,"containmentBA":1}',
      '',
    ]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('4 documents: 3 pairs, 0 rejected\n')]);
  });

  test('with --exact gives the same, and a summary with --json', async () => {
    const { stdout } = await call('pairs', put('in.jsonl', lines), '--exact', '--json', '-o', path('pairs.csv'));
    expect(get('pairs.csv').split('\n').slice(0, 2)).toEqual([
      'a,b,resemblance,containmentAB,containmentBA',
      '1,3,1,1,1',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ documents: 4, pairs: 3, rejected: 0, options: { exact: true } });
  });

  test('stops at --max-pairs with the count, and leaves no half list', async () => {
    const { code, stderr } = await call('pairs', put('in.jsonl', lines), '--max-pairs', '2', '-o', path('pairs.jsonl'));
    expect([code, stderr]).toEqual([3, expect.stringContaining('stopped after 2 pairs, and there are more')]);
    expect(readdirSync(folder)).toEqual(['in.jsonl']);
    expect((await call('pairs', path('in.jsonl'), '--max-pairs', '3', '-o', path('pairs.jsonl'))).code).toBe(0);
  });
});

describe('clusters', () => {
  test('lists groups of two or more, by their representatives', async () => {
    const { stdout } = await call(
      'clusters',
      put('in.jsonl', lines),
      '--keep',
      'shortest',
      '--json',
      '-o',
      path('c.jsonl'),
    );
    expect(records('c.jsonl')).toEqual([
      { cluster: '1', size: 3, representative: '1', members: ['1', '3', '4'], minResemblance: 1 },
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ documents: 4, clusters: 1, clustered: 3 });
  });
});

describe('standard streams', () => {
  test('documents come from standard input and go to standard output, though they are read twice', () => {
    const done = spawnSync(process.execPath, [main, 'dedup', '-'], { input: lines, encoding: 'utf8' });
    expect([done.status, done.stdout]).toEqual([0, keptLines]);
    expect(done.stderr).toContain('4 documents: 2 kept');
  });

  test('pairs and clusters go to standard output', () => {
    const pairs = spawnSync(process.execPath, [main, 'pairs', '-', '--quiet'], { input: lines, encoding: 'utf8' });
    expect([pairs.stdout.split('\n').length, pairs.stderr]).toEqual([4, '']);
    const clusters = spawnSync(process.execPath, [main, 'clusters', '-', '--quiet'], {
      input: lines,
      encoding: 'utf8',
    });
    expect(JSON.parse(clusters.stdout)).toMatchObject({ cluster: '1', size: 3 });
  });
});

function path(name: string): string {
  return join(folder, name);
}

function put(name: string, content: string | Uint8Array): string {
  writeFileSync(path(name), content);
  return path(name);
}

function get(name: string): string {
  return readFileSync(path(name), 'utf8');
}

function records(name: string): Record<string, unknown>[] {
  return get(name)
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
}
