/** Bytes of a WARC file → its records; a broken one is named and the next one is looked for. */
import { tooLarge } from '../item.ts';
import type { ByteReader } from './byte-reader.ts';

/** Names in lower case. */
export type Headers = ReadonlyMap<string, string>;

export interface WarcRecord {
  readonly headers: Headers;
  readonly block: Uint8Array;
  /** The whole record, as it goes into another WARC file. */
  readonly raw: Uint8Array;
}

/** A string is the reason why there is no record. */
export interface Found {
  /** 1 is the first. */
  readonly number: number;
  readonly record: WarcRecord | string;
  readonly endsFile?: true;
}

const LONGEST_LINE = 64 * 1024;
const MOST_HEADER_LINES = 1000;
const RECORD_END = Buffer.from('\r\n\r\n');
const LATIN_1 = new TextDecoder('latin1');
const UTF_8 = new TextDecoder();

export async function* readWarcRecords(reader: ByteReader, maxDocument: number): AsyncGenerator<Found> {
  let isLost = false;
  for (let number = 1; ; ) {
    const line = await reader.line(LONGEST_LINE);
    if (line === undefined) return;
    if (isBlank(line)) continue;
    if (!isVersion(line)) {
      // One reject for everything up to the next record.
      if (!isLost) yield { number: number++, record: 'not a WARC record' };
      isLost = true;
      continue;
    }
    isLost = false;
    const record = await readRecord(reader, line, maxDocument);
    yield { number: number++, ...record };
    if (record.endsFile) return;
  }
}

async function readRecord(
  reader: ByteReader,
  version: Uint8Array,
  maxDocument: number,
): Promise<Omit<Found, 'number'>> {
  const cutOff = { record: 'cut off: the file ends within a WARC record', endsFile: true } as const;
  const lines = [version];
  for (;;) {
    const line = await reader.line(LONGEST_LINE);
    if (line === undefined) return cutOff;
    lines.push(line);
    if (isBlank(line)) break;
    if (lines.length > MOST_HEADER_LINES) return { record: 'broken WARC record: its header does not end' };
  }
  const headers = parseHeaders(UTF_8.decode(Buffer.concat(lines.slice(1))));
  const size = Number(headers.get('content-length'));
  if (!/^\d+$/.test(headers.get('content-length') ?? '') || !Number.isSafeInteger(size)) {
    return { record: 'broken WARC record: no Content-Length' };
  }
  if (size > maxDocument) {
    return (await reader.skip(size)) < size ? cutOff : { record: tooLarge(maxDocument) };
  }
  const block = await reader.block(size);
  if (block.length < size) return cutOff;
  return { record: { headers, block, raw: Buffer.concat([...lines, block, RECORD_END]) } };
}

/** `Name: value` lines, as in HTTP; a line that begins with a space goes on with the one before; the first of a name counts. */
export function parseHeaders(text: string): Headers {
  const headers = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

function isVersion(line: Uint8Array): boolean {
  return /^WARC\/\d+\.\d+\s*$/.test(LATIN_1.decode(line.subarray(0, 32)));
}

function isBlank(line: Uint8Array): boolean {
  return line.every(byte => byte === 0x0a || byte === 0x0d);
}
