/** A WARC file → items: the pages and texts in it, with their address as id. */
import { decodeHtml, decodeText } from '../../text/charset.ts';
import { htmlToText } from '../../text/html.ts';
import { readBytes } from '../bytes.ts';
import { BrokenInput } from '../decompress.ts';
import type { InputFile } from '../inputs.ts';
import { damageItem, type Item, rejectItem, type Source } from '../item.ts';
import type { Reading } from '../reading.ts';
import { ByteReader } from './byte-reader.ts';
import { parseHttp } from './http.ts';
import { readWarcRecords, type WarcRecord } from './records.ts';

export async function* readWarc(file: InputFile, reading: Reading): AsyncGenerator<Item[]> {
  const reader = new ByteReader(readBytes(file));
  let source: Source = { file: file.path, line: 0 };
  try {
    for await (const { number, record, endsFile } of readWarcRecords(reader, reading.maxDocument)) {
      source = { file: file.path, line: number };
      if (typeof record === 'string') yield [endsFile ? damageItem(source, record) : rejectItem(source, record)];
      else {
        const item = toItem(record, source, reading);
        if (item) yield [item];
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenInput)) throw error;
    yield [damageItem({ ...source, line: source.line + 1 }, error.message)];
  } finally {
    await reader.close();
  }
}

/** Undefined for records that hold no document: requests, metadata, pictures. */
function toItem(warc: WarcRecord, source: Source, reading: Reading): Item | undefined {
  const content = contentOf(warc, reading.maxDocument);
  if (typeof content === 'string') return rejectItem(source, content);
  const text = content && textOf(content, reading.html);
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
  return { document: record, ...(!address && { isUnnamed: true }), source, format: 'warc', record, raw: warc.raw };
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
      if (!/^application\/http\b/i.test(type)) return undefined; // an answer of DNS, for one
      const response = parseHttp(block, maxDocument);
      if (typeof response === 'string') return response;
      return { body: response.body, type: response.headers.get('content-type') ?? '', status: response.status };
    }
    default:
      return undefined;
  }
}

function textOf({ body, type }: Content, html: Reading['html']): string | undefined {
  const charset = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(type)?.[1];
  const mime = type.split(';')[0]!.trim().toLowerCase() || guessMime(body);
  const isHtml = mime === 'text/html' || mime === 'application/xhtml+xml';
  if (!isHtml && !/^text\/|[/+](?:json|xml)$/.test(mime)) return undefined;
  const text = isHtml || charset ? decodeHtml(body, charset) : decodeText(body);
  return html === 'always' || (html === 'auto' && isHtml) ? htmlToText(text) : text;
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
