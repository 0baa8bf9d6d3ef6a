/** Bytes of a WARC file → its records; a broken one is named and the next one is looked for. */
import { BrokenInput } from '../compression/codec.ts';
import type { ByteReader } from './byte-reader.ts';

/** Names in lower case. */
export type Headers = ReadonlyMap<string, string>;

export interface WarcRecord {
  readonly headers: Headers;
  /** The bytes of version and headers, with the empty line behind them. */
  readonly head: Uint8Array;
  /** Of a block over the limit, its start. */
  readonly block: Uint8Array;
  /** What follows the start. */
  readonly rest?: LargeRest;
}

/** The part of a large block that is not in memory. It can be read once, until the next record is asked for. */
class LargeRest {
  readonly #reader: ByteReader;
  #left: number;

  constructor(reader: ByteReader, size: number) {
    this.#reader = reader;
    this.#left = size;
  }

  /** Throws where the file ends too early. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    while (this.#left > 0) {
      const chunk = await this.#reader.some(this.#left);
      if (chunk === undefined) throw new BrokenInput(CUT_OFF);
      this.#left -= chunk.length;
      yield chunk;
    }
  }

  async skip(): Promise<void> {
    for await (const _ of this.chunks());
  }
}

/** A string is the reason why there is no record. */
interface Found {
  /** 1 is the first. */
  readonly number: number;
  readonly record: WarcRecord | string;
  readonly endsFile?: true;
}

const LONGEST_LINE = 64 * 1024;
const MOST_HEADER_LINES = 1000;
/** Of a block over the limit, enough for the headers of HTTP. */
const START_OF_LARGE = 64 * 1024;
const CUT_OFF = 'cut off: the file ends within a WARC record';
export const RECORD_END: Uint8Array = Buffer.from('\r\n\r\n');
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
    if (typeof record.record !== 'string') await record.record.rest?.skip();
  }
}

async function readRecord(
  reader: ByteReader,
  version: Uint8Array,
  maxDocument: number,
): Promise<Omit<Found, 'number'>> {
  const cutOff = { record: CUT_OFF, endsFile: true } as const;
  const lines = [version];
  for (;;) {
    const line = await reader.line(LONGEST_LINE);
    if (line === undefined) return cutOff;
    lines.push(line);
    if (isBlank(line)) break;
    if (lines.length > MOST_HEADER_LINES) return { record: 'broken WARC record: its header does not end' };
  }
  const head = Buffer.concat(lines);
  const headers = parseHeaders(UTF_8.decode(head.subarray(version.length)));
  const size = Number(headers.get('content-length'));
  if (!/^\d+$/.test(headers.get('content-length') ?? '') || !Number.isSafeInteger(size)) {
    return { record: 'broken WARC record: no Content-Length' };
  }
  const held = size > maxDocument ? Math.min(size, START_OF_LARGE) : size;
  const block = await reader.block(held);
  if (block.length < held) return cutOff;
  return {
    record: { headers, head, block, ...(size > maxDocument && { rest: new LargeRest(reader, size - held) }) },
  };
}

/** The first of a name counts. */
export function parseHeaders(text: string): Headers {
  const headers = new Map<string, string>();
  for (const [name, value] of headerLines(text)) if (!headers.has(name)) headers.set(name, value);
  return headers;
}

/** `Name: value` lines, as in HTTP; a line that begins with a space goes on with the one before. Names in lower case. */
export function* headerLines(text: string): Generator<[name: string, value: string]> {
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) yield [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
  }
}

function isVersion(line: Uint8Array): boolean {
  return /^WARC\/\d+\.\d+\s*$/.test(LATIN_1.decode(line.subarray(0, 32)));
}

function isBlank(line: Uint8Array): boolean {
  return line.every(byte => byte === 0x0a || byte === 0x0d);
}
