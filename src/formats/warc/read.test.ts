import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../../test/support/folder.ts';
import { expandInputs } from '../find/inputs.ts';
import { type DocumentItem, isDamage, isReject, type ReadOptions } from '../item.ts';
import { readDocuments } from '../read.ts';
import { ByteReader } from './byte-reader.ts';

const folder = sharedFolder();

async function read(name: string, content: Uint8Array, options: Partial<ReadOptions> = {}) {
  await writeFile(join(folder, name), content);
  const files = await expandInputs([join(folder, name)]);
  const items: DocumentItem[] = [];
  const rejects: string[] = [];
  const damages: string[] = [];
  for await (const item of readDocuments(files, {
    textField: 'text',
    idField: 'id',
    html: 'auto',
    damaged: 'skip',
    ...options,
  })) {
    if (isReject(item)) rejects.push(`${item.reject.line}: ${item.reject.reason}`);
    else if (isDamage(item)) damages.push(`${item.damage.line}: ${item.damage.reason}`);
    else items.push(item);
  }
  return { items, rejects, damages, texts: items.map(item => [item.document.id, item.document.text]) };
}

const bytes = (text: string | Uint8Array) => (typeof text === 'string' ? Buffer.from(text) : text);

function record(type: string, uri: string, contentType: string, block: string | Uint8Array): Buffer {
  const content = bytes(block);
  const head =
    `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: ${uri}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n` +
    `Content-Type: ${contentType}\r\nContent-Length: ${content.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n\r\n')]);
}

function page(uri: string, body: string | Uint8Array, headers = 'Content-Type: text/html; charset=utf-8'): Buffer {
  const block = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`), bytes(body)]);
  return record('response', uri, 'application/http; msgtype=response', block);
}

const HTML = 'Content-Type: text/html';

test('reads the pages and texts of a WARC file, and passes over the rest', async () => {
  const file = Buffer.concat([
    record('warcinfo', '', 'application/warc-fields', 'software: x\r\n'),
    record('request', 'http://a/', 'application/http; msgtype=request', 'GET / HTTP/1.1\r\n\r\n'),
    page('http://a/', '<title>A</title><p>café</p>'),
    page('http://a/logo.png', Buffer.of(0x89, 0x50), 'Content-Type: image/png'),
    page('http://a/robots.txt', 'User-agent: <b>', 'Content-Type: text/plain'),
    record('conversion', '<http://b/>', 'text/plain', 'plain text'),
    record('resource', 'http://c/', 'text/html', '<p>c'),
    record('response', 'dns:a', 'text/dns', '1.2.3.4'),
  ]);
  const { texts, rejects, items } = await read('a.warc', file);
  expect(texts).toEqual([
    ['http://a/', 'A café'],
    ['http://a/robots.txt', 'User-agent: <b>'],
    ['http://b/', 'plain text'],
    ['http://c/', 'c'],
  ]);
  expect(rejects).toEqual([]);
  expect(items[0]).toMatchObject({
    source: { line: 3 },
    record: { date: '2024-01-01T00:00:00Z', status: 200, contentType: 'text/html; charset=utf-8' },
  });
  expect(Buffer.from(items[0]!.raw!)).toEqual(page('http://a/', '<title>A</title><p>café</p>'));
});

