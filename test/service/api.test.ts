/** Every route, over every kind of index, through real HTTP. */
import { describe, expect, test } from 'vitest';
import { lines, parsed, words } from '../support/command.ts';
import { placesWith } from '../support/indexes.ts';
import { redisForTests } from '../support/redis.ts';
import { ndjson, serviceAt } from '../support/service.ts';

const all = placesWith(redisForTests());
const places = Object.keys(all).filter(name => name !== 'LMDB in small runs');

interface Link {
  readonly a: string;
  readonly b: string;
  readonly resemblance: number;
}

describe.each(places)('a service on %s', place => {
  const open = () => serviceAt(all[place]!());

  test('adds documents, says what they are, and gives them back', async () => {
    const { post, get, ask } = await open();
    const first = await post('/v1/documents', { id: 'a', text: words(0, 100), lang: 'en' });
    expect(first).toMatchObject({ status: 201, body: { id: 'a', status: 'new' } });
    expect((await post('/v1/documents', { id: 'a', text: words(0, 100), lang: 'en' })).status).toBe(200);
    expect(await post('/v1/documents', { id: 'b', text: words(1, 100) })).toMatchObject({
      status: 200,
      body: { id: 'b', status: 'near', of: 'a', resemblance: 95 / 96, containment: 1 },
    });
    expect(await post('/v1/documents', { id: 'a', text: 'another text' })).toMatchObject({
      status: 409,
      body: { error: { code: 'ID_TAKEN' } },
    });
    expect((await get('/v1/documents/a')).body).toEqual({ id: 'a', text: words(0, 100), lang: 'en' });
    expect(await get('/v1/documents/b')).toMatchObject({ status: 404, body: { error: { code: 'NOT_STORED' } } });
    expect(await get('/v1/documents/zz')).toMatchObject({ status: 404, body: { error: { code: 'UNKNOWN_ID' } } });
    const checked = await post('/v1/documents?dryRun=true', { id: 'c', text: words(0, 100) });
    expect(checked).toMatchObject({ status: 200, body: { status: 'exact', of: 'a' } });
    expect((await get('/v1/documents/c')).status).toBe(404);
    expect(await ask('PUT', '/v1/documents/a', { text: words(500, 600) })).toMatchObject({
      status: 201,
      body: { id: 'a', status: 'new' },
    });
    expect((await ask('PUT', '/v1/documents/a', { id: 'x', text: 't' })).body.error.field).toBe('id');
    expect((await ask('DELETE', '/v1/documents/a')).status).toBe(204);
    expect((await ask('DELETE', '/v1/documents/a')).status).toBe(404);
  });

  test('tells boilerplate, which many documents have, from what few have', async () => {
    const { post } = await open();
    const terms = words(9000, 9030);
    const text = `${words(0, 50)} ${terms}`;
    await post('/v1/documents', { id: 'a', text });
    for (let at = 1; at <= 7; at++)
      await post('/v1/documents', { id: `d${at}`, text: `${words(at * 100, at * 100 + 60)} ${terms}` });
    // Seven others, and the eighth.
    expect((await post('/v1/boilerplate', { id: 'a' })).body).toEqual({ ranges: [], documents: 7, atLeast: 8 });
    await post('/v1/documents', { id: 'd8', text: `${words(800, 860)} ${terms}` });
    const { body } = await post('/v1/boilerplate', { id: 'a' });
    expect(body).toMatchObject({ documents: 8, atLeast: 8 });
    expect(body.ranges.map(([start, end]: [number, number]) => text.slice(start, end))).toEqual([terms]);
    expect((await post('/v1/boilerplate', { text: terms })).body.ranges).toEqual([[0, terms.length]]);
    expect((await post('/v1/boilerplate', { text: words(0, 50) })).body.ranges).toEqual([]);
    expect((await post('/v1/boilerplate', { set: ['x', 'y'] })).body.ranges).toEqual([]);
    expect(await post('/v1/boilerplate', { id: 'zz' })).toMatchObject({
      status: 404,
      body: { error: { code: 'UNKNOWN_ID' } },
    });
    expect((await post('/v1/boilerplate', { text: 'x', atLeast: 1 })).body.error.field).toBe('atLeast');
  });

  test('keeps every digit of ids, fields and results', async () => {
    const { post, get } = await open();
    const json = '{"id":1790000000000000001,"text":"one two","n":1.0,"big":1e400,"__proto__":{"x":2.50}}';
    expect((await post('/v1/documents', json)).body.id).toBe('1790000000000000001');
    expect((await get('/v1/documents/1790000000000000001')).text).toBe(json);
    const batch = await post('/v1/documents/batch', '{"id":7.0,"text":"three four","n":2.0}\n', ndjson);
    expect(JSON.parse(batch.text)).toEqual({ id: '7.0', status: 'new' });
    expect((await get('/v1/documents/7.0')).text).toContain('"n":2.0');
    const set = '{"id":"s","set":[9007199254740993,9007199254740995]}';
    await post('/v1/documents', set);
    const found = await post('/v1/search', '{"set":[9007199254740993,9007199254740995]}');
    expect(found.body.results).toMatchObject([{ id: 's', resemblance: 1 }]);
    expect((await post('/v1/search', '{"set":[9007199254740992,9007199254740994]}')).body.results).toEqual([]);
    const results = '{"results":[{"id":1790000000000000001,"score":1.0},{"id":"x","text":"one two","score":0.50}]}';
    expect((await post('/v1/collapse', results)).text).toBe(
      '{"results":[{"id":1790000000000000001,"score":1.0,"similar":[{"id":"x","text":"one two","score":0.50}]}]}',
    );
  });

  test('adds a batch in order, and answers bad lines in their places', async () => {
    const { post, get } = await open();
    const body = [
      ...[{ id: 'a', text: words(0, 50) }, { id: 'b', text: words(0, 50) }, { text: 'no id' }].map(one =>
        JSON.stringify(one),
      ),
      ...['', 'no JSON', '{"id":"a","text":"other"}', '{"id":"c","set":["x",1]}'],
    ].join('\n');
    const answer = await post('/v1/documents/batch', body, ndjson);
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
    expect(parsed(answer.text)).toMatchObject([
      { id: 'a', status: 'new' },
      { id: 'b', status: 'exact', of: 'a' },
      { line: 3, error: { code: 'BAD_DOCUMENT', field: 'id' } },
      { line: 5, error: { code: 'BAD_DOCUMENT' } },
      { line: 6, id: 'a', error: { code: 'ID_TAKEN' } },
      { id: 'c', status: 'new' },
    ]);
    expect((await get('/v1/stats')).body).toMatchObject({ documents: 2, verdicts: { new: 2, exact: 1 } });
  });

  test('lists documents in pages that survive what is added and removed meanwhile', async () => {
    const { post, get, ask } = await open();
    const batch = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => ({
        id: `d${from + at}`,
        text: words((from + at) * 100, (from + at) * 100 + 50),
      }));
    await post('/v1/documents/batch', lines(...batch(0, 10)), ndjson);
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; ; page++) {
      const { body } = await get(`/v1/documents?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.documents.map(({ id }: { id: string }) => id));
      if (page === 0) {
        await ask('DELETE', '/v1/documents/d1');
        await ask('DELETE', '/v1/documents/d4');
        await post('/v1/documents/batch', lines(...batch(10, 12)), ndjson);
      }
      if (!body.next) break;
      cursor = body.next;
    }
    expect(seen).toEqual(['d0', 'd1', 'd2', 'd3', 'd5', 'd6', 'd7', 'd8', 'd9', 'd10', 'd11']);
    await post('/v1/documents', { id: 'copy', text: words(0, 50) });
    expect((await get('/v1/documents?status=exact')).body.documents).toEqual([
      { id: 'copy', status: 'exact', of: 'd0', resemblance: 1, containment: 1, stored: false },
    ]);
  });

  test('sorts, filters and pages clusters, and follows decisions', async () => {
    const { post, get } = await open();
    const documents = [3, 1, 2].flatMap((copies, family) =>
      Array.from({ length: copies + 1 }, (_, copy) => ({
        id: `f${family}/${copy}`,
        text: words(family * 1000 + copy, family * 1000 + 100),
      })),
    );
    await post('/v1/documents/batch', lines(...documents), ndjson);
    const ids = async (query: string) => {
      const { body } = await get(`/v1/clusters${query}`);
      return [body.total, ...body.clusters.map(({ cluster }: { cluster: string }) => cluster)];
    };
    expect(await ids('')).toEqual([3, 'f0/0', 'f1/0', 'f2/0']);
    expect(await ids('?sort=size')).toEqual([3, 'f0/0', 'f2/0', 'f1/0']);
    expect(await ids('?sort=minResemblance&order=desc')).toEqual([3, 'f1/0', 'f2/0', 'f0/0']);
    expect(await ids('?minSize=3')).toEqual([2, 'f0/0', 'f2/0']);
    expect(await ids('?q=F2/1')).toEqual([1, 'f2/0']);
    const { body: page } = await get('/v1/clusters?sort=size&limit=1');
    await post('/v1/documents', { id: 'f1/2', text: words(1001, 1100) });
    expect(await ids(`?sort=size&limit=5&cursor=${page.next}`)).toEqual([3, 'f2/0', 'f1/0']);
    expect(await get(`/v1/clusters?sort=added&cursor=${page.next}`)).toMatchObject({ status: 400 });
    expect((await get('/v1/clusters/f2%2F1')).body).toMatchObject({ cluster: 'f2/0', size: 3, state: 'open' });
    const { body: decided } = await post('/v1/decisions', { a: 'f2/0', b: 'f2/1', verdict: 'same', keep: 'f2/0' });
    expect(decided).toMatchObject({ a: 'f2/0', verdict: 'same', at: expect.any(String) });
    expect(decided.contents).toEqual([expect.stringMatching(/^[\da-f]{32}$/), expect.stringMatching(/^[\da-f]{32}$/)]);
    expect(await ids('?state=decided')).toEqual([0]);
    await post('/v1/decisions', { a: 'f2/2', b: 'f2/0', verdict: 'different' });
    expect(await ids('?state=decided')).toEqual([1, 'f2/0']);
    await post('/v1/decisions', { a: 'f2/0', b: 'f2/2', verdict: 'undecided' });
    expect(await ids('?state=open')).toEqual([3, 'f0/0', 'f1/0', 'f2/0']);
    expect(parsed((await get('/v1/decisions')).text).map(({ verdict }) => verdict)).toEqual([
      ...['same', 'different', 'undecided'],
    ]);
    expect((await post('/v1/decisions', { a: 'f2/0', b: 'none', verdict: 'same' })).status).toBe(404);
  });

  test('tells how alike the members of a cluster are, also where their texts are not stored', async () => {
    const members = Array.from({ length: 12 }, (_, at) => ({
      id: `m${at}`,
      text: `${words(0, 100)} ${words(1000 * at, 1000 * at + (at % 4))} ${at === 11 ? words(0, 100) : ''}`,
    }));
    const ask = async (store: 'new' | 'all') => {
      const { post, get } = await serviceAt(all[place]!(), { indexOptions: { store } });
      for (const member of members) await post('/v1/documents', member);
      return async (query: string) => (await get(`/v1/clusters/m3/pairs${query}`)).body;
    };
    const [some, every] = [await ask('new'), await ask('all')];
    const full = await every('');
    expect(full).toMatchObject({ notStored: 0, total: 66 });
    expect(new Set(full.pairs.map(({ a, b }: Link) => `${a} ${b}`)).size).toBe(66);
    const withFirst = full.pairs.filter(({ a }: Link) => a === 'm0');
    // The same values, to the last digit, without a text to compare.
    expect(await some('')).toEqual({ pairs: withFirst, notStored: 11, total: 66 });
    expect((await every('?limit=14')).pairs).toEqual([...withFirst, ...full.pairs.slice(11, 14)]);
    // No member is more like another one that came before it than like the representative.
    for (const { b, resemblance } of full.pairs)
      expect(resemblance).toBeLessThanOrEqual(withFirst.find((pair: Link) => pair.b === b).resemblance);
  });

  test('equal texts without words are alike in verdicts, searches, comparisons and pairs', async () => {
    const { post, get } = await serviceAt(all[place]!(), { indexOptions: { store: 'all' } });
    for (const id of ['a', 'b', 'c']) await post('/v1/documents', { id, text: '?!' });
    expect((await post('/v1/search', { text: '?!' })).body.results).toHaveLength(3);
    expect((await post('/v1/compare', { a: { id: 'a' }, b: { text: '?!' } })).body.resemblance).toBe(1);
    expect((await post('/v1/compare', { a: { id: 'a' }, b: { text: '!' } })).body.resemblance).toBe(0);
    const { pairs } = (await get('/v1/clusters/a/pairs')).body;
    expect(pairs.map(({ a, b, resemblance }: Link) => [a, b, resemblance])).toEqual([
      ['a', 'b', 1],
      ['a', 'c', 1],
      ['b', 'c', 1],
    ]);
  });

  test('lists what came in last first, page by page', async () => {
    const { post, get, ask } = await open();
    for (let at = 0; at < 150; at++) await post('/v1/documents', { id: `d${at}`, text: words(at * 50, at * 50 + 20) });
    await ask('DELETE', '/v1/documents/d148');
    const first = (await get('/v1/documents?order=desc&limit=2')).body;
    expect(first.documents.map(({ id }: { id: string }) => id)).toEqual(['d149', 'd147']);
    await post('/v1/documents', { id: 'later', text: words(90_000, 90_020) });
    const ids: string[] = [];
    for (let cursor = first.next; cursor !== undefined; ) {
      const page = (await get(`/v1/documents?order=desc&limit=40&cursor=${cursor}`)).body;
      ids.push(...page.documents.map(({ id }: { id: string }) => id));
      cursor = page.next;
    }
    expect(ids).toEqual(Array.from({ length: 147 }, (_, at) => `d${146 - at}`));
    expect((await get('/v1/documents?order=desc&limit=1')).body.documents).toMatchObject([{ id: 'later' }]);
    expect((await get('/v1/documents?order=up')).body.error.field).toBe('order');
  });

  test('measures its recall on copies that are just at the threshold', async () => {
    const measured = async (lsh: 'auto' | 'bands:1x16') => {
      const { post, get } = await serviceAt(all[place]!(), { indexOptions: { lsh } });
      expect((await get('/v1/recall')).body).toMatchObject({ recall: null, documents: 0 });
      const lines = Array.from({ length: 60 }, (_, at) =>
        JSON.stringify({ id: `d${at}`, text: words(at * 500, at * 500 + 200) }),
      );
      await post('/v1/documents/batch', `${lines.join('\n')}\n`, ndjson);
      // Too short to be changed.
      await post('/v1/documents', { id: 'short', text: 'one two' });
      return (await get('/v1/recall')).body;
    };
    const good = await measured('auto');
    expect(good).toMatchObject({ documents: 60, recall: good.found / 60 });
    expect(good.recall).toBeGreaterThan(0.9);
    expect(good.leastResemblance).toBeGreaterThanOrEqual(0.8);
    expect(good.meanResemblance).toBeLessThan(0.81);
    // One band of sixteen finds three of a hundred.
    expect((await measured('bands:1x16')).recall).toBeLessThan(0.3);
  });

  test('counts the best matches of all duplicates and the sizes of all clusters, and lists the clusters behind a bar', async () => {
    const { post, get, ask } = await serviceAt(all[place]!(), { indexOptions: { threshold: 0.5 } });
    const bars = async () => {
      const { body } = await get('/v1/histogram');
      const of = (counts: number[]) => Object.fromEntries([...counts.entries()].filter(([, count]) => count > 0));
      const { exact, near, contained } = body.matches;
      return { exact: of(exact), near: of(near), contained: of(contained), sizes: body.sizes };
    };
    expect(await bars()).toEqual({ exact: {}, near: {}, contained: {}, sizes: [] });
    const add = (id: string, text: string) => post('/v1/documents', { id, text });
    await add('a', words(0, 104));
    await add('a1', words(0, 104));
    await add('a2', words(10, 104));
    await add('b', words(500, 604));
    await add('b1', words(520, 604));
    expect(await bars()).toEqual({ exact: { 100: 1 }, near: { 90: 1, 80: 1 }, contained: {}, sizes: [1, 1] });
    await add('a3', words(30, 104));
    const after = { exact: { 100: 1 }, near: { 90: 1, 80: 1, 70: 1 }, contained: {}, sizes: [1, 1] };
    expect(await bars()).toEqual(after);
    const behind = async (query: string) =>
      (await get(`/v1/clusters?${query}`)).body.clusters.map(({ cluster }: { cluster: string }) => cluster);
    expect(await behind('from=0.7&to=0.75')).toEqual(['a']);
    expect(await behind('from=0.8&to=0.85')).toEqual(['b']);
    expect(await behind('from=0.75&to=0.8')).toEqual([]);
    expect(await behind('from=1')).toEqual(['a']);
    expect((await get('/v1/clusters?from=2')).body.error.field).toBe('from');
    // What goes, and what rested on it, is counted no more.
    expect((await ask('DELETE', '/v1/documents/a2')).status).toBe(204);
    await expect.poll(bars).toEqual({ ...after, near: { 80: 1, 70: 1 }, sizes: [1, 1] });
    expect((await ask('DELETE', '/v1/documents/b')).status).toBe(204);
    await expect.poll(bars).toEqual({ ...after, near: { 70: 1 }, sizes: [0, 1] });
  });

  test('gives the links of a tree that connects the members of a cluster', async () => {
    const { post, get } = await serviceAt(all[place]!(), { indexOptions: { store: 'all', threshold: 0.5 } });
    // The last of each family came in as most like the first, and the one before is more like it than like the first.
    const lines = [{ id: 'root', text: words(0, 200) }];
    for (const family of [1000, 2000, 3000])
      for (const tail of [40, 10])
        lines.push({ id: `m${family + tail}`, text: `${words(0, 200)} ${words(family, family + tail)}` });
    for (const line of lines) await post('/v1/documents', line);
    const { body: cluster } = await get('/v1/clusters/root');
    const { body } = await get('/v1/clusters/root/pairs?tree=true');
    const links = body.pairs as readonly { a: string; b: string; resemblance: number }[];
    const every = (await get('/v1/clusters/root/pairs')).body.pairs as typeof links;
    const reached = new Set(['root']);
    for (const { a, b, resemblance } of links) {
      expect(reached.has(a)).toBe(true);
      reached.add(b);
      expect(every.find(one => [a, b].includes(one.a) && [a, b].includes(one.b))?.resemblance).toBe(resemblance);
    }
    expect(reached).toEqual(new Set(cluster.members));
    expect(links).toHaveLength(cluster.size - 1);
    // No link to the first where there is a stronger one.
    expect(cluster.size).toBe(7);
    expect(links.filter(({ a }) => a === 'root').map(({ b }) => b)).toEqual(['m1010', 'm2010', 'm3010']);
    expect((await get('/v1/clusters/root/pairs?tree=yes')).status).toBe(400);
  });

  test('searches, compares, gives pairs, tunes and counts', async () => {
    const { post, get, ask } = await serviceAt(all[place]!(), { indexOptions: { store: 'all' } });
    await post('/v1/documents', { id: 'a', text: words(0, 100) });
    await post('/v1/documents', { id: 'b', text: words(1, 100) });
    const near = { id: 'b', resemblance: 95 / 96, containment: 95 / 96 };
    expect((await post('/v1/search', { id: 'a' })).body).toEqual({ results: [near] });
    expect((await post('/v1/search', { text: words(0, 100), limit: 1 })).body.results).toHaveLength(1);
    expect((await post('/v1/search', { id: 'zz' })).status).toBe(404);
    const { body } = await post('/v1/compare', { a: { id: 'a' }, b: { text: words(1, 100) } });
    expect(body).toMatchObject({ resemblance: 95 / 96, containmentAB: 95 / 96, containmentBA: 1 });
    expect(body.passages).toEqual([{ a: [3, words(0, 100).length], b: [0, words(1, 100).length] }]);
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['dice', 'overlap', 'editSimilarity', 'estimated', 'passages']),
    );
    expect((await get('/v1/clusters/a/pairs')).body).toEqual({
      pairs: [{ a: 'a', b: 'b', resemblance: 95 / 96, containmentAB: 95 / 96, containmentBA: 1 }],
      notStored: 0,
      total: 1,
    });
    expect((await get('/v1/tune?threshold=0.8&hashes=128')).body).toMatchObject({ bands: 25, rows: 5 });
    expect((await get('/v1/tune?matches=90&of=100')).body).toMatchObject({ matches: 90, of: 100 });
    expect((await get('/v1/stats')).body).toMatchObject({ documents: 2, options: { threshold: 0.8 } });
    expect((await get('/health')).body).toEqual({ status: 'ok' });
    expect(await ask('PATCH', '/v1/documents/a')).toMatchObject({
      status: 405,
      body: { error: { code: 'METHOD_NOT_ALLOWED' } },
    });
    const { text } = await get('/metrics');
    expect(text).toContain('neardup_index_documents 2');
    expect(text).toContain('neardup_verdicts_total{status="near"} 1');
    expect(text).toContain('neardup_http_requests_total{method="POST",route="/v1/search",status="404"} 1');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });
});

test.runIf('Redis' in all)('several services on one Redis index agree', async () => {
  const place = all.Redis!();
  const [one, other] = [await serviceAt(place), await serviceAt(place)];
  const add = ({ post }: typeof one, id: string) => post('/v1/documents', { id, text: words(0, 80) });
  const statuses = await Promise.all([one, other, one, other].map((service, at) => add(service, `d${at}`)));
  expect(statuses.map(({ body }) => body.status).sort()).toEqual(['exact', 'exact', 'exact', 'new']);
  const [cluster] = (await one.get('/v1/clusters')).body.clusters;
  expect((await other.get('/v1/clusters')).body.clusters).toEqual([cluster]);
  const [, member] = cluster.members;
  await one.post('/v1/decisions', { a: cluster.cluster, b: member, verdict: 'same' });
  expect(parsed((await other.get('/v1/decisions')).text)).toHaveLength(1);
});
