import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../test/support/folder.ts';
import { reasonOf } from '../files/system-errors.ts';
import { decompress } from './compression/decompress.ts';
import { expandInputs } from './find/inputs.ts';
import { type DocumentItem, isDamage, isReject, type ReadOptions } from './item.ts';
import { readDocuments } from './read.ts';
import type { Format } from './registry.ts';
import { SeenIds } from './seen-ids.ts';

const folder = sharedFolder();

const defaults: ReadOptions = { textField: 'text', idField: 'id', html: 'auto', damaged: 'skip' };

async function read(name: string, content: string | Uint8Array, options: Partial<ReadOptions> = {}, format?: Format) {
  const path = join(folder, name);
  await writeFile(path, content);
  const items: DocumentItem[] = [];
  const rejects: string[] = [];
  const damages: string[] = [];
  for await (const item of readDocuments(await expandInputs([path], format), { ...defaults, ...options })) {
    if (isReject(item)) rejects.push(`${item.reject.line}: ${item.reject.reason}`);
    else if (isDamage(item)) damages.push(`${item.damage.line}: ${item.damage.reason}`);
    else items.push(item);
  }
  return { items, documents: items.map(item => item.document), rejects, damages, path };
}

test('reads JSON lines, with their other fields and their bytes', async () => {
  const { items, rejects } = await read(
    'a.jsonl',
    '{"id":"x","text":"one","more":{"deep":[1]}}\r\n\n  \n{"text":"two"}',
  );
  expect(rejects).toEqual([]);
  expect(items[0]).toMatchObject({
    document: { id: 'x', text: 'one', more: { deep: [1] } },
    source: { file: join(folder, 'a.jsonl'), line: 1 },
  });
  expect(Buffer.from(items[0]!.raw!).toString()).toBe('{"id":"x","text":"one","more":{"deep":[1]}}\r');
  expect(items[1]?.document.id).toBe(`${join(folder, 'a.jsonl')}:4`);
});

test('names every line that is no document, and goes on', async () => {
  const lines = [
    '{"id":1,"text":"good"}',
    'nonsense',
    '[1]',
    '{"id":2}',
    '{"id":3,"text":7}',
    '{"id":[],"text":"x"}',
    `{"id":4,"text":"${'x'.repeat(100)}"}`,
    `{"id":5,"text":"x","y":${'['.repeat(600)}${']'.repeat(600)}}`,
    '{"id":6,"text":"good"}',
  ];
  const { documents, rejects } = await read('bad.jsonl', lines.join('\n'), { maxDocument: 110 });
  expect(documents.map(({ id }) => id)).toEqual(['1', expect.stringMatching(/bad.jsonl:6$/), '6']);
  expect(rejects).toEqual([
    '2: not JSON',
    '3: not an object',
    '4: text missing',
    '5: text is not a string',
    '7: too large: over 110 bytes',
    '8: too large: over 110 bytes',
  ]);
  const deep = await read('deep.jsonl', lines[7]!);
  expect(deep.rejects).toEqual(['1: nested more than 500 levels deep']);
});

test('the first reject fails a strict run, with file, line and reason', async () => {
  await expect(read('strict.jsonl', '{"text":"a"}\n{}', { strict: true })).rejects.toThrow(
    /strict.jsonl:2: text missing/,
  );
});

test('takes a number as id in all its digits', async () => {
  const ids = ['7', '-3', '1.5', '12345678901234567890', '12345678901234567891', '1e21'];
  const { documents } = await read('ids.jsonl', ids.map(id => `{"id":${id},"text":""}`).join('\n'));
  expect(documents.map(({ id }) => id)).toEqual(ids);
});

test('takes other fields as text, id and set', async () => {
  const options = { textField: 'body', idField: 'url' };
  const { documents } = await read('fields.jsonl', '{"url":"u","body":"b","text":9,"__proto__":1}', options);
  expect(documents).toMatchObject([{ id: 'u', text: 'b', url: 'u', body: 'b' }]);
  const sets = await read('sets.jsonl', '{"id":1,"s":["a",2]}\n{"id":2,"s":[null]}\n{"id":3,"s":"a"}\n{"id":4}', {
    setField: 's',
  });
  expect(sets.documents).toEqual([{ id: '1', s: ['a', 2], set: ['a', 2] }]);
  expect(sets.rejects).toHaveLength(3);
  expect(sets.rejects[2]).toBe('4: set missing (field "s")');
});

