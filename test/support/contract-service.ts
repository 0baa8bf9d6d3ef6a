/** An index in memory → the routes of the contract that the pages use, over real HTTP. A stand-in for tests of pages only. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSketcher } from '../../src/browser.ts';
import { openIndex } from '../../src/index.ts';

interface Known {
  readonly id: string;
  readonly status: string;
  readonly of?: string;
  readonly resemblance?: number;
}

export async function contractService({ key }: { key?: string } = {}) {
  const index = await openIndex('memory:', { threshold: 0.5, store: 'all' });
  const sketcher = await createSketcher();
  const known: Known[] = [];
  const decisions: Record<string, unknown>[] = [];

  const add = async (document: { id: string; text: string }) => {
    const isKnown = known.some(({ id }) => id === document.id);
    const verdict = await index.add(document);
    if (!isKnown) known.push(verdict as Known);
    return verdict;
  };

  const lastVerdict = (a: string, b: string) =>
    decisions.findLast(line => (line.a === a && line.b === b) || (line.a === b && line.b === a))?.verdict;

  const clusters = () => {
    const members = new Map<string, Known[]>();
    for (const one of known) if (one.of !== undefined) members.set(one.of, [...(members.get(one.of) ?? []), one]);
    return Array.from(members, ([id, others]) => ({
      cluster: id,
      size: others.length + 1,
      representative: id,
      members: [id, ...others.map(one => one.id)],
      minResemblance: Math.min(...others.map(({ resemblance = 1 }) => resemblance)),
      state: others.every(one => ['same', 'different'].includes(String(lastVerdict(one.id, id)))) ? 'decided' : 'open',
    }));
  };

  const clusterPage = (query: URLSearchParams) => {
    const sort = (query.get('sort') ?? 'added') as 'size' | 'minResemblance' | 'added';
    const sign = query.get('order') === 'desc' ? -1 : 1;
    const found = clusters()
      .filter(({ size }) => size >= Number(query.get('minSize') ?? 2))
      .filter(({ state }) => !query.get('state') || state === query.get('state'))
      .filter(({ members }) => members.some(id => id.includes(query.get('q') ?? '')));
    if (sort !== 'added') found.sort((a, b) => sign * (a[sort] - b[sort]));
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Number(query.get('limit') ?? 100);
    return { clusters: found.slice(start, end), total: found.length, ...(end < found.length && { next: String(end) }) };
  };

  const pairs = async (id: string, limit: number) => {
    const { members } = clusters().find(({ members: all }) => all.includes(id))!;
    const sets = await Promise.all(members.map(async one => sketcher.set((await index.get(one))!)));
    return members
      .flatMap((a, first) => members.slice(first + 1).map((b, step) => ({ a, b, first, second: first + 1 + step })))
      .slice(0, limit)
      .map(({ a, b, first, second }) => {
        const { resemblance, containmentAB, containmentBA } = sketcher.compare(sets[first]!, sets[second]!);
        return { a, b, resemblance, containmentAB, containmentBA };
      });
  };

  const route = async (method: string, path: string[], query: URLSearchParams, body: never) => {
    const [name, id, more] = path;
    if (name === 'stats') {
      const { documents, bytes, options, verdicts } = await index.stats();
      return { documents, bytes, options, verdicts };
    }
    if (name === 'documents' && method === 'POST') return query.has('dryRun') ? index.check(body) : add(body);
    if (name === 'documents' && id !== undefined) return index.get(id);
    if (name === 'documents') {
      const start = Number(query.get('cursor') ?? 0);
      const end = start + Number(query.get('limit') ?? 100);
      return { documents: known.slice(start, end), ...(end < known.length && { next: String(end) }) };
    }
    if (name === 'search') {
      const { text, id: asked, ...settings } = body as { text?: string; id?: string };
      return { results: await index.search(text === undefined ? { id: asked! } : { text }, settings) };
    }
    if (name === 'clusters' && more === 'pairs') return { pairs: await pairs(id!, Number(query.get('limit'))) };
    if (name === 'clusters' && id !== undefined) return clusters().find(({ members }) => members.includes(id));
    if (name === 'clusters') return clusterPage(query);
    if (name === 'decisions' && method === 'POST') {
      decisions.push({ ...(body as object), at: '2026-01-01T00:00:00.000Z' });
      return decisions.at(-1);
    }
    if (name === 'decisions') return decisions;
    return undefined;
  };

  const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    if (!pathname.startsWith('/v1/')) return false;
    void (async () => {
      const send = (status: number, content: unknown, type = 'application/json') =>
        response
          .writeHead(status, { 'content-type': type })
          .end(typeof content === 'string' ? content : JSON.stringify(content));
      if (key !== undefined && request.headers.authorization !== `Bearer ${key}`)
        return send(401, { error: { code: 'UNAUTHORIZED', message: 'the key is missing or wrong' } });
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
      const path = pathname.slice(4).split('/').map(decodeURIComponent);
      try {
        const found = await route(request.method!, path, searchParams, body as never);
        if (found === undefined) return send(404, { error: { code: 'NOT_FOUND', message: 'there is nothing here' } });
        if (path[0] === 'decisions' && request.method === 'GET')
          return send(200, decisions.map(line => `${JSON.stringify(line)}\n`).join(''), 'application/x-ndjson');
        return send(200, found);
      } catch (error) {
        return send(409, { error: { code: 'FAILED', message: (error as Error).message } });
      }
    })();
    return true;
  };
  return { add, answer, decisions, close: () => index.close() };
}
