import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/folder.ts';
import { discard, pendingFolder, putInPlace } from '../files/temporary.ts';
import { expandInputs } from './find/inputs.ts';
import { type DocumentItem, type Fields, isDocument } from './item.ts';
import { encodeJson } from './json/encode-json.ts';
import { readName } from './name.ts';
import { readDocuments } from './read.ts';
import { openWriter } from './write.ts';
import { copyInto } from './write-copies.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function read(...names: string[]): Promise<DocumentItem[]> {
  const items: DocumentItem[] = [];
  const files = await expandInputs(names.map(name => join(folder, name)));
  for await (const item of readDocuments(files, { textField: 'text', idField: 'id', html: 'auto' })) {
    if (!isDocument(item)) throw new Error('not a document');
    items.push(item);
  }
  return items;
}

async function write(name: string, items: readonly DocumentItem[], added?: Fields): Promise<string> {
  const writer = await openWriter(join(folder, name), readName(name).format!);
  try {
    for (const item of items) await writer.write(item, added);
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  return readFile(join(folder, name), 'latin1');
}

const put = (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content);

test.each([
  ['a.jsonl', '{ "id" : 1,"text":"\\u0061", "n": 1.0}\r\n{"id":12345678901234567890,"text":"b"}\n'],
  ['a.csv', 'id,text\r\n1,"quoted"\r\n2,"two\r\nlines"\r\n'],
  ['a.tsv', 'id\ttext\n1\ta,b\n'],
])('copies %s byte for byte', async (name, content) => {
  await put(name, content);
  expect(await write(`out-${name}`, await read(name))).toBe(content);
});

test('copies JSON lines into an array and back without touching a number', async () => {
  const content = '{"id":"a","text":"x","n":1.0}\n{"id":"b","text":"y","n":12345678901234567890}\n';
  await put('a.jsonl', content);
  await write('b.json', await read('a.jsonl'));
  expect(await write('c.jsonl', await read('b.json'))).toBe(content);
  await put('pretty.json', '[\n  {\n    "id": "a",\r\n    "text": "x"\n  }\n]');
  expect(JSON.parse(await write('d.jsonl', await read('pretty.json')))).toEqual({ id: 'a', text: 'x' });
  expect(await write('empty.json', [])).toBe('[]\n');
});

test('adds fields to JSON without touching the others, and replaces one that is there', async () => {
  await put('a.jsonl', '{"id":1,"text":"x","n":1.0} \r\n{"id":2,"text":"y","neardup":0}\n');
  expect(await write('b.jsonl', await read('a.jsonl'), { neardup: { size: 2 } })).toBe(
    '{"id":1,"text":"x","n":1.0,"neardup":{"size":2}} \r\n{"id":2,"text":"y","neardup":{"size":2}}\n',
  );
});

test('replaces a field without touching a number of the others', async () => {
  const joined = '\ufeff{"id":1,"text":"x", "neardup" : 7,"n":1e400, "neardup":8}';
  await put('a.jsonl', `{"id":0,"text":"w"}\n${joined}\n{ }\n`.replace('{ }\n', ''));
  expect(await write('b.jsonl', await read('a.jsonl'), { neardup: 1, added: 2 })).toBe(
    `{"id":0,"text":"w","neardup":1,"added":2}\n${Buffer.from('\ufeff').toString('latin1')}` +
      '{"id":1,"text":"x", "neardup" : 1,"n":1e400, "neardup":1,"added":2}\n',
  );
});

const NUMBERS = '1790000000000000001 1.0 1e400 -0 1.10 0.1000000000000000055 12345678901234567890123 1E+2 5'.split(' ');

test.each(['b.csv', 'b.tsv'])('writes numbers to %s digit for digit, nested ones too', async name => {
  const line = (n: string, id: number) => `{"id":${id},"text":"t","n":${n},"deep":{ "2" : [ ${n} ] , "1":"a  b"}}`;
  await put('a.jsonl', NUMBERS.map(line).join('\n'));
  await write(name, await read('a.jsonl'));
  const records = (await read(name)).map(({ record }) => record);
  expect(records).toEqual(NUMBERS.map((n, id) => ({ id: String(id), text: 't', n, deep: `{"2":[${n}],"1":"a  b"}` })));
});

test('writes CSV from records with different fields', async () => {
  await put('a.jsonl', '{"id":1,"text":"a,b"}\n{"id":2,"text":"c","tags":["x"],"none":null}\n');
  expect(await write('b.csv', await read('a.jsonl'))).toBe('id,text,tags,none\n1,"a,b",,\n2,c,"[""x""]",\n');
  expect(await readdir(folder)).toEqual(['a.jsonl', 'b.csv']);
});

test('adds a column to CSV, and says so when inputs of different columns do not go together', async () => {
  await put('a.csv', 'id,text\n1,x\n');
  await put('b.csv', 'text,id\ny,2\n');
  expect(await write('c.csv', await read('a.csv'), { mark: true })).toBe('id,text,mark\n1,x,true\n');
  await expect(write('d.csv', await read('a.csv', 'b.csv'))).rejects.toThrow(/different columns; write JSON lines/);
});

test.each(['a.jsonl.gz', 'a.jsonl.zst', 'a.csv.gz', 'a.json.zst'])('writes %s so that it reads back', async name => {
  const lines = Array.from({ length: 3000 }, (_, id) => JSON.stringify({ id: String(id), text: `${id} `.repeat(50) }));
  await put('in.jsonl', lines.join('\n'));
  const items = await read('in.jsonl');
  await write(name, items);
  expect((await read(name)).map(item => item.document)).toEqual(items.map(item => item.document));
  expect((await stat(join(folder, name))).size).toBeLessThan(200_000);
});

test('writes WARC records as they were, each a gzip member of its own', async () => {
  const record = (id: string) =>
    `WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: ${id}\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\nx\r\n\r\n`;
  await put('a.warc.gz', gzipSync(record('a') + record('b')));
  const items = await read('a.warc.gz');
  expect(await write('b.warc', items.slice(1))).toBe(record('b'));
  const compressed = Buffer.from(await write('c.warc.gz', items), 'latin1');
  expect(gunzipSync(compressed).toString()).toBe(record('a') + record('b'));
  await expect(write('d.warc', items, { mark: 1 })).rejects.toThrow(/only unchanged records/);
});

test('a file appears only when the writer is closed, and nothing is left when it is given up', async () => {
  await put('out.jsonl', 'old');
  const writer = await openWriter(join(folder, 'out.jsonl'), 'jsonl');
  await writer.write({ record: { id: 'a', text: 'new' } });
  expect(await readFile(join(folder, 'out.jsonl'), 'utf8')).toBe('old');
  await writer.abort();
  expect(await readdir(folder)).toEqual(['out.jsonl']);
  const csv = await openWriter(join(folder, 'out.csv'), 'csv');
  await csv.write({ record: { id: 'a', text: 'new' } });
  await csv.abort();
  expect(await readdir(folder)).toEqual(['out.jsonl']);
});

test('writes through a link, and into a device instead of replacing it', async () => {
  await put('real.jsonl', '');
  await symlink('real.jsonl', join(folder, 'link.jsonl'));
  await write('link.jsonl', await read('real.jsonl'));
  expect((await readdir(folder)).sort()).toEqual(['link.jsonl', 'real.jsonl']);
  const writer = await openWriter('/dev/null', 'jsonl');
  await writer.write({ record: { id: 'a' } });
  await writer.close();
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
});

test('says in plain words why a file cannot be written', async () => {
  await expect(openWriter(join(folder, 'no/such/out.jsonl'), 'jsonl')).rejects.toThrow(
    /cannot write .*out.jsonl: no such file or folder/,
  );
  await expect(openWriter(folder, 'jsonl')).rejects.toThrow(/it is a folder/);
});

test('copies one-document files into a folder, two of one name too', async () => {
  await mkdir(join(folder, 'in/sub'), { recursive: true });
  await mkdir(join(folder, 'other'));
  for (const name of ['in/a.txt', 'in/sub/b.html', 'other/a.txt']) await put(name, name);
  const copyAll = async (target: string, ...inputs: string[]) => {
    const staged = await pendingFolder(target);
    const copy = copyInto(staged.path);
    for (const file of await expandInputs(inputs.map(name => join(folder, name)))) await copy(file);
    return staged;
  };
  const staged = await copyAll(`${join(folder, 'out')}/`, 'in', 'other/a.txt');
  expect(await readdir(folder)).not.toContain('out');
  await putInPlace([staged]);
  discard(staged);
  expect(await readFile(join(folder, 'out/sub/b.html'), 'utf8')).toBe('in/sub/b.html');
  expect(await readFile(join(folder, 'out', folder, 'other/a.txt'), 'utf8')).toBe('other/a.txt');

  const more = await copyAll(join(folder, 'out'), 'in/sub/b.html');
  await putInPlace([more]);
  discard(more);
  expect((await readdir(join(folder, 'out'))).sort()).toEqual(['a.txt', 'b.html', 'sub', 'tmp']);
  expect((await readdir(folder)).sort()).toEqual(['in', 'other', 'out']);
});

test('encodes JSON as JSON.stringify does, and bigints with all their digits', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(encodeJson(value)).toBe(JSON.stringify(value));
    }),
  );
  expect(encodeJson({ a: 2n ** 70n, b: undefined, c: [undefined], d: new Date(0) })).toBe(
    '{"a":1180591620717411303424,"c":[null],"d":"1970-01-01T00:00:00.000Z"}',
  );
});
