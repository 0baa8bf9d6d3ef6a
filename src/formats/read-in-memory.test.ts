import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../test/support/folder.ts';
import { expandInputs } from './find/inputs.ts';
import { isDamage, isDocument } from './item.ts';
import { readDocuments } from './read.ts';
import { inMemoryFormat, readInMemory } from './read-in-memory.ts';

const folder = sharedFolder();
const long = `{"id":"long","text":"${'many words '.repeat(200_000)}"}`;

const files: readonly (readonly [name: string, content: string])[] = [
  ['a.jsonl', '\ufeff{"id":1,"text":"one"}\r\n\n{"text":"two"}\nnonsense\n{"id":1790000000000000001,"text":"three"}'],
  ['long.jsonl', `{"id":"first","text":"short"}\n${long}\n{"id":"last","text":"end"}\n`],
  ['a.json', '[{"id":"x","text":"one"}, {"id":"y"},\n{"id":"z","text":"three"}]'],
  ['cut.json', '[{"id":"x","text":"one"}, {"id":"y"'],
  ['a.csv', 'id,text\n1,"one, with ""quotes""\nand a line"\n2,two,three\n3,three'],
  ['open.csv', 'id,text\n1,"one\n2,two'],
  ['none.csv', 'id,body\n1,one'],
  ['a.tsv', 'text\tid\none\t1\n'],
  ['a.txt', 'Plain words.\n'],
  ['a.html', '<p>Seen</p><script>not seen</script>'],
  ['empty.jsonl', ''],
];

test.each(files)('reads %s from memory as it is read from disk', async (name, content) => {
  const path = join(folder, name);
  await writeFile(path, content);
  const fromDisk = [];
  const options = { textField: 'text', idField: 'id', html: 'auto', damaged: 'skip' } as const;
  for await (const item of readDocuments(await expandInputs([path]), options)) fromDisk.push(plain(item));
  const inMemory = [...readInMemory(path, new TextEncoder().encode(content))].flat().map(plain);
  expect(inMemory).toEqual(fromDisk);
});

/** Without what only one of them tells: the bytes of a file that is one document, and how many came before the damage. */
function plain(item: Parameters<typeof isDocument>[0]) {
  if (isDamage(item)) return { ...item.damage, readable: undefined };
  if (!isDocument(item)) return item;
  const { raw, header, ...rest } = item;
  return item.format === 'text' || item.format === 'html' ? rest : { ...rest, raw: raw && Buffer.from(raw).toString() };
}

test('tells the formats that it reads by their names', () => {
  expect(['a.JSONL', 'b/c.htm', 'd.md'].map(inMemoryFormat)).toEqual(['jsonl', 'html', 'text']);
  expect(['a.parquet', 'b.warc', 'c.jsonl.gz', 'd.png'].map(inMemoryFormat)).toEqual(Array(4).fill(undefined));
});
