import { expect, test } from 'vitest';
import { decodeHtml, decodeText } from './charset.ts';

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

test('reads a page in the charset its meta element names', () => {
  expect(decodeHtml(latin1('<meta charset="iso-8859-1"><p>café'))).toContain('café');
  expect(
    decodeHtml(latin1('<META http-equiv=Content-Type content="text/html; charset=windows-1252"><p>café\x80')),
  ).toContain('café€');
});

test('lets the charset of the HTTP header win over the one in the page', () => {
  expect(decodeHtml(latin1('<meta charset="utf-8">caf\xe9'), 'windows-1252')).toContain('café');
});

test('lets a byte-order mark win over everything, and leaves it out', () => {
  const utf16 = Buffer.from('\ufeff<meta charset="iso-8859-1">café', 'utf16le');
  expect(decodeHtml(utf16, 'koi8-r')).toBe('<meta charset="iso-8859-1">café');
  expect(decodeText(Buffer.from('\ufeffcafé'))).toBe('café');
  expect(decodeText(Buffer.from('\ufeffcafé', 'utf16le').swap16())).toBe('café');
});

test('takes UTF-8 when no charset, or one nobody knows, is named', () => {
  expect(decodeHtml(Buffer.from('<p>café'))).toBe('<p>café');
  expect(decodeHtml(Buffer.from('<meta charset=klingon>café'))).toContain('café');
  expect(decodeHtml(Buffer.from('<meta charset=utf-16>café'))).toContain('café');
});

test('replaces bytes that are no UTF-8', () => {
  expect(decodeText(Uint8Array.of(0x61, 0xff, 0x62, 0xc3))).toBe('a\ufffdb\ufffd');
});
