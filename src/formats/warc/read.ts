/** A WARC file → items: the pages and texts in it, with their address as id. */
import { decodeHtml, decodeText } from '../../text/charset.ts';
import { htmlToText } from '../../text/html.ts';
import { readBytes } from '../bytes.ts';
import { BrokenInput } from '../compression/codec.ts';
import type { InputFile } from '../find/inputs.ts';
import { damageItem, type Item, rejectItem, type Source, tooLarge } from '../item.ts';
import type { Reading } from '../reading.ts';
import { ByteReader } from './byte-reader.ts';
import { parseHead, parseHttp } from './http.ts';
import { RECORD_END, readWarcRecords, type WarcRecord } from './records.ts';

export async function* readWarc(file: InputFile, reading: Reading): AsyncGenerator<Item[]> {
  const reader = new ByteReader(readBytes(file));
  let whole = 0;
  try {
    for await (const { number, record, endsFile } of readWarcRecords(reader, reading.maxDocument)) {
      const source = { file: file.path, line: number };
      if (typeof record === 'string') yield [endsFile ? damageItem(source, record) : rejectItem(source, record)];
      else {
        const item = toItem(record, source, reading);
        if (item === undefined) await reading.onOther?.({ source, head: record.head, bytes: bytesOf(record) });
        await record.rest?.skip();
        if (item) yield [item];
      }
      whole = number;
    }
  } catch (error) {
    if (!(error instanceof BrokenInput)) throw error;
    yield [damageItem({ file: file.path, line: whole + 1 }, error.message)];
  } finally {
    await reader.close();
  }
}

function bytesOf(record: WarcRecord): Uint8Array | AsyncGenerator<Uint8Array> {
  return record.rest ? chunksOf(record) : Buffer.concat([record.head, record.block, RECORD_END]);
}

async function* chunksOf({ head, block, rest }: WarcRecord): AsyncGenerator<Uint8Array> {
  yield* [head, block];
  yield* rest!.chunks();
  yield RECORD_END;
}

/** Undefined for records that hold no document: requests, metadata, pictures. */
function toItem(warc: WarcRecord, source: Source, reading: Reading): Item | undefined {
  if (warc.rest) return mayBeText(warc) ? rejectItem(source, tooLarge(reading.maxDocument)) : undefined;
  const content = contentOf(warc, reading.maxDocument);
  if (typeof content === 'string') return rejectItem(source, content);
  const text = content && textOf(content, reading);
  if (content === undefined || text === undefined) return undefined;
  const date = warc.headers.get('warc-date');
  const address = addressOf(warc);
  const record = {
    id: address || `${source.file}:${source.line}`,
    ...(date && { date }),
    ...(content.status && { status: content.status }),
    contentType: content.type,
    text,
  };
  const raw = Buffer.concat([warc.head, warc.block, RECORD_END]);
  return { document: record, ...(!address && { isUnnamed: true }), source, format: 'warc', record, raw };
}

/** Of a record too large to look into: unless its headers say that it is something else. */
function mayBeText({ headers, block }: WarcRecord): boolean {
  const type = headers.get('content-type') ?? '';
  switch (headers.get('warc-type')?.toLowerCase()) {
    case 'resource':
    case 'conversion':
      return isTextual(mimeOf(type) || 'text/plain');
    case 'response':
      if (!isHttp(type)) return false;
      return isTextual(mimeOf(parseHead(block)?.headers.get('content-type') ?? '') || 'text/plain');
    default:
      return false;
  }
}

interface Content {
  readonly body: Uint8Array;
  readonly type: string;
  readonly status?: number;
}

function contentOf({ headers, block }: WarcRecord, maxDocument: number): Content | string | undefined {
  const type = headers.get('content-type') ?? '';
  switch (headers.get('warc-type')?.toLowerCase()) {
    case 'resource':
    case 'conversion':
      return { body: block, type };
    case 'response': {
      if (!isHttp(type)) return undefined; // an answer of DNS, for one
      const response = parseHttp(block, maxDocument);
      if (typeof response === 'string') return response;
      return { body: response.body, type: response.headers.get('content-type') ?? '', status: response.status };
    }
    default:
      return undefined;
  }
}

function textOf({ body, type }: Content, { html, paragraphs }: Reading): string | undefined {
  const charset = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(type)?.[1];
  const mime = mimeOf(type) || guessMime(body);
  if (!isTextual(mime)) return undefined;
  const isHtml = mime === 'text/html' || mime === 'application/xhtml+xml';
  const text = isHtml || charset ? decodeHtml(body, charset) : decodeText(body);
  return html === 'always' || (html === 'auto' && isHtml) ? htmlToText(text, { paragraphs }) : text;
}

function isHttp(type: string): boolean {
  return /^application\/http\b/i.test(type);
}

function mimeOf(type: string): string {
  return type.split(';')[0]!.trim().toLowerCase();
}

function isTextual(mime: string): boolean {
  return /^text\/|[/+](?:json|xml)$/.test(mime);
}

function guessMime(body: Uint8Array): string {
  const start = decodeText(body.subarray(0, 512));
  if (/^\s*<(?:!doctype html|html|head|body|!--)/i.test(start)) return 'text/html';
  return start.includes('\0') || start.includes('\ufffd') ? 'application/octet-stream' : 'text/plain';
}

/** Some writers put the address in angle brackets, as the first version of the standard did. */
function addressOf({ headers }: WarcRecord): string | undefined {
  return headers.get('warc-target-uri')?.replace(/^<(.*)>$/, '$1');
}
