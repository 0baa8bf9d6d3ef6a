/** What a WARC record says → its bytes. */
type Header = readonly [name: string, value: string];

export function warcRecord(type: string, id: string, block: string | Uint8Array, ...headers: Header[]): Buffer {
  const content = Buffer.from(block);
  const lines = [['WARC-Type', type], ['WARC-Record-ID', `<urn:${id}>`], ...headers].map(line => line.join(': '));
  const head = ['WARC/1.0', ...lines, `Content-Length: ${content.length}`, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n\r\n')]);
}

export const concurrentTo = (id: string): Header => ['WARC-Concurrent-To', `<urn:${id}>`];
export const refersTo = (id: string): Header => ['WARC-Refers-To', `<urn:${id}>`];

const HTTP: Header = ['Content-Type', 'application/http; msgtype=response'];

export function response(id: string, text: string, ...headers: Header[]): Buffer {
  return http(id, `Content-Type: text/plain\r\n\r\n${text}`, ...headers);
}

export function image(id: string, size = 100, ...headers: Header[]): Buffer {
  return http(id, `Content-Type: image/png\r\n\r\n${'\x01'.repeat(size)}`, ...headers);
}

function http(id: string, rest: string, ...headers: Header[]): Buffer {
  return warcRecord(
    'response',
    id,
    `HTTP/1.1 200 OK\r\n${rest}`,
    HTTP,
    ['WARC-Target-URI', `http://x/${id}`],
    ...headers,
  );
}

export function request(id: string, ...headers: Header[]): Buffer {
  return warcRecord(
    'request',
    id,
    'GET / HTTP/1.1\r\n\r\n',
    ['Content-Type', 'application/http; msgtype=request'],
    ...headers,
  );
}

/** The record ids of a WARC file, in order. */
export function idsIn(warc: Uint8Array): string[] {
  return [
    ...Buffer.from(warc)
      .toString('latin1')
      .matchAll(/^WARC-Record-ID: <urn:(.*)>\r$/gm),
  ].map(([, id]) => id!);
}