test('replaces invalid UTF-8 and leaves out a byte-order mark', async () => {
  const bytes = Buffer.concat([Buffer.from('\ufeff{"id":"a","text":"x'), Buffer.of(0xff), Buffer.from('"}\n')]);
  const { documents, rejects } = await read('utf8.jsonl', bytes);
  expect(documents).toEqual([{ id: 'a', text: 'x\ufffd' }]);
  expect(rejects).toEqual([]);
});

test('reads a JSON array, pretty-printed or not', async () => {
  const records = [{ id: 'a', text: 'x [}' }, 5, { id: 'b', text: 'y' }];
  for (const indent of [0, 2]) {
    const { documents, rejects } = await read('array.json', JSON.stringify(records, null, indent));
    expect(documents).toEqual([records[0], records[2]]);
    expect(rejects).toEqual(['2: not an object']);
  }
  expect((await read('object.json', '{"text":"x"}')).damages[0]).toMatch(/^1: not a JSON array/);
});

test('reads CSV and TSV with quotes, newlines and all values as strings', async () => {
  const csv = await read('a.csv', '\ufeffid,text,n,n\r\n1,"one, ""two""\r\nthree",007,x\r\n\r\n,four,,\r\nbad\r\n');
  expect(csv.documents).toEqual([
    { id: '1', text: 'one, "two"\r\nthree', n: '007', n_2: 'x' },
    { id: `${csv.path}:5`, text: 'four', n: '', n_2: '' },
  ]);
  expect(csv.rejects).toEqual(['6: has 1 fields, the header has 4']);
  expect((await read('a.tsv', 'id\ttext\n1\ta,b\n')).documents).toEqual([{ id: '1', text: 'a,b' }]);
});

test('says once that a table has no text column, and which it has', async () => {
  const { rejects } = await read('b.csv', 'id,body\n1,x\n2,y\n');
  expect(rejects).toEqual(['1: text missing: no column "text" among id, body']);
});

test('reads one-document files with their path as id, and HTML as text', async () => {
  const txt = await read('one.txt', '\ufeffAll  of it\n');
  expect(txt.documents).toEqual([{ id: txt.path, text: 'All  of it\n' }]);
  const page = '<meta charset=latin1><p>caf\xe9<script>1</script>';
  const html = await read('page.html', Buffer.from(page, 'latin1'));
  expect(html.documents[0]?.text).toBe('café');
  expect((await read('page.html', '<p>a', { html: 'never' })).documents[0]?.text).toBe('<p>a');
  expect((await read('page.txt', '<p>a', { html: 'always' })).documents[0]?.text).toBe('a');
  expect((await read('big.md', 'x'.repeat(11), { maxDocument: 10 })).rejects).toEqual(['1: too large: over 10 bytes']);
});

test('turns text fields into text only with --html always', async () => {
  const line = '{"id":1,"text":"<b>a</b>"}';
  expect((await read('h.jsonl', line)).documents[0]?.text).toBe('<b>a</b>');
  expect((await read('h.jsonl', line, { html: 'always' })).documents[0]?.text).toBe('a');
});

const lines = Array.from({ length: 5000 }, (_, index) => `{"id":${index},"text":"number ${index * index}"}\n`);

test('reads gzip, also of several members', async () => {
  const bytes = Buffer.concat([gzipSync(lines.slice(0, 99).join('')), gzipSync(lines.slice(99).join(''))]);
  const { documents, rejects } = await read('a.jsonl.gz', bytes);
  expect(documents).toHaveLength(5000);
  expect(rejects).toEqual([]);
});