test('undoes chunks and compression of the transfer', async () => {
  const chunked = (body: Uint8Array) =>
    Buffer.concat([Buffer.from(`${body.length.toString(16)};x=1\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
  const html = Buffer.from('<p>text');
  const encoded = (name: string) => `${HTML}\r\nContent-Encoding: ${name}`;
  const file = Buffer.concat([
    page('chunked', '3\r\n<p>\r\n4\r\ntext\r\n0\r\n\r\n', `${HTML}\r\nTransfer-Encoding: chunked`),
    page('both', chunked(gzipSync(html)), `${encoded('gzip')}\r\nTransfer-Encoding: chunked`),
    page('said to be chunked', html, `${HTML}\r\nTransfer-Encoding: chunked`),
    page('said to be gzip', html, encoded('gzip')),
    page('bare deflate', deflateRawSync(html), encoded('deflate')),
    page('brotli', brotliCompressSync(html), encoded('br')),
    page('folded', html, 'content-TYPE:\r\n text/html'),
    page('no type', '<!doctype html><p>text', 'Server: x'),
  ]);
  const { texts, rejects } = await read('b.warc', file);
  expect(texts.map(([, text]) => text)).toEqual(Array(8).fill('text'));
  expect(rejects).toEqual([]);
});

test('reads the charset from the HTTP header', async () => {
  const body = Buffer.from('<p>caf\xe9', 'latin1');
  expect((await read('c.warc', page('a', body, `${HTML}; charset=ISO-8859-1`))).texts).toEqual([['a', 'café']]);
});

test('takes a page as it is with --html never', async () => {
  expect((await read('d.warc', page('a', '<p>x'), { html: 'never' })).texts).toEqual([['a', '<p>x']]);
});

test('reads a gzip member for each record, and what is readable of a file that was cut off', async () => {
  const file = Buffer.concat([page('a', '<p>a'), page('b', '<p>b')].map(one => gzipSync(one)));
  expect((await read('e.warc.gz', file)).texts).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ]);
  const cut = await read('f.warc.gz', file.subarray(0, -20));
  expect(cut.texts).toEqual([['a', 'a']]);
  expect(cut.damages).toEqual(['2: cut off: the gzip data ends too early']);
  const plain = await read('g.warc', Buffer.concat([page('a', '<p>a'), page('b', '<p>b').subarray(0, -10)]));
  expect(plain.texts).toEqual([['a', 'a']]);
  expect(plain.damages).toEqual(['2: cut off: the file ends within a WARC record']);
});

test('names broken records once each, and finds the next good one', async () => {
  const wrongLength = page('short', '<p>one\r\ntwo\r\n')
    .toString()
    .replace(/Content-Length: \d+/, 'Content-Length: 60');
  const noLength = page('none', '<p>x')
    .toString()
    .replace(/Content-Length: \d+\r\n/, '');
  const file = Buffer.concat([
    ...['garbage\nmore of it\n', wrongLength, noLength].map(bytes),
    page('big', `<p>${'x'.repeat(5000)}`),
    record('response', 'no http', 'application/http', 'nothing'),
    page('bomb', gzipSync(Buffer.alloc(100_000)), `${HTML}\r\nContent-Encoding: gzip`),
    page('broken', gzipSync('<p>abc').fill(255, 10), `${HTML}\r\nContent-Encoding: gzip`),
    page('good', '<p>good'),
  ]);
  const { texts, rejects } = await read('h.warc', file, { maxDocument: 2000 });
  expect(texts.at(-1)).toEqual(['good', 'good']);
  expect(rejects.map(reject => reject.replace(/^\d+: /, ''))).toEqual([
    'not a WARC record',
    'not a WARC record',
    'broken WARC record: no Content-Length',
    'not a WARC record',
    'too large: over 2000 bytes',
    'broken WARC record: not an HTTP response',
    'too large: over 2000 bytes',
    'broken gzip content in a WARC record',
  ]);
});

test('survives any bytes at all', async () => {
  const good = page('good', '<p>good');
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(good.length), async (noise, at) => {
      await read('noise.warc', Buffer.concat([good.subarray(0, at), noise, good.subarray(at)]));
    }),
    { numRuns: 50 },
  );
});

test('lines and blocks come out whole, wherever the chunks are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 9 })), fc.nat(20), async (chunks, size) => {
      const all = Buffer.concat(chunks);
      async function* source() {
        yield* chunks;
      }
      const reader = new ByteReader(source());
      const block = await reader.block(size);
      expect(Buffer.from(block)).toEqual(all.subarray(0, size));
      const newline = all.indexOf('\n', size);
      const line = all.subarray(size, newline === -1 ? all.length : newline + 1);
      expect(Buffer.from((await reader.line(1000)) ?? [])).toEqual(line);
      let left = 0;
      for (let some = await reader.some(7); some; some = await reader.some(7)) left += some.length;
      expect(left).toBe(Math.max(0, all.length - size - line.length));
    }),
  );
});
