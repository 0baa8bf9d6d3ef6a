import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sharedFolder } from '../../../test/support/folder.ts';
import { foreignEnding, outputFormat, readName } from '../name.ts';
import { expandInputs } from './inputs.ts';

const folder = sharedFolder();
beforeAll(async () => {
  await mkdir(join(folder, 'sub/.git'), { recursive: true });
  for (const name of ['b.txt', 'a.jsonl.gz', 'notes.xyz', '.hidden.txt', 'sub/c.md', 'sub/.git/d.txt', 'x[1].csv']) {
    await writeFile(join(folder, name), '');
  }
  await symlink(folder, join(folder, 'sub/round'));
});

const below = async (input: string, format?: 'jsonl') =>
  (await expandInputs([join(folder, input)], format)).map(file => file.path.slice(folder.length + 1));

test('tells format and compression from the name, in any case', () => {
  expect(readName('a/b.JSONL.gz')).toEqual({ format: 'jsonl', compression: 'gzip' });
  expect(readName('b.warc.zst')).toEqual({ format: 'warc', compression: 'zstd' });
  expect(readName('b.gz')).toEqual({ format: undefined, compression: 'gzip' });
  expect(readName('dir.csv/plain')).toEqual({ format: undefined, compression: 'none' });
});

test('writes by the name, else as the input, and one-document files as JSON lines', () => {
  expect(outputFormat('out.csv.gz', 'jsonl')).toBe('csv');
  expect(outputFormat('out', 'parquet')).toBe('parquet');
  expect(outputFormat('-', 'html')).toBe('jsonl');
  expect(outputFormat('out.txt', 'tsv')).toBe('tsv');
});

test('knows endings of formats that are not written, also under a compression', () => {
  for (const path of ['a.xlsx', 'a/B.ORC', 'a.jsonl.bz2', 'a.xlsx.gz', 'a.tar.gz', 'a.feather', 'a.docx.zst'])
    expect(foreignEnding(path), path).toBeDefined();
  for (const path of [
    'a.jsonl',
    'a.out',
    'xlsx',
    'a.xlsx/b',
    'a.xlsx.jsonl',
    'a.b.gz',
    '-',
    'folder.zip/',
    'a.v2',
    '.gz',
  ])
    expect(foreignEnding(path), path).toBeUndefined();
});

test('takes the known files of a folder and its folders, sorted by path, without hidden ones', async () => {
  expect(await below('.')).toEqual(['a.jsonl.gz', 'b.txt', 'sub/c.md', 'x[1].csv']);
});

test('takes every file of a folder when a format is given', async () => {
  expect(await below('.', 'jsonl')).toContain('notes.xyz');
});

test('takes globs, and names with their letters in them as they are', async () => {
  expect(await below('s?b/*.{md,txt}')).toEqual(['sub/c.md']);
  expect(await below('*')).toEqual(['a.jsonl.gz', 'b.txt', 'x[1].csv']);
  expect(await below('x[1].csv')).toEqual(['x[1].csv']);
  expect((await expandInputs([join(folder, 's*/*.md')]))[0]?.relative).toBe('sub/c.md');
});

test('takes a link in a folder that leads nowhere for a reject, and one that is named for an error', async () => {
  const linked = join(folder, 'linked');
  await mkdir(join(linked, 'deep'), { recursive: true });
  await writeFile(join(linked, 'b.txt'), '');
  await symlink(join(folder, 'nowhere.txt'), join(linked, 'c.txt'));
  await symlink('round.txt', join(linked, 'deep/round.txt'));
  // It may have been a folder of documents.
  await symlink('nowhere', join(linked, 'a'));
  await symlink('nowhere', join(linked, '.hidden'));
  const rejects: unknown[] = [];
  const files = await expandInputs([linked], undefined, { brokenLink: reject => rejects.push(reject) });
  expect(files.map(({ path }) => path)).toEqual([join(linked, 'b.txt')]);
  const reason = 'broken link: no such file or folder';
  expect(rejects).toEqual([
    { file: join(linked, 'a'), line: 1, reason },
    { file: join(linked, 'c.txt'), line: 1, reason },
    { file: join(linked, 'deep/round.txt'), line: 1, reason: 'broken link: its links form a circle' },
  ]);
  await expect(expandInputs([linked])).rejects.toThrow(`${join(linked, 'a')}:1: ${reason}`);
  const named = expandInputs([join(linked, 'c.txt')], undefined, { brokenLink: reject => rejects.push(reject) });
  await expect(named).rejects.toThrow(/cannot read .*c.txt: no such file or folder/);
  expect(rejects).toHaveLength(3);
  await rm(linked, { recursive: true });
});

test('takes - as JSON lines on standard input', async () => {
  expect(await expandInputs(['-'])).toMatchObject([{ path: '-', format: 'jsonl' }]);
});

test.each([
  ['missing.jsonl', /cannot read .*missing.jsonl: no such file or folder/],
  ['b.txt/c.txt', /a part of the path is not a folder/],
  ['*.parquet', /the pattern matches no file/],
  ['*.xyz', /the pattern matches no file with a known ending/],
  ['notes.xyz', /the ending tells no format .*--format/],
])('says what is wrong with %s', async (input, message) => {
  await expect(below(input)).rejects.toThrow(message);
});

test('counts the files of a folder whose endings say nothing', async () => {
  const docs = join(folder, 'docs');
  await mkdir(docs);
  for (const name of ['a.rst', 'b.rst', 'c.log', 'LICENSE', 'd.txt', '.hidden.rst'])
    await writeFile(join(docs, name), 'x');
  const warnings: string[] = [];
  const skipped = { unknownEndings: (warning: string) => warnings.push(warning) };
  expect(await expandInputs([docs], undefined, skipped)).toHaveLength(1);
  expect(await expandInputs([join(docs, '*')], undefined, skipped)).toHaveLength(1);
  expect(await expandInputs([docs], 'text', skipped)).toHaveLength(5);
  const counts = 'have endings neardup does not know and were skipped (2 .rst, 1 .log, 1 without ending)';
  expect(warnings).toEqual(
    [docs, join(docs, '*')].map(input => `4 files in ${input} ${counts}; --format text reads them`),
  );
  await rm(join(docs, 'd.txt'));
  await expect(expandInputs([docs])).rejects.toThrow(/only others: 2 .rst, 1 .log, 1 without ending; --format text/);
});