test('uses what is readable of a gzip file that was cut off, wherever the cut is', async () => {
  const bytes = gzipSync(lines.join(''));
  for (const share of [0.1, 0.5, 0.9, 0.9999]) {
    const { documents, damages } = await read('cut.jsonl.gz', bytes.subarray(0, Math.floor(bytes.length * share)));
    expect(documents.length).toBeGreaterThan(5000 * share - 1500);
    expect(damages).toEqual([`${documents.length + 1}: cut off: the gzip data ends too early`]);
  }
  expect((await read('no.jsonl.gz', 'plain text')).damages).toEqual(['1: not gzip data']);
});

test('reads every line before the bytes that follow the end of a gzip, and names their place', async () => {
  const bytes = gzipSync(lines.join(''));
  for (const rest of ['garbage', 'x', `\0\0\0${'more '.repeat(50_000)}`]) {
    const { documents, damages } = await read('rest.jsonl.gz', Buffer.concat([bytes, Buffer.from(rest)]));
    const place = bytes.length + (rest.startsWith('\0') ? 4 : 2); // a header is told to be none at its second byte
    const cut = 'cut off: the gzip data ends too early'; // one byte may be the start of another member
    const behind = `bytes after the end of the gzip data (near byte ${place})`;
    expect(documents).toHaveLength(5000);
    expect(damages).toEqual([`5001: ${rest === 'x' ? cut : behind}`]);
  }
});

test('passes over zeros after the end of a gzip, as gzip does', async () => {
  const bytes = gzipSync(lines.join(''));
  for (const zeros of [1, 512, 200_000]) {
    const { documents, damages } = await read('padded.jsonl.gz', Buffer.concat([bytes, Buffer.alloc(zeros)]));
    expect(documents).toHaveLength(5000);
    expect(damages).toEqual([]);
  }
  const behind = await read('two.jsonl.gz', Buffer.concat([bytes, Buffer.alloc(70_000), bytes]));
  expect(behind.documents).toHaveLength(5000);
  expect(behind.damages).toEqual([`5001: bytes after the end of the gzip data (near byte ${bytes.length + 70_001})`]);
});

test('a damaged file ends the reading, and the line says what is left to do', async () => {
  const cut = gzipSync(lines.join('')).subarray(0, 20_000);
  const { documents } = await read('cut.jsonl.gz', cut);
  await expect(read('cut.jsonl.gz', cut, { damaged: 'fail' })).rejects.toThrow(
    `cut.jsonl.gz:${documents.length + 1}: cut off: the gzip data ends too early; ` +
      `documents readable before it: ${documents.length}; --damaged skip goes on with those`,
  );
  await expect(read('array.json', '[{"text":"a"},{"te', { damaged: 'fail' })).rejects.toThrow(
    /array.json:2: cut off: the JSON array is never closed; documents readable before it: 1;/,
  );
  await expect(read('quote.csv', 'text\na\n"b', { damaged: 'fail' })).rejects.toThrow(
    /quote.csv:3: a quoted field is never closed; documents readable before it: 1;/,
  );
});

test('a file of which every record was rejected ends the reading, and says what it is', async () => {
  const failing = (name: string, content: string | Uint8Array) =>
    read(name, content, { damaged: 'fail' }).then(
      () => 'no error',
      error => error.message.slice(folder.length + 1),
    );
  const line = '{"id":1,"text":"a"}\n';
  expect(await failing('a.jsonl', gzipSync(line))).toBe(
    `a.jsonl: is gzip data: rename it to ${join(folder, 'a.jsonl.gz')}`,
  );
  expect(await failing('a.jsonl.gz', frame)).toMatch(/is Zstandard data: rename it to .*a.jsonl.zst; documents/);
  expect(await failing('p.csv', 'PAR1 and so on\n')).toMatch(/is a Parquet file: say --format parquet/);
  expect(await failing('w.jsonl', Buffer.from(`\ufeff${line}`, 'utf16le'))).toMatch(/is UTF-16 text.*UTF-16LE/);
  expect(await failing('b.jsonl', Buffer.from(line, 'utf16le'))).toMatch(/is UTF-16 text.*UTF-16LE/);
  expect(await failing('c.jsonl', '{"body":"a"}\n')).toBe('c.jsonl: no document has a field "text"; fields seen: body');
  expect(await failing('d.jsonl', 'a\nb\n')).toBe('d.jsonl:1: not JSON; no document could be read, 2 were rejected');
  expect(await failing('e.csv', 'body\na\n')).toBe('e.csv:1: text missing: no column "text" among body');
  for (const [name, empty] of [
    ['f.jsonl', ' \n\n'],
    ['f.json', ''],
    ['f.csv', ''],
    ['f.jsonl.gz', ''],
  ] as const)
    expect(await failing(name, empty)).toBe('no error');
});

