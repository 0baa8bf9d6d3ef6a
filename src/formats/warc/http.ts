/** The block of a WARC response → status, headers and body as the browser would have had them. */
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { type Headers, parseHeaders } from './records.ts';

interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Gives the reason when the response cannot be read. */
export function parseHttp(block: Uint8Array, maxDocument: number): HttpResponse | string {
  const parsed = parseHead(block);
  if (parsed === undefined) return 'broken WARC record: not an HTTP response';
  const { status, headers, sent } = parsed;
  const isChunked = /\bchunked\b/i.test(headers.get('transfer-encoding') ?? '');
  const body = decodeContent(isChunked ? joinChunks(sent) : sent, headers.get('content-encoding') ?? '', maxDocument);
  return typeof body === 'string' ? body : { status, headers, body };
}

/** Undefined where the block does not begin as a response does. */
export function parseHead(block: Uint8Array): { status: number; headers: Headers; sent: Buffer } | undefined {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length);
  const { headerEnd, bodyStart } = splitHead(bytes);
  const head = bytes.toString('latin1', 0, headerEnd);
  const status = /^HTTP\/\d(?:\.\d)?\s+(\d{3})/.exec(head)?.[1];
  if (status === undefined) return undefined;
  const headers = parseHeaders(head.slice(head.indexOf('\n') + 1));
  return { status: Number(status), headers, sent: bytes.subarray(bodyStart) };
}

function splitHead(bytes: Buffer): { headerEnd: number; bodyStart: number } {
  const [strict, loose] = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')];
  if (strict !== -1 && (loose === -1 || strict < loose)) return { headerEnd: strict, bodyStart: strict + 4 };
  return loose === -1
    ? { headerEnd: bytes.length, bodyStart: bytes.length }
    : { headerEnd: loose, bodyStart: loose + 2 };
}

/** Many archives store the body joined and leave the header in place: what is not in chunks is taken as it is. */
function joinChunks(sent: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < sent.length; ) {
    const lineEnd = sent.indexOf('\n', at);
    const size = /^([0-9a-f]{1,8})\s*(?:;.*)?\r?$/i.exec(
      lineEnd === -1 ? '' : sent.toString('latin1', at, lineEnd),
    )?.[1];
    if (size === undefined) return chunks.length === 0 ? sent : Buffer.concat(chunks);
    const start = lineEnd + 1;
    const end = start + Number.parseInt(size, 16);
    if (end === start) break;
    chunks.push(sent.subarray(start, end));
    at = end + (sent[end] === 0x0d ? 2 : 1);
  }
  return Buffer.concat(chunks);
}

/** A sync flush at the end gives what there is of a body that was cut off. */
function decodeContent(body: Buffer, encoding: string, maxOutputLength: number): Uint8Array | string {
  const flush = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    switch (encoding.trim().toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        // An archive that stored the body decoded, but kept the header, is common.
        return body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, flush) : body;
      case 'deflate':
        // Meant is zlib; some servers send the bare stream.
        return (body[0]! & 0x0f) === 8 ? inflateSync(body, flush) : inflateRawSync(body, flush);
      case 'br':
        return brotliDecompressSync(body, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH });
      default:
        return body;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return `too large: over ${maxOutputLength} bytes`;
    return `broken ${encoding} content in a WARC record`;
  }
}
