import { expect, it } from 'vitest';
import { compress, compressiblePart, Entry, encodeDocument, encodeEntry, packed, withCompressed } from './record.ts';

const entryOf = (id: string, document: Parameters<typeof encodeEntry>[1]['document']) =>
  Entry.checked(7, encodeEntry(7, { verdict: { id, status: 'new' }, content: 0n, document }));

it.each([
  '{"id":1790000000000000001,"text":"x"}',
  '{"id":"1790000000000000001","text":"x"}',
  '{"id":0,"text":"x"}',
  '{"id":1,"text":"x","n":1.0}',
  '{"n":1e400,"text":"x","id":"a","deep":{ "n": [ 1.10, 1790000000000000001 ] }}',
  '{"id":"a","text":"half \\ud800","n":1.0}',
  '{"id":"a","text":"","__proto__":1.0}',
  '{"id":"a","set":[1.0,1790000000000000001,"1790000000000000001",2]}',
  '{"id":"a","set":["x",2],"n":1.0}',
])('gives %s back as it was written', json => {
  const parsed = JSON.parse(json);
  const id = typeof parsed.id === 'number' ? /\d+/.exec(json)![0] : parsed.id;
  const set = parsed.set && {
    set: parsed.set[1] > 2 ** 53 ? [1, '1790000000000000001', '1790000000000000001', 2] : parsed.set,
  };
  const document = { ...parsed, id, ...set };
  const entry = entryOf(id, encodeDocument(document, undefined, json));
  expect(entry.json).toBe(json);
  expect(entry.document).toEqual(document);
  expect(entryOf(id, entry.encoded).json).toBe(json);
});

it('does not take a field for the set or the id it is not', () => {
  const document = { id: 'key', set: ['a'], key: 'key', other: ['a'] };
  const json = '{"id":5,"set":[1.0],"key":"key","other":["a"]}';
  expect(entryOf('key', encodeDocument(document, undefined, json)).json).toBe(
    '{"id":"key","set":["a"],"key":"key","other":["a"]}',
  );
});

it('reads entries that were written without their JSON text', () => {
  const fields = Buffer.from('{"n":1.5,"id":0,"text":0}');
  const entry = entryOf('17', { fields, body: Buffer.from('x'), flags: 4 | 32 });
  expect(entry.document).toEqual({ n: 1.5, id: '17', text: 'x' });
  expect(entry.json).toBe('{"n":1.5,"id":"17","text":"x"}');
});

it.each([
  { id: 'a', text: 'many words '.repeat(1000) },
  { id: 'a', text: 'many words '.repeat(1000), n: 1, note: 'other fields' },
  { id: 'a', set: Array.from({ length: 500 }, (_, at) => `element ${at}`) },
  { id: 'a', text: 'short' },
])('gives the same entry, compressed before it is written or when', document => {
  const encoded = encodeDocument(document);
  const plain = entryOf('a', encoded).bytes;
  const part = compressiblePart(plain);
  const early = entryOf('a', packed(encoded));
  expect(early.bytes).toEqual(part.length === 0 ? plain : withCompressed(7, plain, compress(part)));
  expect(compressiblePart(early.bytes)).toHaveLength(0);
  expect(early.document).toEqual(document);
  expect(entryOf('a', early.encoded).document).toEqual(document);
});
