/** Who may ask for what, how much of it, and documents that are meant to do harm. */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readServiceSettings } from '../../src/service/settings.ts';
import { ndjson, serviceAt } from '../support/service.ts';

const apiKey = 'k'.repeat(40);
const readKey = 'r'.repeat(40);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('keys', () => {
  test('every call of the API needs one, and one of them may only read', async () => {
    const { get, post, ask } = await serviceAt('memory:', { apiKey, readKey });
    for (const headers of [{}, bearer('wrong'), bearer(`${apiKey}x`), { authorization: `Basic ${apiKey}` }])
      expect(await get('/v1/stats', headers as never)).toMatchObject({
        status: 401,
        body: { error: { code: 'UNAUTHORIZED' } },
      });
    expect((await get('/%761/stats')).status).not.toBe(200);
    expect((await post('/v1/documents', { id: 'a', text: 'x' }, bearer(apiKey))).status).toBe(201);
    expect(await post('/v1/documents', { id: 'b', text: 'x' }, bearer(readKey))).toMatchObject({ status: 403 });
    expect((await ask('DELETE', '/v1/documents/a', undefined, bearer(readKey))).status).toBe(403);
    expect((await post('/v1/decisions', { a: 'a', b: 'b', verdict: 'same' }, bearer(readKey))).status).toBe(403);
    expect((await post('/v1/documents/batch', '', { ...bearer(readKey), ...ndjson })).status).toBe(403);
    expect((await get('/v1/documents/a', bearer(readKey))).status).toBe(200);
    expect((await post('/v1/search', { text: 'x' }, bearer(readKey))).status).toBe(200);
    expect((await post('/v1/documents?dryRun=true', { id: 'b', text: 'x' }, bearer(readKey))).status).toBe(200);
    for (const path of ['/health', '/openapi.json', '/docs']) expect((await get(path)).status).toBe(200);
    expect((await get('/v1/nothing', bearer(readKey))).status).toBe(404);
    expect((await ask('PATCH', '/v1/stats', undefined, bearer(readKey))).status).toBe(405);
    for (const path of ['/v1/nothing', '/v1/documents/%ff']) expect((await get(path)).status).toBe(401);
  });

  test('an address that others reach is refused without one', () => {
    const settings = { index: 'memory:', host: '0.0.0.0' };
    expect(() => readServiceSettings(settings)).toThrow('host 0.0.0.0 without NEARDUP_API_KEY');
    expect(() => readServiceSettings({ ...settings, apiKey: 'short' })).toThrow(
      'NEARDUP_API_KEY must be 32 characters or more, got 5',
    );
    for (const key of [`${apiKey} two words`, `${apiKey}ü`])
      expect(() => readServiceSettings({ ...settings, apiKey: key })).toThrow('NEARDUP_API_KEY must be ASCII');
    expect(readServiceSettings({ ...settings, apiKey }).host).toBe('0.0.0.0');
    expect(() => readServiceSettings({ index: 'memory:', readKey })).toThrow('everybody could write');
    expect(() => readServiceSettings({ index: 'memory:', cors: ['example.org'] })).toThrow('an origin such as');
  });

  test('without one, only names of this machine are answered', async () => {
    const { url } = await serviceAt('memory:');
    const status = (host: string) =>
      statusOf(url, `GET /v1/stats HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    expect(await status('evil.example')).toBe(403);
    expect(await status('127.0.0.1.evil.example:7700')).toBe(403);
    expect(await status('localhost:1')).toBe(200);
    expect(await status('[::1]:7700')).toBe(200);
  });
});

test('pages of other origins may call it only if they are named', async () => {
  const origin = 'https://app.example';
  const closed = await serviceAt('memory:');
  expect((await closed.get('/v1/stats', { origin })).headers.get('access-control-allow-origin')).toBeNull();
  const { get, ask } = await serviceAt('memory:', { cors: [origin], apiKey });
  const preflight = await ask('OPTIONS', '/v1/documents', undefined, {
    origin,
    'access-control-request-method': 'POST',
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
  expect(
    (await get('/health', { origin: 'https://evil.example' })).headers.get('access-control-allow-origin'),
  ).toBeNull();
});

test('a page that may call it can read that it must wait; who has no key takes no place', async () => {
  const origin = 'https://app.example';
  const { url, get } = await serviceAt('memory:', { cors: [origin], apiKey, limits: { requests: 1 } });
  const hold = (key: string) => {
    const slow = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void slow.destroy());
    const head = `host: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 9`;
    slow.write(`POST /v1/search HTTP/1.1\r\n${head}\r\n\r\n{`);
    return new Promise(resolve => setTimeout(resolve, 200));
  };
  await hold('wrong');
  expect((await get('/v1/stats', { origin, ...bearer(apiKey) })).status).toBe(200);
  await hold(apiKey);
  expect((await get('/v1/stats')).status).toBe(401);
  const busy = await get('/v1/stats', { origin, ...bearer(apiKey) });
  expect(busy.status).toBe(503);
  expect(busy.headers.get('access-control-allow-origin')).toBe(origin);
});

test('headers let pages load and run nothing from elsewhere', async () => {
  const { get } = await serviceAt('memory:');
  const { headers } = await get('/v1/stats');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/./);
  expect((await get('/v1/stats', { 'x-request-id': 'mine-1' })).headers.get('x-request-id')).toBe('mine-1');
  const docs = await get('/docs');
  expect(docs.text).toContain('/v1/documents/batch');
  expect(docs.text).not.toMatch(/<script|src=|https?:\/\//);
});

describe('requests that are wrong', () => {
  test.each([
    ['/v1/search', { text: 'x', treshold: 0.5 }, 'treshold', 'did you mean threshold?'],
    ['/v1/search', { text: 'x', threshold: '0.5' }, 'threshold', 'must be number'],
    ['/v1/search', { text: 'x', threshold: 5 }, 'threshold', 'between 0 and 1'],
    ['/v1/search', { text: 'x', measure: 'dice' }, undefined, 'triangle inequality'],
    [
      '/v1/search',
      { text: 'x', measure: 'containment' },
      undefined,
      /^measure containment in an index made with measure/,
    ],
    ['/v1/search', '', undefined, 'must be object'],
    ['/v1/search', { text: 'x', id: 'y' }, undefined, 'one of text, set and id, got text and id'],
    ['/v1/compare', { a: { text: 'x' }, b: { txet: 'x' } }, 'b.txet', 'did you mean text?'],
    ['/v1/compare', { a: { text: 'x' } }, 'b', 'b is missing'],
    ['/v1/compare', { a: { text: 'x' }, b: { set: ['x'] } }, undefined, 'cannot be compared'],
    ['/v1/documents', { id: '', text: 'x' }, 'id', 'its id is neither'],
    ['/v1/documents', { id: 'x', text: 5 }, 'text', 'text is not a string'],
    ['/v1/documents', { id: 'x' }, 'text', 'text missing'],
    ['/v1/documents', '[]', undefined, 'a document is an object'],
    ['/v1/documents', '{"id":', undefined, 'not JSON'],
    ['/v1/documents?dryrun=true', { id: 'x', text: 'x' }, 'dryrun', 'did you mean dryRun?'],
    ['/v1/decisions', { a: 'x', b: 'y', verdict: 'maybe' }, 'verdict', 'same, different, undecided'],
  ])('%s %j names %s', async (path, body, field, message) => {
    const { post } = await serviceAt('memory:');
    const { status, body: answer } = await post(path, body);
    expect(status).toBe(400);
    expect(answer.error.message).toMatch(message);
    expect(answer.error.field).toBe(field);
  });

  test.each(['limit=0', 'limit=ten', 'limit=1&limit=2', 'cursor=x', 'status=old', 'lim=1'])('?%s', async query => {
    const { get } = await serviceAt('memory:');
    expect((await get(`/v1/documents?${query}`)).status).toBe(400);
  });

  test('a query that a route does not take, such as dryRun, is refused, and nothing is changed', async () => {
    const { post, ask, get } = await serviceAt('memory:');
    await post('/v1/documents', { id: 'a', text: 'one two' });
    const refused = { status: 400, body: { error: { code: 'UNKNOWN_FIELD', field: 'dryRun' } } };
    expect(await post('/v1/documents/batch?dryRun=true', '{"id":"b","text":"x"}\n', ndjson)).toMatchObject(refused);
    expect(await ask('PUT', '/v1/documents/a?dryRun=true', { text: 'other words' })).toMatchObject(refused);
    expect(await ask('DELETE', '/v1/documents/a?dryRun=true')).toMatchObject(refused);
    for (const path of ['documents/a', 'stats', 'decisions', 'recall', 'histogram', 'clusters/a'])
      expect(await get(`/v1/${path}?dryRun=true`)).toMatchObject(refused);
    for (const path of ['search', 'compare', 'collapse', 'decisions'])
      expect(await post(`/v1/${path}?dryRun=true`, {})).toMatchObject({ status: 400 });
    expect((await get('/v1/documents')).body.documents).toEqual([{ id: 'a', status: 'new', stored: true }]);
    expect((await get('/v1/documents/a')).body.text).toBe('one two');
    expect((await get('/health?probe=1')).status).toBe(200);
  });

  test.each(['%ff', '%', '%4'])('a path with %s, which cannot be decoded, is refused as others are', async part => {
    const { url, get, log } = await serviceAt('memory:');
    const path = `/v1/documents/secret${part}`;
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } });
    expect(answer.headers.get('x-request-id')).toMatch(/./);
    expect(answer.headers.get('content-security-policy')).toMatch(/./);
    expect(log()).toContain('"status":400');
    expect(log() + answer.text).not.toContain('secret');
    expect(await statusOf(url, `GET ${path} HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n`)).toBe(403);
  });

  test.each(['i', 'é'])('an id of 65,536 bytes of %s can be read back, replaced and removed', async letter => {
    const { post, ask, get } = await serviceAt('memory:');
    const id = letter.repeat(65_536 / Buffer.byteLength(letter));
    const path = `/v1/documents/${encodeURIComponent(id)}`;
    expect((await post('/v1/documents', { id, text: 'one two' })).status).toBe(201);
    expect((await get(path)).body).toEqual({ id, text: 'one two' });
    expect((await ask('PUT', path, { text: 'three four' })).status).toBe(201);
    expect((await ask('DELETE', path)).status).toBe(204);
  });

  test('a type without a body, as some clients name it always, is no error where no body is needed', async () => {
    const { post, get, ask } = await serviceAt('memory:');
    await post('/v1/documents', { id: 'a', text: 'x' });
    const json = { 'content-type': 'application/json' };
    expect((await ask('DELETE', '/v1/documents/a', undefined, json)).status).toBe(204);
    expect((await get('/v1/tune?threshold=5e-1', json)).body.threshold).toBe(0.5);
  });

  test('no body is told from one of another kind, and compressed ones are refused', async () => {
    const { post, ask } = await serviceAt('memory:');
    const none = { status: 400, body: { error: { code: 'BAD_REQUEST' } } };
    expect(await post('/v1/documents', '')).toMatchObject(none);
    expect(await ask('POST', '/v1/documents')).toMatchObject(none);
    expect(await ask('PUT', '/v1/documents/a', '')).toMatchObject(none);
    const gzip = { 'content-encoding': 'gzip' };
    for (const [path, type] of [
      ['/v1/documents', {}],
      ['/v1/documents/batch', ndjson],
    ] as const)
      expect(await post(path, gzipSync('{"id":"a","text":"x"}'), { ...type, ...gzip })).toMatchObject({
        status: 415,
        body: { error: { message: expect.stringContaining('content-encoding gzip') } },
      });
  });

  test('an id of which only the verdict is kept is told from one that is unknown', async () => {
    const { post, get } = await serviceAt('memory:');
    for (const id of ['a', 'b']) await post('/v1/documents', { id, text: 'one two' });
    const notStored = { status: 404, body: { error: { code: 'NOT_STORED' } } };
    expect(await get('/v1/documents/b')).toMatchObject(notStored);
    expect(await post('/v1/search', { id: 'b' })).toMatchObject(notStored);
    expect(await post('/v1/compare', { a: { id: 'a' }, b: { id: 'b' } })).toMatchObject(notStored);
    expect((await post('/v1/compare', { a: { id: 'a' }, b: { id: 'zz' } })).body.error.code).toBe('UNKNOWN_ID');
  });

  test('other kinds of bodies, which a form of a page could send, are refused', async () => {
    const { post, get } = await serviceAt('memory:');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect((await post('/v1/documents', '{"id":"a","text":"x"}', { 'content-type': type })).status).toBe(415);
    for (const path of ['/v1/search', '/v1/compare', '/v1/collapse', '/v1/decisions', '/v1/documents'])
      expect((await post(path, '{"text":"x"}\n', ndjson)).status).toBe(415);
    expect((await post('/v1/documents', 'x', { 'content-type': 'text/plain' })).body.error.message).toContain(
      'must be application/json',
    );
    expect((await get('/v1/nothing')).body.error.code).toBe('NOT_FOUND');
    expect((await post('/v1/documents', new Uint8Array([0x7b, 0xff]))).body.error.message).toContain('UTF-8');
  });
});

describe('limits', () => {
  test('of size: 413, and the service goes on', async () => {
    const { post } = await serviceAt('memory:', { limits: { body: 1000, batch: 5000 } });
    expect(await post('/v1/documents', { id: 'a', text: 'x'.repeat(2000) })).toMatchObject({
      status: 413,
      body: { error: { code: 'TOO_LARGE' } },
    });
    expect((await post('/v1/documents/batch', 'x'.repeat(6000), ndjson)).status).toBe(413);
    const lines = `${JSON.stringify({ id: 'a', text: 'x'.repeat(2000) })}\n{"id":"b","text":"x"}\n`;
    const { text } = await post('/v1/documents/batch', lines, ndjson);
    expect(
      text
        .split('\n')
        .slice(0, 2)
        .map(line => JSON.parse(line)),
    ).toMatchObject([
      { line: 1, error: { code: 'TOO_LARGE' } },
      { id: 'b', status: 'new' },
    ]);
  });

  test('of time: 408', async () => {
    const { url } = await serviceAt('memory:', { limits: { receiving: 200 } });
    const head =
      'POST /v1/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{';
    expect(await statusOf(url, head)).toBe(408);
  });

  test('of memory for bodies and of requests at once: 503 with Retry-After', async () => {
    const { post } = await serviceAt('memory:', { limits: { bodies: 100 } });
    const answer = await post('/v1/documents', { id: 'a', text: 'x'.repeat(1000) });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await post('/v1/documents', { id: 'a', text: 'x' })).status).toBe(201);
    // Far more than the buffers of a connection hold: who still sends must hear the answer.
    expect((await post('/v1/documents', { id: 'a', text: 'x'.repeat(20_000_000) })).status).toBe(503);
    const narrow = await serviceAt('memory:', { limits: { requests: 1 } });
    const { port } = new URL(narrow.url);
    const slow = connect(Number(port), '127.0.0.1');
    slow.write(
      'POST /v1/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    );
    await new Promise(resolve => setTimeout(resolve, 200));
    expect(await narrow.get('/v1/stats')).toMatchObject({ status: 503, body: { error: { code: 'BUSY' } } });
    expect((await narrow.get('/health')).status).toBe(200);
    slow.destroy();
    await new Promise(resolve => setTimeout(resolve, 200));
    expect((await narrow.get('/v1/stats')).status).toBe(200);
  });

  test('a body that is cut off is an error of the client, and takes no memory afterwards', async () => {
    const { url, post, log } = await serviceAt('memory:', { limits: { bodies: 2_000_000 } });
    const head =
      'POST /v1/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 3000000\r\n\r\n';
    const cut = connect(Number(new URL(url).port), '127.0.0.1');
    cut.write(head + 'x'.repeat(1_500_000));
    await new Promise(resolve => setTimeout(resolve, 200));
    cut.destroy();
    while (!log().includes('"msg":"request"')) await new Promise(resolve => setTimeout(resolve, 10));
    expect(log()).toContain('"status":"cut off"');
    expect(log()).not.toContain('"level":50');
    expect((await post('/v1/search', { text: 'x'.repeat(1_500_000) })).status).toBe(200);
  });

  test('of requests a minute: 429', async () => {
    const { get } = await serviceAt('memory:', { limits: { rate: 3 } });
    for (let call = 0; call < 3; call++) expect((await get('/v1/stats')).status).toBe(200);
    const answer = await get('/v1/stats');
    expect(answer).toMatchObject({ status: 429, body: { error: { code: 'TOO_MANY_REQUESTS' } } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('hostile documents', () => {
  const bidi = 'one \u202etwo\u202c \u2066three\u2069';
  test.each<[string, string]>([
    ['script tags', '{"id":"<script>alert(1)</script>","text":"<script>alert(1)</script> words"}'],
    ['__proto__', '{"id":"p","text":"x","__proto__":{"polluted":true},"constructor":{"prototype":{"y":1}}}'],
    ['100,000 nested tags', JSON.stringify({ id: 'n', text: '<div>'.repeat(100_000) })],
    ['bidi controls', JSON.stringify({ id: bidi, text: bidi })],
    ['half a surrogate pair in the text', '{"id":"s","text":"one \\ud800 two"}'],
    ['NUL and control characters', '{"id":"c\\u0000","text":"\\u0000\\u0007 words"}'],
    ['an empty text', '{"id":"e","text":""}'],
  ])('%s come back as they went in', async (_, json) => {
    const { post, get } = await serviceAt('memory:');
    expect((await post('/v1/documents', json)).status).toBe(201);
    const { id } = JSON.parse(json);
    const { text } = await get(`/v1/documents/${encodeURIComponent(id)}`);
    expect(JSON.parse(text)).toEqual(JSON.parse(json));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((await post('/v1/search', { id })).status).toBe(200);
  });

  test('fields nested 100,000 deep and ids of half a pair are refused', async () => {
    const { post } = await serviceAt('memory:');
    const deep = `{"id":"d","text":"x","f":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const refused = await post('/v1/documents', deep);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'BAD_DOCUMENT' } } });
    expect(refused.body.error.field).toBeUndefined();
    expect((await post('/v1/documents', '{"id":"\\ud800","text":"x"}')).body.error.field).toBe('id');
    expect((await post('/v1/search', `{"text":${'['.repeat(100_000)}}`)).status).toBe(400);
  });

  test('50 MB of words are added, and found again', async () => {
    const { post } = await serviceAt('memory:');
    const text = 'lorem ipsum dolor sit amet '.repeat(2_000_000);
    expect((await post('/v1/documents', { id: 'large', text })).status).toBe(201);
    expect((await post('/v1/documents', { id: 'copy', text })).body).toMatchObject({ status: 'exact', of: 'large' });
  });

  test('no text of theirs is in the log', async () => {
    const { post, get, log } = await serviceAt('memory:');
    await post('/v1/documents', { id: 'secret-id', text: 'topsecret words' });
    await post('/v1/documents', '{"id":"x","text":"topsecret" broken');
    await post('/v1/search', { text: 'topsecret', nope: 1 });
    await get('/v1/documents/secret-id?topsecret=1');
    expect(log()).not.toMatch(/topsecret|secret-id/);
    const lines = log()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(4);
  });
});

/** Of what is sent as it is, since fetch sets some headers itself. */
function statusOf(url: string, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(request));
    socket.on('data', data => {
      answer += data;
      if (answer.includes('\r\n')) {
        resolve(Number(answer.split(' ')[1]));
        socket.destroy();
      }
    });
    socket.on('error', reject).on('close', () => resolve(0));
  });
}
