/** Files that are damaged, or hold nothing that can be read, through every command: the exit code, the one line, and that nothing is written. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../bench/random.ts';
import { openDuckDb } from '../src/formats/parquet/duckdb.ts';
import { call } from './support/call.ts';
import { main } from './support/command.ts';
import { sharedFolder } from './support/folder.ts';

const folder = sharedFolder();
const at = (name: string) => join(folder, name);
const put = (name: string, content: string | Uint8Array) => {
  writeFileSync(at(name), content);
  return at(name);
};

const lines = Array.from({ length: 2000 }, (_, i) => `{"id":"${i}","text":"number ${i} is ${i * i} and ${i ** 3}"}\n`);
const random = createRandom(11);
const noise = Uint8Array.from({ length: 20_000 }, () => random.below(256));
const warc = (uri: string, text: string) =>
  `WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: ${uri}\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}\r\n\r\n`;

beforeAll(async () => {
  put('good.jsonl', lines.join(''));
  const packed = gzipSync(lines.join(''));
  put('cut.jsonl.gz', packed.subarray(0, packed.length - 5000));
  put('behind.jsonl.gz', Buffer.concat([packed, Buffer.from('garbage')]));
  for (const ending of ['jsonl.gz', 'jsonl.zst', 'parquet', 'jsonl', 'warc.gz', 'warc']) put(`noise.${ending}`, noise);
  await call('dedup', at('good.jsonl'), '-o', at('good.jsonl.zst'), '--quiet');
  await call('dedup', at('good.jsonl'), '-o', at('good.parquet'), '--quiet');
  const zst = readFileSync(at('good.jsonl.zst'));
  put('cut.jsonl.zst', Buffer.concat([zst, zst.subarray(0, zst.length / 2)]));
  put('flipped.jsonl.zst', zst.with(zst.length - 1, zst.at(-1)! ^ 1));
  const parquet = readFileSync(at('good.parquet'));
  put('cut.parquet', parquet.subarray(0, parquet.length / 2));
  put('cut.warc', `${warc('a', 'one two three')}${warc('b', 'one two four')}`.slice(0, -9));
  put('open.json', `[${lines.slice(0, 5).join(',')}, {"id":"x", "te`);
  put('open-free.jsonl', lines.slice(0, 5).join(''));
  const duckdb = await openDuckDb();
  const rows =
    "SELECT i AS id, 'number ' || i || ' is ' || md5(i::VARCHAR) || md5((i + 1)::VARCHAR) AS text FROM range(10000) t(i)";
  await duckdb.connection.run(`COPY (${rows}) TO '${at('groups.parquet')}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
  duckdb.close();
  const groups = readFileSync(at('groups.parquet'));
  put('broken.parquet', groups.fill(0x5a, groups.length / 2, groups.length / 2 + 200));
  put('open.csv', 'id,text\n1,one two three\n2,"never closed\n3,x\n');
}, 60_000);

const damaged: [name: string, where: RegExp, readable: number | undefined][] = [
  ['cut.jsonl.gz', /cut off: the gzip data ends too early/, undefined],
  ['behind.jsonl.gz', /:2001: bytes after the end of the gzip data \(near byte \d+\)/, 2000],
  ['noise.jsonl.gz', /:1: not gzip data/, 0],
  ['noise.jsonl.zst', /:1: not zstd data/, 0],
  ['noise.parquet', /:1: not a Parquet file/, 0],
  ['noise.warc.gz', /:1: not gzip data/, 0],
  ['cut.jsonl.zst', /:2001: cut off: the zstd data ends too early/, 2000],
  ['flipped.jsonl.zst', /:2001: broken zstd data near byte \d+: the checksum does not match/, 2000],
  ['cut.parquet', /:1: not a Parquet file/, 0],
  ['cut.warc', /:2: cut off: the file ends within a WARC record/, 1],
  ['open.json', /:6: cut off: the JSON array is never closed/, 5],
  ['open.csv', /:3: a quoted field is never closed/, 1],
];

describe('a damaged file', () => {
  test.each(damaged)('%s ends a run before anything is written', async (name, where, readable) => {
    const outputs = ['-o', at('out.jsonl'), '--removed', at('removed.jsonl'), '--rejects', at('rejects.jsonl')];
    const { code, stdout, stderr } = await call('dedup', at('good.jsonl'), at(name), ...outputs, '--quiet');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^neardup: .*\n$/);
    expect(stderr).toContain(at(name));
    expect(stderr).toMatch(where);
    expect(stderr).toMatch(/; documents readable before it: \d+; --damaged skip goes on with/);
    if (readable !== undefined) expect(stderr).toContain(`readable before it: ${readable};`);
    for (const output of ['out.jsonl', 'removed.jsonl', 'rejects.jsonl']) expect(existsSync(at(output))).toBe(false);
  });

  test('is one line with --damaged skip, also with --quiet, and not a reject', async () => {
    const input = at('behind.jsonl.gz');
    const outputs = ['-o', at('skipped.jsonl'), '--rejects', at('skipped-rejects.jsonl')];
    const { code, stderr } = await call('dedup', input, ...outputs, '--damaged', 'skip', '--quiet');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: .*:2001: bytes after the end .*; documents read before it: 2000\n$/);
    expect(readFileSync(at('skipped.jsonl'), 'utf8')).toBe(lines.join(''));
    expect(readFileSync(at('skipped-rejects.jsonl'), 'utf8')).toBe('');
  });

  test('ends every command with 1 and one line, and --damaged skip lets it go on', async () => {
    const cut = at('cut.jsonl.gz');
    const index = at('seen');
    const commands = [
      ['pairs', cut, '-o', at('pairs.jsonl')],
      ['clusters', cut, '-o', at('clusters.jsonl')],
      ['search', cut, '--in', at('good.jsonl'), '-o', at('found.jsonl')],
      ['search', at('good.jsonl'), '--in', cut, '-o', at('found-in.jsonl')],
      ['sketch', cut, '-o', at('sketches.jsonl')],
      ['shingles', at('open.json'), '--text'],
      ['checksum', at('open.json')],
      ['tune', '--sample', cut],
      ['compare', `${cut}#1999`, `${cut}#1`],
      ['collapse', cut, '-o', at('collapsed.jsonl')],
      ['filter', cut, '--index', index, '-o', at('passed.jsonl')],
      ['index', 'add', `${index}-2`, cut, '-o', at('verdicts.jsonl')],
    ];
    for (const command of commands) {
      const failed = await call(...command, '--quiet');
      expect([command[0], failed.code, failed.stderr]).toEqual([
        command[0],
        1,
        expect.stringMatching(/^neardup: .*damaged skip.*\n$/),
      ]);
      const [at_, output] = [command.indexOf('-o'), command[command.indexOf('-o') + 1]!];
      if (at_ > 0 && command[0] !== 'filter') expect([output, existsSync(output)]).toEqual([output, false]);
      if (command[0] === 'compare') continue;
      rmSync(at('passed.jsonl'), { force: true });
      const skipped = await call(...command, '--damaged', 'skip', '--quiet');
      expect([command[0], skipped.code, skipped.stderr]).toEqual([
        command[0],
        0,
        expect.stringMatching(/^warning: .*:\d+: cut off: .*; documents read before it: \d+\n$/),
      ]);
    }
  }, 60_000);
});

describe('commands that print or remember while they read', () => {
  const index = (name: string) => at(`index-${name}`);
  const commands = (input: string, name: string): string[][] => [
    ['shingles', input],
    ['checksum', input],
    ['sketch', input],
    ['index', 'add', index(name), input],
    ['filter', input, '--index', index(name)],
  ];

  test.each([
    'cut.jsonl.gz',
    'behind.jsonl.gz',
    'cut.jsonl.zst',
    'broken.parquet',
    'cut.warc',
    'open.json',
    'open.csv',
  ])('print and remember nothing of %s', async name => {
    for (const command of commands(at(name), name)) {
      const { code, stdout, stderr } = await call(...command, '--quiet');
      expect([command[0], code, stdout]).toEqual([command[0], 1, '']);
      expect(stderr).toMatch(/^neardup: .*; documents readable before it: \d+; --damaged skip goes on with/);
      expect(existsSync(index(name))).toBe(false);
    }
  });

  test('print and remember nothing before a reject with --strict, or a file without one document', async () => {
    const bad = put('bad-end.jsonl', `${lines.slice(0, 9).join('')}{"id":1}\n`);
    for (const command of commands(bad, 'strict')) {
      const { code, stdout, stderr } = await call(...command, '--strict', '--quiet');
      expect([command[0], code, stdout, stderr]).toEqual([command[0], 1, '', `neardup: ${bad}:10: text missing\n`]);
    }
    for (const command of ['shingles', 'checksum', 'sketch']) {
      const { code, stdout } = await call(command, at('open-free.jsonl'), at('noise.jsonl'), '--quiet');
      expect([command, code, stdout]).toEqual([command, 1, '']);
    }
    expect(existsSync(index('strict'))).toBe(false);
  });
});

test('all row groups before the damage of a Parquet file are read', async () => {
  const [whole, broken] = [at('whole.parquet.jsonl'), at('broken.jsonl')];
  await call('dedup', at('groups.parquet'), '-o', whole, '--quiet');
  const { code, stderr } = await call('dedup', at('broken.parquet'), '-o', broken, '--damaged', 'skip', '--quiet');
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/:4097: broken Parquet file: .*; documents read before it: 4096\n$/),
  ]);
  const expected = readFileSync(whole, 'utf8').split('\n').slice(0, 4096);
  expect(readFileSync(broken, 'utf8')).toBe(`${expected.join('\n')}\n`);
});

test('a temporary folder that cannot be written to is no damage', () => {
  const args = ['dedup', at('good.parquet'), at('good.jsonl'), '-o', at('no-tmp.jsonl'), '--damaged', 'skip'];
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
    env: { ...process.env, TMPDIR: at('not-there') },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, `neardup: cannot write ${at('not-there')}: no such file or folder\n`]);
});

describe('a file of which not one document can be read', () => {
  test.each(['dedup', 'pairs', 'clusters', 'sketch', 'shingles', 'checksum'])('ends %s with 1', async command => {
    const { code, stderr } = await call(command, at('noise.jsonl'), '--quiet');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^neardup: .*noise.jsonl:1: not JSON; no document .*\n$/),
    ]);
  });

  test('ends a run over good files, too, unless it may be skipped; one that is empty does not', async () => {
    const run = (...more: string[]) => call('dedup', at('good.jsonl'), ...more, '-o', at('out.jsonl'), '--quiet');
    expect((await run(at('noise.warc'))).stderr).toMatch(/noise.warc:1: not a WARC record\n$/);
    expect((await run(at('noise.jsonl'), '--damaged', 'skip')).stderr).toMatch(
      /lines rejected \(first: .*noise.jsonl:1/,
    );
    expect(await run(put('empty.jsonl', '\n \n'))).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await call('dedup', at('empty.jsonl'), '-o', at('out.jsonl'))).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('warning: there is no document in the input\n'),
    });
  });

  test('ends a run that may skip it with 1 when there is no other', async () => {
    for (const name of ['noise.jsonl', 'noise.jsonl.gz']) {
      const { code, stderr } = await call('dedup', at(name), '-o', at('none.jsonl'), '--damaged', 'skip', '--quiet');
      expect([code, stderr]).toEqual([1, expect.stringMatching(/; no document could be read\n$/)]);
      expect(existsSync(at('none.jsonl'))).toBe(false);
    }
  });
});

test('--quiet says in one line a kind what was lost', async () => {
  mkdirSync(at('docs'));
  put('docs/a.txt', 'one two three');
  put('docs/b.rst', 'one two three');
  symlinkSync('nowhere', at('docs/c.txt'));
  const bad = put('bad.jsonl', `${lines[0]}oops\n{}\n`);
  for (const command of ['dedup', 'pairs', 'clusters', 'checksum', 'shingles']) {
    const output = ['checksum', 'shingles'].includes(command) ? [] : ['-o', at(`quiet-${command}`)];
    const { code, stderr } = await call(command, at('docs'), bad, ...output, '--quiet');
    expect([command, code]).toEqual([command, 0]);
    expect(stderr.split('\n')).toEqual([
      `warning: 1 file in ${at('docs')} has an ending neardup does not know and was skipped (1 .rst); --format text reads it`,
      `neardup: 2 lines rejected, 1 broken link (first: ${at('docs/c.txt')}:1: broken link: no such file or folder)`,
      '',
    ]);
  }
});