// What the zstd command makes of one line.
const frame = Buffer.from('28b52ffd0058b100007b226964223a2261222c2274657874223a2278227d0a', 'hex');

test('reads Zstandard, several frames, and what is readable of a file that was cut off', async () => {
  const two = await read('a.jsonl.zst', Buffer.concat([frame, frame]));
  expect(two.documents).toEqual(Array(2).fill({ id: 'a', text: 'x' }));
  const cut = await read('cut.jsonl.zst', Buffer.concat([frame, frame.subarray(0, 20)]));
  expect(cut.documents).toHaveLength(1);
  expect(cut.damages).toEqual(['2: cut off: the zstd data ends too early']);
});

test('stops a decompression bomb', async () => {
  async function* chunks() {
    yield gzipSync(Buffer.alloc(20_000_000));
  }
  let size = 0;
  const inflate = async () => {
    const limits = { freeBytes: 1_000_000, maxRatio: 100 };
    const bomb = { compression: 'gzip', open: chunks } as const;
    for await (const chunk of decompress(bomb, limits)) size += chunk.length;
  };
  await expect(inflate()).rejects.toThrow(/a decompression bomb: it grows to more than 100 times/);
  expect(size).toBeLessThan(5_000_000);
});

test('a huge line is a reject and the next one is read', async () => {
  const { documents, rejects } = await read(
    'huge.jsonl',
    `{"text":"${'x'.repeat(3_000_000)}"}\n{"id":"b","text":"y"}`,
    {
      maxDocument: 1_000_000,
    },
  );
  expect(documents).toEqual([{ id: 'b', text: 'y' }]);
  expect(rejects).toEqual(['1: too large: over 1000000 bytes']);
});

test('--format overrides the name', async () => {
  expect((await read('data.txt', '{"id":"a","text":"x"}', {}, 'jsonl')).documents).toEqual([{ id: 'a', text: 'x' }]);
});

test('says in plain words why a file cannot be read', async () => {
  await symlink('loop.jsonl', join(folder, 'loop.jsonl'));
  await expect(expandInputs([join(folder, 'loop.jsonl')])).rejects.toThrow(
    /cannot read .*loop.jsonl: its links form a circle/,
  );
  expect(reasonOf(Object.assign(new Error('EACCES'), { code: 'EACCES' }))).toBe('permission denied');
});

test('a file that disappears before it is read is an error, not a crash', async () => {
  const files = [
    { path: join(folder, 'gone.jsonl'), format: 'jsonl', compression: 'none', relative: 'gone.jsonl' },
  ] as const;
  await expect(readDocuments(files, defaults).next()).rejects.toThrow(/cannot read .*: no such file or folder/);
});

test('tells repeated ids', () => {
  const seen = new SeenIds();
  expect([seen.add('a'), seen.add('b'), seen.add('a')]).toEqual([true, true, false]);
});

test('keeps all digits of large numbers in a set, and nothing else is taken for one', async () => {
  const line =
    '{"id":"a","set":[9007199254740993,-18446744073709551615,0.1234567890123456789,"[12345678901234567890,","\\"1"]}';
  const { documents } = await read('numbers.jsonl', line, { setField: 'set' });
  expect(documents[0]!.set).toEqual([
    '9007199254740993',
    '-18446744073709551615',
    0.12345678901234568,
    '[12345678901234567890,',
    '"1',
  ]);
});
